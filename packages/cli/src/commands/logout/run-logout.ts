import { WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../../context.js';
import { authStore, browserAuth } from '../../server/sign-in.js';
import { signInServer } from '../../server/sign-in-server.js';

/** Options of `tenon logout`. */
export interface LogoutOptions {
  readonly all?: true;
  readonly config?: string;
  readonly trust?: true;
  readonly json?: true;
}

/** Deletes the tokens of one server, or of all, and revokes them where the authorization server can. */
export async function runLogout(
  word: string | undefined,
  options: LogoutOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  if (options.all === true && word !== undefined)
    throw new WorkbenchError('usage', 'Name a server, or write --all, not both.');
  const store = await authStore(terminal);
  const signedIn = await store.servers();
  const chosen =
    options.all === true ? signedIn : [new URL((await signInServer(word, options, context)).url).href];
  const provider = await browserAuth(terminal);
  const done: string[] = [];
  for (const server of chosen.filter((one) => signedIn.includes(one))) {
    await provider.signOut(server);
    done.push(server);
  }
  if (options.json === true) return terminal.printJson({ signedOut: done });
  for (const server of done) terminal.print(`Signed out of ${server}`);
  if (done.length > 0) return;
  terminal.note(
    options.all === true
      ? 'You are not signed in to any server.'
      : `You are not signed in to ${chosen.join()}.`,
  );
}
