import type { Endpoint, IncomingRequest } from '@tenon/mcp-session';

/** A session whose client has not said yet that it is initialized. */
interface Unready {
  /** Milliseconds of its clock at which it is taken to be ready all the same. */
  readonly until: number;
  /** What it had said by its handshake. */
  readonly heard: number;
  /** Questions that wait. */
  waiting: Set<() => void> | undefined;
}

const unready = new WeakMap<object, Unready>();

/**
 * Notes that a handshake was answered: the client is to be asked nothing before it says that it is initialized. It may say
 * so to another process, or never: after so many milliseconds it is taken to be.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export function awaitInitialized(session: Endpoint, ms: number): void {
  unready.set(session, { until: session.clock.now() + ms, heard: session.heard, waiting: undefined });
}

/** Notes that a client said so. */
export function initialized(session: object): void {
  const entry = unready.get(session);
  unready.delete(session);
  for (const go of entry?.waiting ?? []) go();
}

/** True once a session may be told of changes: it is initialized, or has said anything since its handshake. */
export function isListening(session: Endpoint): boolean {
  const entry = unready.get(session);
  return entry === undefined || session.heard > entry.heard || session.clock.now() >= entry.until;
}

/** Waits until the client may be asked; undefined where it may be at once. Rejects with the reason of the signal. */
export function untilReady(
  { host: { clock, conversation } }: IncomingRequest,
  signal: AbortSignal,
): Promise<void> | undefined {
  const entry = conversation && unready.get(conversation);
  if (entry === undefined) return undefined;
  const left = entry.until - clock.now();
  if (left <= 0) return undefined;
  entry.waiting ??= new Set();
  const { waiting } = entry;
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
    const stop = clock.schedule(go, left);
    waiting.add(go);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
