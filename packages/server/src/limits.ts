import { defaultLimits, type SessionLimits } from '@tenon/mcp-session';
import { defaultRoundsLimits, type RoundsLimits } from './asking/rounds-limits.js';
import { defaultLibraryBounds, type LibraryBounds } from './schemas/library-guard.js';

/** Bounds of a server; see {@link defaultServerLimits}. */
export interface ServerLimits extends SessionLimits, RoundsLimits, LibraryBounds {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** Resources one session may subscribe to. */
  readonly subscriptions: number;
  /** Characters of the URIs that all peers together subscribe to; one session or stream may take a 64th. */
  readonly subscribedText: number;
  /** Listen streams open at the same time. */
  readonly listenStreams: number;
  /** The same of one principal, or of one address where the caller is not known. */
  readonly listenStreamsPerPrincipal: number;
  /** Milliseconds one handler may work; waiting for an answer of the client does not count. */
  readonly handlerTime: number;
  /** Characters of one result as JSON. */
  readonly resultSize: number;
  /** Log messages sent to one session, or for one stateless request, in one second; a burst of as many is allowed. */
  readonly logsPerSecond: number;
  /** Characters of sealed state that travel through the client between rounds of questions. */
  readonly stateSize: number;
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
};
