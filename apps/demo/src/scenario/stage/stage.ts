import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@tenon/mcp-client';
import { type ConnectedSkills, skills } from '@tenon/mcp-skills/client';
import { tasks } from '@tenon/mcp-tasks/client';
import { seedNotes } from '../../notes/seed-notes.js';
import { inTime } from '../in-time.js';
import type { StepsOn } from '../scene.js';
import type { NotesClient, Opened, Transport } from '../transports/transports.js';
import { ScriptedUser } from './scripted-user.js';
import { TaskLog } from './task-log.js';

/** One revision over one transport, with everything that the steps use. */
export interface Stage {
  readonly revision: string;
  /** A client that speaks only this revision. */
  readonly opened: Opened;
  readonly client: NotesClient;
  /** The skills of the server. */
  readonly skills: ConnectedSkills;
  /** The extension for tasks of this client, and of others with `taskOptions`. */
  readonly tasks: ReturnType<typeof tasks>;
  readonly taskLog: TaskLog;
  /** The options of another client with tasks. */
  readonly taskOptions: ClientOptions;
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
  const taskLog = new TaskLog();
  const ownTasks = tasks({ onTask: ({ status }, reference) => taskLog.add({ status, reference }) });
  const { middleware: _, extensions = [], ...bare } = options;
  const onServerError = (what: string) => user.report(`server: ${what}`);
  const opening = [
    transport.open({
      folder: notes.path,
      options: { ...options, revision, extensions: [...extensions, used, ownTasks] },
      onServerError,
    }),
    transport.open({ folder: notes.path, options: bare, serves: [revision], onServerError }),
  ] as const;
  try {
    const [opened, plain] = await inTime(Promise.all(opening), patience, signal);
    const { client } = opened;
    const held = { skills: used.of(client).skills, folder: notes.path, rootFolder, tasks: ownTasks, taskLog };
    const taskOptions = { ...bare, revision, extensions: [ownTasks] };
    return { revision, opened, client, user, plain, taskOptions, ...held };
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
