import type { LogLevel } from '@tenon/mcp-client';
import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon watch`. */
export interface WatchOptions extends ServerOptions {
  readonly resource?: readonly string[];
  readonly task?: readonly string[];
  readonly log?: LogLevel;
  /** In seconds. */
  readonly poll?: number;
  /** A number of events. */
  readonly until?: number;
  /** In seconds. */
  readonly for?: number;
}
