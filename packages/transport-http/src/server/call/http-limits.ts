import { withDefaults } from '@tenon/foundation';
import type { WorkBounds } from '@tenon/mcp-protocol';

/** Limits of an HTTP server. Times are in milliseconds. */
export interface HttpLimits {
  /** Bytes of one request body. More if requests are refused as too large. Default: 4 MiB. */
  readonly bodyBytes: number;
  /** Requests handled at the same time, in sessions and outside; cancelled handlers count until they end. Fewer if handlers need much memory. Default: 10,000. */
  readonly exchanges: number;
  /** The same for one principal, or for one address if the caller is not known. More if few callers do all the work. Default: 2,500. */
  readonly exchangesPerPrincipal: number;
  /** Sessions at the same time. More for more clients. Default: 10,000. */
  readonly sessions: number;
  /** The same for one principal, or for one address if the caller is not known. More if many clients share an account or a proxy. Default: 1,000. */
  readonly sessionsPerPrincipal: number;
  /** Time limit for an idle session. More if users take long to answer a form. Default: 30 minutes. */
  readonly sessionIdle: number;
  /** Lifetime of a session. Less if permissions of users change often. Default: 24 hours. */
  readonly sessionLifetime: number;
  /**
   * Time without events after which a comment keeps a stream open; a request without an answer becomes a stream then. Less if a
   * proxy closes silent connections earlier. Default: 15 seconds.
   */
  readonly keepAlive: number;
  /** Bytes that may be unread on all connections. Less if the memory of the process is small. Default: 256 MiB. */
  readonly unreadTotal: number;
  /** Bytes of incomplete request bodies. Less if the memory of the process is small. Default: 128 MiB. */
  readonly bodies: number;
  /**
   * Time that draining waits for requests outside sessions, and for clients to read their answers. Less if a process must stop
   * faster. Default: 5 seconds.
   */
  readonly drain: number;
}

const defaults: HttpLimits = {
  bodyBytes: 4 * 1_024 * 1_024,
  exchanges: 10_000,
  exchangesPerPrincipal: 2_500,
  sessions: 10_000,
  sessionsPerPrincipal: 1_000,
  sessionIdle: 1_800_000,
  sessionLifetime: 86_400_000,
  keepAlive: 15_000,
  unreadTotal: 268_435_456,
  bodies: 134_217_728,
  drain: 5_000,
};

/** Bounds of an HTTP server that are not options. Times are in milliseconds. */
export const httpBounds = {
  /** Levels of objects and lists in one message. */
  nesting: 512,
  /** Time limit for the first message of a session after its handshake. */
  sessionUnused: 60_000,
  /** Time a client must wait before it resumes a broken stream. */
  retry: 1_000,
  /** Bytes that may be unread on one connection, beside one message that is larger by itself. */
  unread: 16_777_216,
  /** Bytes that may be unread on all connections of one address. */
  unreadPerAddress: 67_108_864,
  /** Bytes per second that a client must read, after the time of `writeTimeout`. */
  readRate: 32_768,
  /** Requests of one connection that may wait behind another for their answer (HTTP/1.1 pipelining). */
  pipelined: 16,
  /** Bytes of incomplete request bodies of one address. */
  bodiesPerAddress: 33_554_432,
  /** Events of one session that are kept in memory, so that its streams can be resumed. */
  sessionEvents: 1_024,
  /** Characters of the events of all sessions that are kept in memory. */
  eventCharacters: 33_554_432,
  /** Events of one stream that are kept in shared state. */
  streamEvents: 1_024,
  /** Time for which the stream of an answered request is kept in shared state. */
  answeredStream: 120_000,
  /** Least time between two reports to the shared state that a session is in use. */
  touch: 1_000,
};

/** The limits of an HTTP server with the bounds that are not options. */
export type HttpBounds = HttpLimits & Readonly<typeof httpBounds>;

/**
 * Returns the bounds of an HTTP server.
 * @throws TypeError for an unknown limit; RangeError for one that is not a positive number.
 */
export function httpBoundsOf(limits?: Partial<HttpLimits>): HttpBounds {
  return withDefaults(defaults, limits, httpBounds);
}

/** Returns the limits of running requests, in the form that requests use. */
export function workBounds(limits: Pick<HttpLimits, 'exchanges' | 'exchangesPerPrincipal'>): WorkBounds {
  return { total: limits.exchanges, perCaller: limits.exchangesPerPrincipal };
}
