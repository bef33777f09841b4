import type { StepsOn } from './scene.js';
import type { StandIn } from './stand-in.js';
import type { NotesClient, Opened } from './transports.js';

/** One revision over one transport: where the steps of the scenario play. */
export interface Stage {
  readonly revision: string;
  /** A client that speaks this revision alone. */
  readonly opened: Opened;
  readonly client: NotesClient;
  readonly user: StandIn;
  /** A client that speaks every revision, of a server that speaks this one alone; without middleware. */
  readonly plain: Opened;
  /** Folder of the notes, of this stage alone. */
  readonly folder: string;
  /** Folder the server may read files in. */
  readonly desk: string;
}

/** The steps that fill a group of rows. */
export type Steps<Rows> = StepsOn<Stage, Rows>;
