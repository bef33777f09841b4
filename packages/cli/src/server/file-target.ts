import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandServer } from '@tenon/mcp-workbench';
import { fileServer } from '@tenon/mcp-workbench/dev';
import type { TerminalSource } from '../terminal/terminal.js';
import type { ServerOptions } from './server-options.js';

/**
 * Returns the server of a file, with all variables of the user: the file belongs to the user, as with `tenon dev`.
 * @throws WorkbenchError `usage` if there is no such file.
 */
export function fileTarget(
  file: string,
  { env, cwd }: Pick<ServerOptions, 'env' | 'cwd'>,
  source: Pick<TerminalSource, 'env' | 'cwd'>,
): CommandServer {
  const variables = { ...source.env, ...env };
  const server = fileServer(file, { cwd: source.cwd, env: variables, loader: typeScriptLoader() });
  return { ...server, cwd: cwd === undefined ? source.cwd : resolve(source.cwd, cwd) };
}

/** Returns the URL of the module that lets Node run TypeScript. */
export function typeScriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
