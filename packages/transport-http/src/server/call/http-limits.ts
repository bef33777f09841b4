import type { WorkBounds } from '@tenon/mcp-protocol';

/** Limits of an HTTP server; see {@link defaultHttpLimits}. Times are in milliseconds. */
export interface HttpLimits {
  /** Bytes of one request body. */
  readonly bodyBytes: number;
  /** Levels of objects and lists in one message. */
  readonly nesting: number;
  /** Requests handled at the same time, in sessions and outside. Cancelled handlers count until they end. */
  readonly exchanges: number;
  /** The same for one principal, or for one address if the caller is not known. */
  readonly exchangesPerPrincipal: number;
  /** Sessions at the same time. */
  readonly sessions: number;
  /** The same for one principal, or for one address if the caller is not known. */
  readonly sessionsPerPrincipal: number;
  /** Time limit for the first message of a session after its handshake. */
  readonly sessionUnused: number;
  /** Time limit for an idle session. */
  readonly sessionIdle: number;
  /** Lifetime of a session. */
  readonly sessionLifetime: number;
  /** Time without events after which a comment keeps a stream open. A request without an answer becomes a stream then. */
  readonly keepAlive: number;
  /** Time a client must wait before it resumes a broken stream. */
  readonly retry: number;
  /** Bytes that may be unread on one connection, beside one message that is larger by itself. */
  readonly unread: number;
  /** Bytes that may be unread on all connections of one address. */
  readonly unreadPerAddress: number;
  /** Bytes that may be unread on all connections. */
  readonly unreadTotal: number;
  /** Bytes per second that a client must read, after the time of `writeTimeout`. */
  readonly readRate: number;
  /** Requests of one connection that may wait behind another for their answer (HTTP/1.1 pipelining). */
  readonly pipelined: number;
  /** Bytes of incomplete request bodies. */
  readonly bodies: number;
  /** The same for one address. */
  readonly bodiesPerAddress: number;
  /** Events of one session that are kept in memory, so that its streams can be resumed. */
  readonly sessionEvents: number;
  /** Characters of the events of all sessions that are kept in memory. */
  readonly eventCharacters: number;
  /** Events of one stream that are kept in shared state. */
  readonly streamEvents: number;
  /** Time for which the stream of an answered request is kept in shared state. */
  readonly answeredStream: number;
  /** Least time between two reports to the shared state that a session is in use. */
  readonly touch: number;
  /** Time that draining waits for requests outside sessions, and for clients to read their answers. */
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
  sessionEvents: 1_024,
  eventCharacters: 33_554_432,
  streamEvents: 1_024,
  answeredStream: 120_000,
  touch: 1_000,
  drain: 5_000,
};

/** Returns the limits of running requests, in the form that requests use. */
export function workBounds(limits: Pick<HttpLimits, 'exchanges' | 'exchangesPerPrincipal'>): WorkBounds {
  return { total: limits.exchanges, perCaller: limits.exchangesPerPrincipal };
}
