import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon replay`. */
export interface ReplayOptions extends ServerOptions {
  /** The server to which the client is played. */
  readonly to?: string;
  readonly stdio?: true;
  /** The port; true for any free port. */
  readonly http?: number | true;
  readonly ignore?: readonly string[];
  readonly update?: true;
}
