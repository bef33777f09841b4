import type { ServerOptions } from '../../server/server-options.js';
import type { ServerLine } from '../../server/with-client.js';

/** The documents that `tenon card` makes, and their usual file names. */
export const documentFiles = {
  'server.json': 'server.json',
  card: 'server-card.json',
  mcpb: 'manifest.json',
} as const;

/** The line of `tenon card`. */
export interface CardLine extends ServerLine {
  readonly options: ServerOptions & {
    readonly format: keyof typeof documentFiles;
    readonly output?: string;
    readonly name?: string;
    readonly remote?: string;
    /** The folder of package.json. */
    readonly package?: string;
    readonly force?: true;
  };
}
