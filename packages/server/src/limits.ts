import { defaultLimits, type SessionLimits } from '@tenon/mcp-session';

/** Bounds of a server; see {@link defaultServerLimits}. */
export interface ServerLimits extends SessionLimits {
  /** Entries on one page of a list. */
  readonly pageSize: number;
  /** Resources one session may subscribe to. */
  readonly subscriptions: number;
  /** Listen streams open at the same time. */
  readonly listenStreams: number;
}

export const defaultServerLimits: ServerLimits = {
  ...defaultLimits,
  pageSize: 100,
  subscriptions: 1_024,
  listenStreams: 1_024,
};
