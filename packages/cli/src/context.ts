import { readFileSync } from 'node:fs';
import type { Implementation } from '@tenon/mcp-client';
import type { Terminal } from './terminal/terminal.js';

/** The dependencies of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** The words after `--`: the command of a server. */
  readonly serverCommand: readonly string[];
  /** Aborts when the user presses Ctrl+C. */
  readonly signal: AbortSignal;
}

/** The line of a command. */
export interface CommandLine<Options> extends CommandContext {
  /** The arguments of the command, without the command after `--`. */
  readonly words: readonly string[];
  readonly options: Options;
}

/** Returns the version of this program. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** Returns the client info of this program. */
export function clientInfo(): Implementation {
  return { name: 'tenon', version: ownVersion() };
}
