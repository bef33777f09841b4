import type { WorkBounds } from '@tenon/mcp-protocol';

/** Bounds of an HTTP server; see {@link defaultHttpLimits}. Times are in milliseconds. */
export interface HttpLimits {
  /** Bytes of one request body. */
  readonly bodyBytes: number;
  /** Levels of objects and lists in one message. */
  readonly nesting: number;
  /** Requests worked on at the same time, in sessions and outside; handlers that were stopped count until they end. */
  readonly exchanges: number;
  /** The same of one principal, or of one address where the caller is not known. */
  readonly exchangesPerPrincipal: number;
  /** Sessions at the same time. */
  readonly sessions: number;
  /** The same of one principal, or of one address where the caller is not known. */
  readonly sessionsPerPrincipal: number;
  /** How long a session may wait for the first message after its handshake. */
  readonly sessionUnused: number;
  /** How long a session may lie idle. */
  readonly sessionIdle: number;
  /** How long a session may last in all. */
  readonly sessionLifetime: number;
  /** How long a stream may be quiet before a comment keeps it alive; a request without an answer becomes a stream then. */
  readonly keepAlive: number;
  /** How long a client is told to wait before it takes a broken stream up again. */
  readonly retry: number;
  /** Bytes that may wait to be read on one connection, beside one message that is larger by itself. */
  readonly unread: number;
  /** Bytes that may wait to be read on all connections of one address. */
  readonly unreadPerAddress: number;
  /** Bytes that may wait to be read on all connections. */
  readonly unreadTotal: number;
  /** Bytes that a client must read in a second, once it has had the time of `writeTimeout`. */
  readonly readRate: number;
  /** Requests of one connection that may wait behind another for their answer (HTTP/1.1 pipelining). */
  readonly pipelined: number;
  /** Bytes of request bodies that are not whole. */
  readonly bodies: number;
  /** The same of one address. */
  readonly bodiesPerAddress: number;
  /** How often at most a session store hears that a session is in use. */
  readonly touch: number;
  /** How long ending waits for requests outside sessions, and for clients to take their answers. */
  readonly drain: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 4 * 1_024 * 1_024,
  nesting: 512,
  exchanges: 10_000,
  exchangesPerPrincipal: 2_500,
  sessions: 10_000,
  sessionsPerPrincipal: 1_000,
  sessionUnused: 60_000,
  sessionIdle: 1_800_000,
  sessionLifetime: 86_400_000,
  keepAlive: 15_000,
  retry: 1_000,
  unread: 16_777_216,
  unreadPerAddress: 67_108_864,
  unreadTotal: 268_435_456,
  readRate: 32_768,
  pipelined: 16,
  bodies: 134_217_728,
  bodiesPerAddress: 33_554_432,
  touch: 1_000,
  drain: 5_000,
};

/**
 * Fills in defaults.
 * @throws TypeError for a bound that is not known; RangeError for one that is not a positive number.
 */
export function httpLimits(given: Partial<HttpLimits> | undefined): HttpLimits {
  const limits = { ...defaultHttpLimits } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    if (!Object.hasOwn(defaultHttpLimits, name)) {
      throw new TypeError(
        `Unknown HTTP limit "${name}". Known: ${Object.keys(defaultHttpLimits).join(', ')}.`,
      );
    }
    if (typeof value !== 'number' || !(value > 0)) {
      throw new RangeError(`HTTP limit ${name} must be a positive number.`);
    }
    limits[name] = value;
  }
  return limits as unknown as HttpLimits;
}

/** The bounds of the work in flight, as requests carry them. */
export function workBounds(limits: Pick<HttpLimits, 'exchanges' | 'exchangesPerPrincipal'>): WorkBounds {
  return { total: limits.exchanges, perCaller: limits.exchangesPerPrincipal };
}
