import { type Revision, revisions } from '@tenon/mcp-protocol';
import type { Catalog } from '../catalog/catalog.js';
import { type OpenOptions, openServer, type ServerClient } from '../connections/open-server.js';
import type { ServerTarget } from '../connections/server-target.js';
import { failureOf, type WorkbenchError } from '../failures/workbench-error.js';
import { readSubject } from '../lint/read-subject.js';
import type { TransportName } from './known-client.js';

/** The outcome of one attempt to use a server in a revision over a transport. */
export interface ProbeRow {
  readonly revision: string;
  readonly transport: TransportName;
  /** `no` if the server does not speak the revision there, `failed` if it accepts or names the revision but does not work. */
  readonly outcome: 'works' | 'no' | 'failed';
  /** The reason, if it does not work. */
  readonly reason?: string;
  readonly catalog?: Catalog;
  /** Lists that cannot be read, with the reason. */
  readonly failures?: readonly string[];
}

/** All attempts, newest revision first. */
export interface Probe {
  readonly rows: readonly ProbeRow[];
  /** The revisions that `server/discover` names; undefined for servers without it. */
  readonly claimed: readonly string[] | undefined;
}

/** Options of {@link probeServer}: those of each connection. */
export type ProbeOptions = Omit<OpenOptions, 'revision' | 'revisions' | 'wrap' | 'cache'> & {
  /** The URL of HTTP+SSE. Default: that of the target. */
  readonly sseUrl?: string;
  /** Called before each attempt. */
  readonly onAttempt?: (revision: string, transport: TransportName) => void;
  /** Called with each client that connected, while it is open. */
  readonly onConnected?: (client: ServerClient, catalog: Catalog) => Promise<void>;
};

/**
 * Connects to a server in each revision over each transport that the target can have, one after the other, and reads its lists.
 * @throws WorkbenchError if the server cannot be reached at all, or denies access.
 */
export async function probeServer(target: ServerTarget, options: ProbeOptions): Promise<Probe> {
  const rows: ProbeRow[] = [];
  let claimed: readonly string[] | undefined;
  let first: WorkbenchError | undefined;
  for (const [transport, revision] of attempts(target)) {
    options.signal?.throwIfAborted();
    options.onAttempt?.(revision.id, transport);
    try {
      const found = await tryRevision(target, { options, transport, revision });
      claimed ??= found.claimed;
      rows.push(found.row);
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = failureOf(error);
      if (failure === undefined || failure.reason === 'authorization') throw error;
      first ??= failure;
      rows.push({ revision: revision.id, transport, outcome: 'no', reason: failure.message });
    }
  }
  if (
    first !== undefined &&
    rows.every(({ outcome }) => outcome !== 'works') &&
    first.reason === 'unreachable'
  )
    throw first;
  return { rows: rows.map((row) => asClaimed(row, claimed)), claimed };
}

function* attempts(target: ServerTarget): Generator<readonly [TransportName, Revision]> {
  for (const revision of revisions) {
    if (target.kind === 'command') yield ['stdio', revision];
    else {
      const { transport = 'auto' } = target;
      if (transport !== 'sse') yield ['http', revision];
      // HTTP+SSE belongs to the first revision; servers keep it for all revisions with a handshake.
      if (transport !== 'http' && revision.lifecycle === 'handshake') yield ['sse', revision];
    }
  }
}

interface Attempt {
  readonly options: ProbeOptions;
  readonly transport: TransportName;
  readonly revision: Revision;
}

async function tryRevision(
  target: ServerTarget,
  { options, transport, revision }: Attempt,
): Promise<{ row: ProbeRow; claimed: readonly string[] | undefined }> {
  const { onAttempt: _, onConnected: __, sseUrl, ...open } = options;
  const only: ServerTarget =
    target.kind === 'url' && transport !== 'stdio'
      ? { ...target, transport, ...(transport === 'sse' && sseUrl !== undefined && { url: sseUrl }) }
      : target;
  const client = await openServer(only, { ...open, revision: revision.id, cache: false });
  try {
    return await useRevision(client, { options, transport, revision });
  } catch (error) {
    options.signal?.throwIfAborted();
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const row = { revision: revision.id, transport, outcome: 'failed', reason: failure.message } as const;
    return { row, claimed: undefined };
  } finally {
    await client.close();
  }
}

async function useRevision(
  client: ServerClient,
  { options, transport, revision }: Attempt,
): Promise<{ row: ProbeRow; claimed: readonly string[] | undefined }> {
  const call = options.signal === undefined ? {} : { signal: options.signal };
  const { catalog, lists = {} } = await readSubject(client, { ...call, once: true });
  const failures = Object.entries(lists).flatMap(([method, { first }]) =>
    first.failure === undefined ? [] : [withMethod(method, first.failure)],
  );
  const claimed =
    revision.lifecycle === 'stateless'
      ? (await client.request('server/discover', {}, { ...call, fresh: true })).supportedVersions
      : undefined;
  await options.onConnected?.(client, catalog);
  return { row: { revision: revision.id, transport, outcome: 'works', catalog, failures }, claimed };
}

/** Errors of a server name the method already. */
function withMethod(method: string, failure: string): string {
  return failure.startsWith(method) ? failure : `${method}: ${failure}`;
}

/** A revision that the server names but does not speak is a failure, unless it does not exist over that transport. */
function asClaimed(row: ProbeRow, claimed: readonly string[] | undefined): ProbeRow {
  if (row.outcome !== 'no' || row.transport === 'sse') return row;
  const isClaimed = claimed?.includes(row.revision) === true;
  return isClaimed ? { ...row, outcome: 'failed' } : row;
}

/** Returns the row to take definitions from: the newest revision that works. */
export function bestRow({ rows }: Probe): ProbeRow | undefined {
  return rows.find(({ outcome }) => outcome === 'works');
}
