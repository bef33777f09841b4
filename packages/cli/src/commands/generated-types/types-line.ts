import type { ServerOptions } from '../../server/server-options.js';
import type { ServerLine } from '../../server/with-client.js';

/** The line of `tenon types`. */
export interface TypesLine extends ServerLine {
  readonly options: ServerOptions & {
    readonly output?: string;
    readonly name?: string;
    readonly check?: true;
    readonly force?: true;
  };
}
