// A program on a desktop whose user signs in with the browser, once: what came of it is kept for the next time. Start
// sign-in-server.js, and give this one the address it prints, and a command: read, save or start-over.
// #region sign-in
import { desktopAuth } from '@tenon/mcp-auth/desktop';
import { connect, textOf } from '@tenon/mcp-client';

const [, , url = 'http://127.0.0.1:3000/mcp', command = 'read'] = process.argv;
const info = { name: 'notes-agent', version: '1.0.0' };
const auth = desktopAuth({ name: 'Notes agent' }); // opens the browser when its user has to sign in

async function read(): Promise<string> {
  const client = await connect(url, { info, auth });
  const { content } = await client.callTool('read_note');
  await client.close();
  return textOf(content);
}

// #endregion

// #region kept
import { FileAuthStore } from '@tenon/mcp-auth/desktop';

const told = desktopAuth({
  name: 'Notes agent',
  store: new FileAuthStore({ name: 'Notes agent' }), // or { path }; this one is the default
  scopes: ['notes:write'], // asked for at once, with those that the server names
  allow: ['http://login.internal:8080'], // an authorization server in a network without https
  onEvent: ({ type, server }) => console.error(`${server}: ${type}`), // nothing in it is secret
});
// #endregion

async function save(): Promise<string> {
  const client = await connect(url, { info, auth: told });
  const { content } = await client.callTool('save_note', { text: 'Buy milk' });
  await client.close();
  return textOf(content);
}

// #region sign-out
async function startOver(): Promise<string> {
  await auth.signOut(url); // forgets the tokens, and has them taken back
  await auth.signIn(url); // now, not when something is asked for first
  return 'Signed in anew';
}

// #endregion

// #region failed
import { AuthError } from '@tenon/mcp-auth/desktop';

function explain(error: unknown): string {
  if (!(error instanceof AuthError)) throw error;
  if (error.reason === 'denied') return 'You said no: nothing was read.';
  if (error.reason === 'timeout') return 'Nobody signed in; try again.';
  return error.message;
}
// #endregion

const commands: Readonly<Record<string, () => Promise<string>>> = { read, save, 'start-over': startOver };
console.log(await (commands[command] ?? read)().catch(explain));
