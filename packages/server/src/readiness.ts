import { SessionError } from '@tenon/mcp-protocol';
import type { Conversation, IncomingRequest } from '@tenon/mcp-session';

/** Sessions whose client has not said yet that it is initialized, and what waits for that. */
const unready = new WeakMap<Conversation, Set<() => void>>();

/**
 * Notes that a handshake was answered: the client is to be asked nothing before it says that it is initialized.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export function awaitInitialized(session: Conversation): void {
  unready.set(session, new Set());
}

/** Notes that a client said so. */
export function initialized(session: Conversation): void {
  const waiting = unready.get(session);
  unready.delete(session);
  for (const go of waiting ?? []) go();
}

/**
 * Waits until the client may be asked; undefined where it may be at once. Rejects with the reason of the signal when that
 * aborts, and with SessionError `timeout` after the time a request may be silent.
 */
export function untilReady(
  { host: { clock, conversation, limits } }: IncomingRequest,
  signal: AbortSignal,
): Promise<void> | undefined {
  const waiting = conversation && unready.get(conversation);
  if (waiting === undefined) return undefined;
  return new Promise((resolve, reject) => {
    const done = () => {
      waiting.delete(go);
      signal.removeEventListener('abort', abort);
      stop();
    };
    const go = () => {
      done();
      resolve();
    };
    const abort = () => {
      done();
      reject(signal.reason);
    };
    const stop = clock.schedule(() => {
      done();
      reject(notReady(limits.requestTimeout));
    }, limits.requestTimeout);
    waiting.add(go);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

function notReady(ms: number): SessionError {
  const told = `The client was not asked: it did not say within ${ms} ms that it is initialized (notifications/initialized).`;
  return new SessionError('timeout', told);
}
