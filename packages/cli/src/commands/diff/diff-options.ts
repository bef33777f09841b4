import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon diff`. */
export interface DiffOptions extends ServerOptions {
  /** A recording: its calls are sent to both servers. */
  readonly calls?: string;
  readonly ignore?: readonly string[];
  readonly failOn: 'any' | 'breaking' | 'never';
}
