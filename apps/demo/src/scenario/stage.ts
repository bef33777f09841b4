import type { StandIn } from './stand-in.js';
import type { NotesClient, Opened, Transport } from './transports.js';

/** One revision over one transport: where the steps of the scenario play. */
export interface Stage {
  readonly revision: string;
  readonly transport: Transport;
  readonly opened: Opened;
  readonly client: NotesClient;
  readonly user: StandIn;
  /** Folder of the notes, of this stage alone. */
  readonly folder: string;
  /** Folder the server may read files in. */
  readonly desk: string;
}

/** One capability put to use: says in a few characters what came of it. */
export type Step = (stage: Stage) => string | Promise<string>;

/** The steps that fill a group of rows. */
export type Steps<Rows> = Readonly<Record<keyof Rows, Step>>;
