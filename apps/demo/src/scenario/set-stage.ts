import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seedNotes } from '../notes/seed-notes.js';
import { inTime } from './in-time.js';
import type { Stage } from './stage.js';
import { StandIn } from './stand-in.js';
import type { Opened, Transport } from './transports.js';

/** Milliseconds for servers to start and clients to connect. */
const patience = 5_000;

/** What is played where. */
export interface Setting {
  readonly revision: string;
  readonly transport: Transport;
  /** Where everything is kept; made here. */
  readonly folder: string;
}

/** Starts the servers of one column and connects to them, on notes of their own. */
export async function setStage(
  { revision, transport, folder }: Setting,
  signal: AbortSignal,
): Promise<Stage> {
  const notes = await seedNotes(join(folder, 'notes'));
  const desk = join(folder, 'desk');
  await mkdir(desk);
  const user = new StandIn();
  const options = user.options(pathToFileURL(desk).href);
  const { middleware: _, ...bare } = options;
  const onServerError = (what: string) => user.complain(`server: ${what}`);
  const opening = [
    transport.open({ folder: notes.path, options: { ...options, revision }, onServerError }),
    transport.open({ folder: notes.path, options: bare, serves: [revision], onServerError }),
  ] as const;
  try {
    const [opened, plain] = await inTime(Promise.all(opening), patience, signal);
    return { revision, opened, client: opened.client, user, plain, folder: notes.path, desk };
  } catch (error) {
    // What opens all the same must not stay open.
    const closing = opening.map((late) => late.then(close).catch(() => undefined));
    await inTime(Promise.all(closing), patience, new AbortController().signal).catch(() => undefined);
    throw error;
  }
}

/** Ends what was started for a column. */
export async function strike({ opened, plain }: Stage): Promise<void> {
  await Promise.all([close(opened), close(plain)]);
}

function close(opened: Opened): Promise<void> {
  return opened.close();
}
