import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { RunCommand } from '../src/run-create.js';
import { runProgram } from '../src/run-program.js';

/** Returns a new empty folder, an absolute path. It is removed when the test ends. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'create-tenon-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers at a terminal: each is sent when stderr shows its first text. Without it there is no terminal. */
  readonly answers?: readonly (readonly [shown: string, keys: string])[];
  /** Runs commands; by default all succeed, except that no folder is in a git repository. */
  readonly run?: RunCommand;
  readonly signal?: AbortSignal;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The commands that were run, as one text each. */
  readonly commands: readonly string[];
  readonly cwd: string;
}

/** Every package has version 1 here: the build writes the real ones. */
const ranges = new Proxy(
  {},
  {
    get: () => '^1.0.0',
    has: () => true,
    getOwnPropertyDescriptor: () => ({ value: '^1.0.0', configurable: true }),
  },
);

/** Runs the program in this process. */
export async function runCreate(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = emptyFolder(), env = {}, answers, signal = new AbortController().signal } = options;
  const isTTY = answers !== undefined;
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY });
  const error = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 40 });
  let stdout = '';
  let stderr = '';
  let shownTo = 0;
  const open = [...(answers ?? [])];
  output.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  error.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    const [shown, keys] = open[0] ?? [];
    if (shown === undefined || keys === undefined || !stderr.slice(shownTo).includes(shown)) return;
    shownTo = stderr.length;
    open.shift();
    // After the prompt has drawn itself.
    setImmediate(() => input.write(keys));
  });
  const commands: string[] = [];
  const run: RunCommand = (command, how) => {
    commands.push(command.join(' '));
    return options.run?.(command, how) ?? Promise.resolve(!command.includes('rev-parse'));
  };
  const source = { input, output, error, env, cwd, signal };
  const code = await runProgram(words, source, { run, ranges: () => ranges });
  return { code, stdout, stderr, commands, cwd };
}
