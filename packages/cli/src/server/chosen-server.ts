import { type ServerTarget, type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import type { ServerOptions } from './server-options.js';

/** A server that the user chose, and the words that are not part of the choice. */
export interface ChosenServer {
  readonly target: ServerTarget;
  readonly words: readonly string[];
}

/**
 * Returns the server of a command line: the command after `--`, otherwise the first word.
 * @throws WorkbenchError `usage` if no server is named.
 */
export async function chosenServer(
  words: readonly string[],
  options: ServerOptions,
  { serverCommand }: Pick<CommandContext, 'serverCommand'>,
): Promise<ChosenServer> {
  const [command, ...args] = serverCommand;
  if (command !== undefined) {
    const { cwd, env } = options;
    return { target: { kind: 'command', command, args, env, ...(cwd !== undefined && { cwd }) }, words };
  }
  const [server, ...rest] = words;
  if (server === undefined) {
    throw new WorkbenchError('usage', 'No server is named.', {
      hint: 'Write a URL, a name from the configuration of an MCP client, or a command: -- node server.js',
    });
  }
  return { target: urlServer(server, options), words: rest };
}

function urlServer(text: string, { header, transport }: ServerOptions): UrlServer {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new WorkbenchError('usage', `"${text}" is not a URL.`, {
      hint: 'A URL begins with http:// or https://. A command is written at the end: -- node server.js',
    });
  }
  return { kind: 'url', url: text, headers: header, transport };
}
