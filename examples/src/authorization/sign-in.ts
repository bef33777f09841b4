// A desktop program in which the user signs in with the browser. Its arguments are the URL of a protected server and a command:
// read, save or start-over.
// #region sign-in
import { AuthError, desktopAuth } from '@tenon/mcp-auth/desktop';
import { connect, textOf } from '@tenon/mcp-client';

const [, , url = 'http://127.0.0.1:3000/mcp', command = 'read'] = process.argv;
const info = { name: 'notes-agent', version: '1.0.0' };
const auth = desktopAuth({ name: 'Notes agent' }); // opens the browser when the user must sign in

async function read(): Promise<string> {
  const client = await connect(url, { info, auth });
  const { content } = await client.callTool('read_note');
  await client.close();
  return textOf(content);
}

function explain(error: unknown): string {
  if (!(error instanceof AuthError)) throw error;
  if (error.reason === 'denied') return 'You denied access: nothing was read.';
  if (error.reason === 'timeout') return 'Nobody signed in in time; try again.';
  return error.message;
}
// #endregion

// #region kept
const verbose = desktopAuth({
  name: 'Notes agent',
  scopes: ['notes:write'], // requested at once, with those that the server names
  allow: ['http://login.internal:8080'], // an authorization server in a network without https
  onEvent: ({ type, server }) => console.error(`${server}: ${type}`), // nothing in an event is secret
});
// #endregion

async function save(): Promise<string> {
  const client = await connect(url, { info, auth: verbose });
  const { content } = await client.callTool('save_note', { text: 'Buy milk' });
  await client.close();
  return textOf(content);
}

async function startOver(): Promise<string> {
  await auth.signOut(url); // forgets the tokens and has them revoked
  await auth.signIn(url); // now, not with the first call
  return 'Signed in again';
}

const commands: Readonly<Record<string, () => Promise<string>>> = { read, save, 'start-over': startOver };
console.log(await (commands[command] ?? read)().catch(explain));
