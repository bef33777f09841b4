import { defaultLibraryBounds, type LibraryBounds } from '@tenon/json-schema';
import type { SessionLimits } from '@tenon/mcp-session';
import { defaultSessionLimits, sessionBounds } from '@tenon/mcp-session/internal';

/** Bounds of the input requests of one call. */
export const roundsBounds = {
  /** The most consecutive input requests of one call; those that wait at the same time count as one. */
  rounds: 32,
  /** The most input requests that wait at the same time. */
  inputRequests: 32,
  /** Milliseconds after a handshake for which an input request waits for `notifications/initialized`. */
  initializedWait: 2_000,
  /** Milliseconds for which a round waits for running `once` steps before it aborts their signal. */
  onceWait: 10_000,
  /** Milliseconds that a suspended handler has for its `finally` blocks before the response is sent. */
  handlerWait: 1_000,
};

export type RoundsBounds = Readonly<typeof roundsBounds>;

/** Limits of a server. */
export interface ServerLimits extends SessionLimits {
  /** Entries on one page of a list. More if clients read no further page. Default: 100. */
  readonly pageSize: number;
  /** Milliseconds for which one handler may run, without waits for the client. More if tools work for longer. Default: 10 minutes. */
  readonly handlerTime: number;
  /** Characters of one result as JSON. More if results are refused as too large. Default: 8,388,608. */
  readonly resultSize: number;
  /**
   * Bytes in the state for one principal, or for one address if the caller is not known: its sessions, streams, calls that may be
   * repeated, tasks and handles. Less if one caller fills the state. Default: a quarter of what the state can hold; 64 MiB if
   * the state does not know that.
   */
  readonly stateBytesPerCaller: number;
}

/** The limits of a server with the bounds that are not options. */
export type ServerBounds = ServerLimits & Readonly<typeof serverBounds>;

export const defaultServerLimits: ServerLimits = {
  ...defaultSessionLimits,
  pageSize: 100,
  handlerTime: 600_000,
  resultSize: 8 * 1_024 * 1_024,
  stateBytesPerCaller: 64 * 1_024 * 1_024,
};

const ownBounds = {
  /** Resources one session may subscribe to. */
  subscriptions: 1_024,
  /**
   * Characters of the URIs that all clients together subscribe to, and of the filters of extensions on their listen streams as JSON.
   * One session or stream may have a 64th of it.
   */
  subscribedText: 67_108_864,
  /** Listen streams open at the same time. */
  listenStreams: 1_024,
  /** Listen streams open at the same time for one principal, or for one address if the caller is unauthenticated. */
  listenStreamsPerPrincipal: 512,
  /** Log messages sent to one session, or for one stateless request, in one second; a burst of as many is allowed. */
  logsPerSecond: 100,
  /** Characters of the sealed state that the client returns with the answers to input requests. */
  stateSize: 65_536,
};

/** Bounds of a server that are not options. */
export const serverBounds: typeof sessionBounds & RoundsBounds & LibraryBounds & typeof ownBounds = {
  ...sessionBounds,
  ...roundsBounds,
  ...defaultLibraryBounds,
  ...ownBounds,
};
