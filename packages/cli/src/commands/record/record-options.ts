import type { ServerOptions } from '../../server/server-options.js';

/** The options of `tenon record`. */
export interface RecordOptions extends ServerOptions {
  readonly port?: number;
  readonly append?: true;
  readonly force?: true;
  /** False: secrets are written. */
  readonly redact: boolean;
  readonly verbose?: true;
}
