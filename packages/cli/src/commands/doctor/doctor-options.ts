import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon doctor`. */
export interface DoctorOptions extends ServerOptions {
  readonly origin?: string;
  readonly signIn?: true;
}
