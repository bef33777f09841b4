import { pause, unlessAborted } from '@tenon/foundation';
import type { Endpoint, IncomingRequest } from '@tenon/mcp-session';

/** A session without `notifications/initialized` so far. */
interface Uninitialized {
  /** The time, in milliseconds of its clock, from which it counts as initialized anyway. */
  readonly until: number;
  /** The number of its messages up to its handshake. */
  readonly heard: number;
  /** Input requests that wait. */
  waiting: Set<() => void> | undefined;
}

const uninitialized = new WeakMap<object, Uninitialized>();

/**
 * Notes that a handshake was answered: input requests wait for `notifications/initialized`. The client may send it
 * to another process, or never: after this many milliseconds the session counts as initialized.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 */
export function noteHandshake(session: Endpoint, ms: number): void {
  uninitialized.set(session, { until: session.clock.now() + ms, heard: session.heard, waiting: undefined });
}

/** Notes that a client sent `notifications/initialized`. */
export function noteInitialized(session: object): void {
  const entry = uninitialized.get(session);
  uninitialized.delete(session);
  for (const go of entry?.waiting ?? []) go();
}

/**
 * True if a session may receive changes: it is initialized, or sent any message since its handshake. A client may have sent these
 * messages to another process, so a session that several processes serve may receive changes at once.
 */
export function isListening(session: Endpoint): boolean {
  if (session.connection.shared !== undefined) return true;
  const entry = uninitialized.get(session);
  return entry === undefined || session.heard > entry.heard || session.clock.now() >= entry.until;
}

/** Waits until input requests may be sent; undefined if they may be sent now. Rejects with the reason of the signal. */
export function waitForInitialized(
  { host: { clock, conversation } }: IncomingRequest,
  signal: AbortSignal,
): Promise<void> | undefined {
  const entry = conversation && uninitialized.get(conversation);
  if (entry === undefined) return undefined;
  const left = entry.until - clock.now();
  if (left <= 0) return undefined;
  entry.waiting ??= new Set();
  const { waiting } = entry;
  const initialized = new AbortController();
  const go = () => initialized.abort();
  waiting.add(go);
  return unlessAborted(pause(clock, left, { signal: initialized.signal }), signal).finally(() => {
    waiting.delete(go);
    go();
  });
}
