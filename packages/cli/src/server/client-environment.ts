import { homedir } from 'node:os';
import process from 'node:process';
import type { ClientEnvironment } from '@tenon/mcp-workbench/clients';
import type { TerminalSource } from '../terminal/terminal.js';

/** Returns the user, machine and folder of a run, for files of clients and of this program. */
export function environmentOf({ env, cwd }: TerminalSource): ClientEnvironment {
  const { platform } = process;
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, cwd, home: named === undefined || named === '' ? homedir() : named };
}
