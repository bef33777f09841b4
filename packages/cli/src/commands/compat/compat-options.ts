import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon compat`. */
export interface CompatCommandOptions extends ServerOptions {
  readonly client?: readonly string[];
  readonly name?: string;
  /** The URL of HTTP+SSE, if it is not that of Streamable HTTP. */
  readonly sse?: string;
  readonly call?: true;
  readonly failOn: 'error' | 'warning' | 'never';
  readonly notes?: true;
  readonly sources?: true;
  readonly clients?: true;
}
