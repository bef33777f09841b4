import { SessionError, TransportError } from '@tenon/mcp-protocol';
import type { Clock } from '@tenon/mcp-session';
import { printable } from '@tenon/mcp-session/internal';
import type { Redactor } from '@tenon/redaction';

/** Reports written in one second; a peer that provokes more must not fill a disk. */
const perSecond = 20;

/**
 * Writes errors to the console's error stream: what a peer did wrong as a line, what the author did with its stack.
 * @param shown - what of them is written.
 */
export function consoleReporter(
  clock: Clock,
  shown: Redactor = printable,
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
    console.error(`[tenon] ${where}:`, shown(byPeer ? error.message : error));
  };
}
