import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** The lines that a program prints. */
export type Lines = AsyncIterator<[string]>;

/** Starts a program, and ends it after the test. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
  const exited = once(child, 'exit');
  const lines = on(createInterface({ input: child.stdout }), 'line') as Lines;
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return {
    child: child as ChildProcess,
    stdin: child.stdin,
    lines,
  };
}

/** Returns the next line that fits; lines before it are dropped. */
export async function lineOf(lines: Lines, pattern = /^/): Promise<string> {
  for (;;) {
    const [line] = (await lines.next()).value;
    if (pattern.test(line)) return line;
  }
}
