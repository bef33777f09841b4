import { type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import { chosenServer } from './chosen-server.js';
import type { ServerOptions } from './server-options.js';

/**
 * Returns the server of a command that signs in or out.
 * @throws WorkbenchError `usage` if no server is named, or if it is started by a command.
 */
export async function signInServer(
  word: string | undefined,
  { config, trust }: Pick<ServerOptions, 'config' | 'trust'>,
  context: CommandContext,
): Promise<UrlServer> {
  const options: ServerOptions = {
    ...{ header: {}, env: {}, transport: 'auto' },
    ...(config !== undefined && { config }),
    ...(trust !== undefined && { trust }),
  };
  const { target } = await chosenServer(word === undefined ? [] : [word], options, context);
  if (target.kind === 'url') return target;
  throw new WorkbenchError('usage', 'A server that is started by a command has no sign-in.', {
    hint: 'Name a server with a URL.',
  });
}
