import type { ServerOptions } from '../../server/server-options.js';

/** The levels of log messages, the least severe first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** The options of `tenon watch`. */
export interface WatchOptions extends ServerOptions {
  readonly resource: readonly string[];
  readonly task: readonly string[];
  readonly log?: (typeof logLevels)[number];
  /** In seconds. */
  readonly poll?: number;
  /** A number of events. */
  readonly until?: number;
  /** In seconds. */
  readonly for?: number;
}
