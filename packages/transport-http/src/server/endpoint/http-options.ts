import type { Clock, EventStore, SessionStore } from '@tenon/mcp-protocol';
import type { GateOptions } from '../admission/gate-options.js';
import type { HttpLimits } from './http-limits.js';

/** How sessions of the handshake revisions are kept. */
export interface SessionOptions {
  /** Keeps sessions beyond this process. Default: none; they end with it. */
  readonly store?: SessionStore | undefined;
  /** Keeps what streams carried, so that they can be resumed. Default: the last of it, in memory. */
  readonly events?: EventStore | undefined;
  /**
   * Answers every request with one JSON body, never with a stream: clients hear no progress and cannot be asked.
   * Default false.
   */
  readonly jsonOnly?: boolean | undefined;
}

/** How an HTTP server behaves; everything has a default. */
export interface HttpOptions extends GateOptions {
  /**
   * Sessions of the revisions that have a handshake; false answers each of their requests on its own, with no stream
   * to hear of changes and nobody to ask: for runtimes that keep nothing between requests.
   */
  readonly sessions?: SessionOptions | false | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /**
   * Milliseconds that a client may leave unread what was sent to it. Default 60,000; `limits.readRate` grants further time for
   * what is long. Past it the connection is closed.
   */
  readonly writeTimeout?: number | undefined;
  /** Hears of errors nobody else hears of. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
}
