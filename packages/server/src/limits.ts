import { defaultLimits, type SessionLimits } from '@tenon/mcp-session';
import { defaultRoundsLimits, type RoundsLimits } from './asking/rounds-limits.js';

/** Bounds of a server; see {@link defaultServerLimits}. */
export interface ServerLimits extends SessionLimits, RoundsLimits {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** Resources one session may subscribe to. */
  readonly subscriptions: number;
  /** Listen streams open at the same time. */
  readonly listenStreams: number;
  /** Characters of sealed state that travel through the client between rounds of questions. */
  readonly stateSize: number;
}

export const defaultServerLimits: ServerLimits = {
  ...defaultLimits,
  ...defaultRoundsLimits,
  pageSize: 100,
  subscriptions: 1_024,
  listenStreams: 1_024,
  stateSize: 32_768,
};
