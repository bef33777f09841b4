import { defaultLibraryBounds, type LibraryBounds } from '@tenon/json-schema';
import { defaultLimits, type SessionLimits } from '@tenon/mcp-session';

/** Limits of the input requests of one call. */
export interface RoundsLimits {
  /** The most consecutive input requests of one call; those that wait at the same time count as one. */
  readonly rounds: number;
  /** The most input requests that wait at the same time. */
  readonly inputRequests: number;
  /** Milliseconds after a handshake for which an input request waits for `notifications/initialized`. */
  readonly initializedWait: number;
  /** Milliseconds for which a round waits for running `once` steps before it aborts their signal. */
  readonly onceWait: number;
  /** Milliseconds that a suspended handler has for its `finally` blocks before the response is sent. */
  readonly handlerWait: number;
}

export const defaultRoundsLimits: RoundsLimits = {
  rounds: 32,
  inputRequests: 32,
  initializedWait: 2_000,
  onceWait: 10_000,
  handlerWait: 1_000,
};

/** Limits of a server; see {@link defaultServerLimits}. */
export interface ServerLimits extends SessionLimits, RoundsLimits, LibraryBounds {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** Resources one session may subscribe to. */
  readonly subscriptions: number;
  /**
   * Characters of the URIs that all clients together subscribe to, and of the filters of extensions on their listen streams as JSON.
   * One session or stream may have a 64th of it.
   */
  readonly subscribedText: number;
  /** Listen streams open at the same time. */
  readonly listenStreams: number;
  /** Listen streams open at the same time for one principal, or for one address if the caller is unauthenticated. */
  readonly listenStreamsPerPrincipal: number;
  /** Milliseconds for which one handler may run, without the time in which it waits for the client. */
  readonly handlerTime: number;
  /** Characters of one result as JSON. */
  readonly resultSize: number;
  /** Log messages sent to one session, or for one stateless request, in one second; a burst of as many is allowed. */
  readonly logsPerSecond: number;
  /** Characters of the sealed state that the client returns with the answers to input requests. */
  readonly stateSize: number;
  /**
   * Bytes in the state for one principal, or for one address if the caller is not known: its sessions, streams, calls that may be
   * repeated, tasks and handles. Default: a quarter of what the state can hold; 64 MiB if the state does not know that.
   */
  readonly stateBytesPerCaller: number;
}

export const defaultServerLimits: ServerLimits = {
  ...defaultLimits,
  ...defaultRoundsLimits,
  ...defaultLibraryBounds,
  pageSize: 100,
  subscriptions: 1_024,
  subscribedText: 64 * 1_024 * 1_024,
  listenStreams: 1_024,
  listenStreamsPerPrincipal: 512,
  handlerTime: 600_000,
  resultSize: 8 * 1_024 * 1_024,
  logsPerSecond: 100,
  stateSize: 65_536,
  stateBytesPerCaller: 64 * 1_024 * 1_024,
};
