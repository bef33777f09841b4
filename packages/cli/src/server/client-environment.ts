import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type ClientEnvironment, stateFolder } from '@tenon/mcp-workbench/clients';
import type { TerminalSource } from '../terminal/terminal.js';

/** Returns the user, machine and folder of a run, for files of clients and of this program. */
export function environmentOf({ env, cwd }: Pick<TerminalSource, 'env' | 'cwd'>): ClientEnvironment {
  const { platform } = process;
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, cwd, home: named === undefined || named === '' ? homedir() : named };
}

/** Returns the folder for the state of this program: tokens and tasks. */
export function ownFolder(source: Pick<TerminalSource, 'env' | 'cwd'>): string {
  return join(stateFolder(environmentOf(source)), 'tenon');
}
