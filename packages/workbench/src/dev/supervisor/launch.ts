import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import type { CommandServer } from '../../connections/server-target.js';
import { WorkbenchError } from '../../failures/workbench-error.js';
import type { DevOptions } from '../dev-options.js';

/** The options of a server, and the URL of its front. */
export interface LaunchOptions extends DevOptions {
  readonly transport: 'http' | 'stdio';
  readonly url: string | undefined;
}

/** A program and its arguments. */
export interface DevLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if it reports over a channel to this process. */
  readonly reports: boolean;
}

/**
 * Returns the program that runs the server of the options.
 * @throws WorkbenchError `usage` if the file of variables cannot be read.
 */
export function launchOf(options: LaunchOptions): DevLaunch {
  const { target, env = process.env, envFile } = options;
  const variables = { NODE_ENV: 'development', ...env, ...variablesIn(envFile) };
  if (target.kind === 'command')
    return { command: target.command, args: target.args, env: variables, reports: false };
  const { file, args = [] } = target;
  const loader = options.loader !== undefined && isTypeScript(file) ? ['--import', options.loader] : [];
  const flags = ['--enable-source-maps', ...loader, '--input-type=module', '--eval'];
  return {
    command: process.execPath,
    args: [...flags, programOf(file, options), '--', ...args],
    env: variables,
    reports: true,
  };
}

/** Options of {@link fileServer}. */
type FileServerOptions = Pick<DevOptions, 'env' | 'loader'> & {
  /** The folder of the path, and of the process. */
  readonly cwd: string;
};

/**
 * Returns the server of a file: a command that runs the file over stdio for one client. It does so as `startDev` does, but does not reload.
 * @throws WorkbenchError `usage` if there is no such file.
 */
export function fileServer(file: string, { cwd, ...options }: FileServerOptions): CommandServer {
  const target = { kind: 'file', file: requireFile(file, cwd) } as const;
  const { command, args, env } = launchOf({ ...options, target, transport: 'stdio', url: undefined });
  const variables = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  return { kind: 'command', command, args, env: Object.fromEntries(variables), file };
}

/** Returns the absolute path of a file. @throws WorkbenchError `usage` if there is no such file. */
export function requireFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (isFile(path)) return path;
  throw new WorkbenchError('usage', `There is no file ${file}.`);
}

/** True if there is a file with this path. */
export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** True for a file that Node 20 cannot run by itself. */
function isTypeScript(file: string): boolean {
  return /\.(?:[cm]?ts|[jt]sx)$/i.test(file);
}

function variablesIn(file: string | undefined): Readonly<Record<string, string | undefined>> {
  if (file === undefined) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError('usage', `The file ${file} of --env-file cannot be read.`, { cause });
}

/** Returns the text of a module that runs a file with the packages of the project that the file belongs to. */
function programOf(file: string, { transport, url }: LaunchOptions): string {
  const own = createRequire(import.meta.url);
  // Of the file itself where the path is a link, as for its own imports.
  const project = createRequire(realpathSync(file));
  const server = resolved(project, '@tenon/mcp-server');
  const packages = server === undefined ? own : createRequire(server);
  const adapter = resolved(packages, '@tenon/mcp-state/adapter') ?? own.resolve('@tenon/mcp-state/adapter');
  const state = resolved(packages, '@tenon/mcp-state') ?? own.resolve('@tenon/mcp-state');
  const http = resolved(project, '@tenon/mcp-server/http');
  const stdio = resolved(project, '@tenon/mcp-server/stdio');
  const members = [
    `transport: ${JSON.stringify(transport)}`,
    `file: ${JSON.stringify(file)}`,
    ...(url === undefined ? [] : [`origin: ${JSON.stringify(new URL(url).origin)}`]),
    'state: { joinProcesses, Delivery, StatusSource, StateError }',
    `load: () => import(${urlText(file)})`,
    ...(http === undefined ? [] : [`http: () => import(${urlText(http)})`]),
    ...(stdio === undefined ? [] : [`stdio: () => import(${urlText(stdio)})`]),
  ];
  return [
    `import { runChild } from ${urlText(own.resolve('#dev-child'))};`,
    `import { joinProcesses, Delivery, StatusSource } from ${urlText(adapter)};`,
    `import { StateError } from ${urlText(state)};`,
    // Programs compare this argument with their own path.
    `process.argv.splice(1, process.argv[1] === '--' ? 1 : 0, ${JSON.stringify(file)});`,
    `await runChild({ ${members.join(', ')} });`,
  ].join('\n');
}

function urlText(path: string): string {
  return JSON.stringify(pathToFileURL(path).href);
}

function resolved(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name);
  } catch {
    return undefined;
  }
}
