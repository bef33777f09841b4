import { spawn } from 'node:child_process';

/** Runs a program in a folder. Resolves with true if it ended with 0; never rejects. */
export type RunCommand = (
  command: readonly string[],
  options: { readonly cwd: string; readonly quiet: boolean; readonly signal: AbortSignal },
) => Promise<boolean>;

/** Runs a program without stdin. All of its output goes to stderr, because stdout is for the result. */
export const runCommand: RunCommand = ([program = '', ...args], { cwd, quiet, signal }) =>
  new Promise((resolve) => {
    const out = quiet ? 'ignore' : process.stderr.fd;
    // On Windows npm is a script, which only a shell can start. No argument is from the user.
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd, shell, signal, stdio: ['ignore', out, out] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
