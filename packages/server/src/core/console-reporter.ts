import type { Clock } from '@tenon/foundation';
import type { Redactor } from '@tenon/foundation/redaction';
import { SessionError, TransportError } from '@tenon/mcp-protocol';
import { printable } from '@tenon/mcp-session/internal';

/** Reports written per second; a peer must not be able to fill a disk. */
const perSecond = 20;

/** Options of a console reporter. */
interface Reporting {
  /** Cleans the text before it is written. Default: removes credentials and control characters. */
  readonly shown?: Redactor;
  /** Writes the stacks of errors that a peer caused, too. Default: only their messages. */
  readonly stacks?: boolean;
}

/** Writes errors to the console's error stream: errors caused by a peer as a message, all other errors with their stack. */
export function consoleReporter(
  clock: Clock,
  { shown = printable, stacks = false }: Reporting = {},
): (error: unknown, where: string) => void {
  let since = Number.NEGATIVE_INFINITY;
  let written = 0;
  let left = 0;
  return (error, where) => {
    const now = clock.now();
    if (now - since >= 1_000) {
      if (left > 0) console.error(`[tenon] ${left} more errors were not written.`);
      since = now;
      written = 0;
      left = 0;
    }
    if (written === perSecond) {
      left++;
      return;
    }
    written++;
    const byPeer = error instanceof SessionError || error instanceof TransportError;
    console.error(`[tenon] ${where}:`, shown(byPeer && !stacks ? error.message : error));
  };
}

/** True if the environment variable `NODE_ENV` is `development`. */
export function isDevelopment(): boolean {
  const { process } = globalThis as { process?: { env?: { NODE_ENV?: string } } };
  return process?.env?.NODE_ENV === 'development';
}
