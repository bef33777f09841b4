import type { ServerOptions } from '../../server/server-options.js';
import type { ServerLine } from '../../server/with-client.js';

/** The line of `tenon publish-check`; its words are the folder. */
export interface PublishCheckLine extends Omit<ServerLine, 'options'> {
  readonly options: Omit<ServerOptions, 'header' | 'transport'> & {
    /** False: the server is not started. */
    readonly start: boolean;
    readonly strict?: true;
  };
}
