import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ServerTarget, type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import type { ServerOptions } from './server-options.js';

/** A server that the user chose, and the words that are not part of the choice. */
export interface ChosenServer {
  readonly target: ServerTarget;
  readonly words: readonly string[];
}

/**
 * Returns the server of a command line: the command after `--`, otherwise the first word: a URL, a TypeScript or JavaScript file, or a name.
 * @throws WorkbenchError `usage` if no server is named, or if the name is unknown.
 */
export async function chosenServer(
  words: readonly string[],
  options: ServerOptions,
  context: Context & Pick<CommandContext, 'serverCommand'>,
): Promise<ChosenServer> {
  const [command, ...args] = context.serverCommand;
  if (command !== undefined) {
    const { cwd, env } = options;
    return { target: { kind: 'command', command, args, env, ...(cwd !== undefined && { cwd }) }, words };
  }
  const [server, ...rest] = words;
  if (server === undefined) {
    throw new WorkbenchError('usage', 'No server is named.', {
      hint: 'Write a URL, a file such as src/server.ts, a name that "tenon servers" lists, or a command at the end: -- node server.js',
    });
  }
  return { target: await targetOf(server, options, context), words: rest };
}

type Context = Pick<CommandContext, 'terminal' | 'signal'>;

async function targetOf(word: string, options: ServerOptions, context: Context): Promise<ServerTarget> {
  if (isUrl(word)) return urlServer(word, options);
  const { source } = context.terminal;
  if (isServerName(word, source)) return named(word, options, context);
  const { fileTarget } = await import('./file-target.js');
  return fileTarget(word, options, source);
}

/** True for a word that is neither a URL nor a file: the name of a configured server. */
export function isServerName(word: string, { cwd }: { readonly cwd: string }): boolean {
  // A name may look like a file; a TypeScript file that does not exist is a mistake.
  const isFile = /\.[cm]?[jt]sx?$/.test(word) && existsSync(resolve(cwd, word));
  return !isUrl(word) && !isFile && !(isScript(word) && /ts$/.test(word));
}

/** True for the name of a TypeScript or JavaScript file. */
export function isScript(word: string): boolean {
  return /^[^\s(]+\.[cm]?[jt]sx?$/.test(word);
}

/** True for a URL of a server. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function urlServer(text: string, { header, transport }: ServerOptions): UrlServer {
  if (!URL.canParse(text)) throw new WorkbenchError('usage', `"${text}" is not a valid URL.`);
  return { kind: 'url', url: text, headers: header, transport };
}

/** Loads the code that reads configuration files: other servers do not need it. */
async function named(name: string, options: ServerOptions, context: Context): Promise<ServerTarget> {
  const { namedServer } = await import('./named-server.js');
  return namedServer(name, options, context);
}

/** Requires that a command line has no further words. @param kind - the kind of the last word that the command uses, such as `tool`. */
export function requireNoMore(words: readonly string[], kind: string): void {
  if (words.length === 0) return;
  throw new WorkbenchError('usage', `One ${kind} at a time: "${words.join(' ')}" is left over.`);
}
