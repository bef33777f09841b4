import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';
import { closeNames } from '@tenon/foundation';
import type { CommandServer } from '../../connections/server-target.js';
import { type Finding, failed, passed, shortened, warned } from '../examination.js';

/** The system that a command runs on. */
export interface CommandSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The version of Node, such as `20.18.1`. */
  readonly node: string;
}

/** Finds the program of a command, and the script that it is to run. */
export async function findProgram(target: CommandServer, system: CommandSystem): Promise<Finding> {
  const { command, args } = target;
  const folder = resolve(system.cwd, target.cwd ?? '.');
  if (/\s/.test(command) && !command.includes('/') && !command.includes('\\'))
    return failed('usage', `"${shortened(command, 80)}" is one word with spaces, which no shell splits`, {
      fix: `Write the program and its arguments as separate words: -- ${shortened(command, 80)}`,
    });
  const isPath = command.includes('/') || (system.platform === 'win32' && command.includes('\\'));
  const found = isPath
    ? await pathProgram(resolve(folder, command), system)
    : await inPath(command, target, system);
  if (found === undefined) return notFound(command, { isPath, folder }, system);
  if (found.problem !== undefined)
    return failed('unreachable', found.problem, { fix: `Make it executable: chmod +x ${found.file}` });
  const script = await scriptProblem(args, folder, { command, system });
  if (script !== undefined) return script;
  const isNpx = /^(?:npx|bunx|pnpx)(?:\.cmd)?$/.test(command);
  if (isNpx && command.startsWith('npx') && !args.some((word) => word === '-y' || word === '--yes'))
    return warned(`${found.file}, without -y: npx waits for a confirmation that a client cannot give`, {
      fix: `Write -- npx -y ${args.join(' ')}`,
    });
  return passed(found.file);
}

interface Found {
  readonly file: string;
  readonly problem?: string;
}

async function pathProgram(file: string, system: CommandSystem): Promise<Found | undefined> {
  const known = await stat(file).catch(() => undefined);
  if (known === undefined) return undefined;
  if (known.isDirectory()) return { file, problem: `${file} is a folder` };
  return (await isExecutable(file, system)) ? { file } : { file, problem: `${file} may not be executed` };
}

async function inPath(
  command: string,
  target: CommandServer,
  system: CommandSystem,
): Promise<Found | undefined> {
  for (const folder of foldersOf(target, system)) {
    for (const ending of endingsOf(system)) {
      const file = join(folder, command + ending);
      const known = await stat(file).catch(() => undefined);
      if (known?.isFile() === true && (await isExecutable(file, system))) return { file };
    }
  }
  return undefined;
}

function foldersOf({ env = {} }: Pick<CommandServer, 'env'>, system: CommandSystem): readonly string[] {
  const path = env.PATH ?? system.env.PATH ?? system.env.Path ?? '';
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .slice(0, 200);
}

function endingsOf({ platform, env }: CommandSystem): readonly string[] {
  if (platform !== 'win32') return [''];
  return ['', ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')];
}

async function isExecutable(file: string, { platform }: CommandSystem): Promise<boolean> {
  if (platform === 'win32') return true;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const installs: Readonly<Record<string, string>> = {
  npx: 'npx comes with Node: install Node, or add its folder to PATH.',
  node: 'Install Node, or add its folder to PATH.',
  uvx: 'uvx comes with uv: https://docs.astral.sh/uv/ says how to install it.',
  uv: 'https://docs.astral.sh/uv/ says how to install it.',
  docker: 'Install Docker, and start it.',
  bunx: 'bunx comes with Bun: install Bun, or use npx -y.',
  deno: 'Install Deno, or add its folder to PATH.',
};

async function notFound(
  command: string,
  { isPath, folder }: { isPath: boolean; folder: string },
  system: CommandSystem,
): Promise<Finding<never>> {
  if (isPath)
    return failed('unreachable', `${resolve(folder, command)} does not exist`, {
      fix: 'Check the path. A relative path begins at the working folder: use an absolute one in configuration files.',
    });
  const close = await similar(command, system);
  const hint = close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : '';
  const general =
    'Install it, or write its whole path. Programs with windows do not have the PATH of your shell.';
  return failed('unreachable', `no program "${shortened(command, 80)}" in PATH`, {
    fix: `${installs[command] ?? general}${hint}`,
  });
}

const mostNames = 20_000;

/** Returns names in PATH that the user may have meant. */
async function similar(command: string, system: CommandSystem): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const folder of foldersOf({}, system)) {
    const entries = await readdir(folder).catch(() => []);
    for (const name of entries)
      if (names.size < mostNames) names.add(name.replace(/\.(?:exe|cmd|bat)$/i, ''));
  }
  return closeNames(command, names).slice(0, 2);
}

const scripts = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.py']);

/** Checks the file that an interpreter is to run: the first argument that is not an option. */
async function scriptProblem(
  args: readonly string[],
  folder: string,
  { command, system }: { command: string; system: CommandSystem },
): Promise<Finding<never> | undefined> {
  const isInterpreter = /^(?:node|bun|deno|python3?|tsx)$/.test(command.split(/[\\/]/).at(-1) ?? '');
  const script = args[0];
  if (!isInterpreter || script === undefined || !scripts.has(extname(script))) return undefined;
  const file = resolve(folder, script);
  if ((await stat(file).catch(() => undefined)) === undefined)
    return failed('unreachable', `${file} does not exist`, {
      fix: 'Build it first, or write an absolute path: a relative one begins at the working folder.',
    });
  const major = Number.parseInt(system.node, 10);
  if (command === 'node' && /^\.m?ts$/.test(extname(script)) && major < 22)
    return failed('unreachable', `Node ${system.node} does not run TypeScript`, {
      fix: `Compile ${script} and run the result, or use: -- npx -y tsx ${script}`,
    });
  return undefined;
}
