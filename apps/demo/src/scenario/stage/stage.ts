import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ConnectedSkills, skills } from '@tenon/mcp-skills/client';
import { seedNotes } from '../../notes/seed-notes.js';
import { inTime } from '../in-time.js';
import type { StepsOn } from '../scene.js';
import type { NotesClient, Opened, Transport } from '../transports/transports.js';
import { ScriptedUser } from './scripted-user.js';

/** One revision over one transport, with everything that the steps use. */
export interface Stage {
  readonly revision: string;
  /** A client that speaks only this revision. */
  readonly opened: Opened;
  readonly client: NotesClient;
  /** The skills of the server. */
  readonly skills: ConnectedSkills;
  readonly user: ScriptedUser;
  /** A client that speaks every revision, connected to a server that speaks only this one; without middleware and extensions. */
  readonly plain: Opened;
  /** The folder of this stage's notes. */
  readonly folder: string;
  /** The folder in which the server may read files: the client's root. */
  readonly rootFolder: string;
}

/** The steps that fill a group of rows. */
export type Steps<Rows> = StepsOn<Stage, Rows>;

/** Milliseconds for servers to start and clients to connect. */
const patience = 5_000;

/** The revision, transport and folder of a stage. */
export interface Setting {
  readonly revision: string;
  readonly transport: Transport;
  /** The folder for all files of the stage. */
  readonly folder: string;
}

/** Starts the servers of one column and connects to them, each column with notes of its own. */
export async function setStage(
  { revision, transport, folder }: Setting,
  signal: AbortSignal,
): Promise<Stage> {
  const notes = await seedNotes(join(folder, 'notes'));
  const rootFolder = join(folder, 'rootFolder');
  await mkdir(rootFolder);
  const user = new ScriptedUser();
  const options = user.options(pathToFileURL(rootFolder).href);
  const used = skills();
  const { middleware: _, extensions = [], ...bare } = options;
  const onServerError = (what: string) => user.report(`server: ${what}`);
  const opening = [
    transport.open({
      folder: notes.path,
      options: { ...options, revision, extensions: [...extensions, used] },
      onServerError,
    }),
    transport.open({ folder: notes.path, options: bare, serves: [revision], onServerError }),
  ] as const;
  try {
    const [opened, plain] = await inTime(Promise.all(opening), patience, signal);
    const { client } = opened;
    const held = { skills: used.of(client).skills, folder: notes.path, rootFolder };
    return { revision, opened, client, user, plain, ...held };
  } catch (error) {
    // A client that connects too late must be closed.
    const closing = opening.map((late) => late.then(close).catch(() => undefined));
    await inTime(Promise.all(closing), patience, new AbortController().signal).catch(() => undefined);
    throw error;
  }
}

/** Ends the clients and servers of a column. */
export async function closeStage({ opened, plain }: Stage): Promise<void> {
  await Promise.all([close(opened), close(plain)]);
}

function close(opened: Opened): Promise<void> {
  return opened.close();
}
