import { type Clock, withinTime } from '@tenon/foundation';
import { type Connection, SessionError } from '@tenon/mcp-protocol';
import type { Behaviour } from '../requests/behaviour.js';

/**
 * Waits for work at the end of a server or connection. Work that takes longer goes on in the background, and its later errors are dropped.
 * @param what - the work as the error names it.
 * @throws SessionError `timeout` after the limit `drain`; the error of the work.
 */
export async function unlessLate(
  work: Promise<unknown>,
  what: string,
  { clock, limits: { drain: ms } }: { readonly clock: Clock; readonly limits: { readonly drain: number } },
): Promise<void> {
  await withinTime(work, { clock, ms, holds: true }, () => {
    throw new SessionError(
      'timeout',
      `${what} did not end within ${ms} ms, so nothing waits for it any more. Let it end, or allow more with the option "limits.drain".`,
    );
  });
}

/** Closes a connection; at a server within the limit `drain`. A client has its own limits for the end of a child process. */
export function closeConnection(
  connection: Connection,
  behaviour: Pick<Behaviour, 'side' | 'clock' | 'limits'>,
): Promise<void> {
  const closing = connection.close();
  return behaviour.side === 'client' ? closing : unlessLate(closing, 'Closing the connection', behaviour);
}
