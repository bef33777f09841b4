import type { Revision } from '@tenon/mcp-protocol';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import type { LinePeer } from './line-peer.js';
import { framesOf, PostingPeer } from './posting.js';
import { killChildren, SpawnedPeer } from './spawned.js';
import { everyRevision, type Frame, type Speech } from './speech.js';
import { StreamedPeer } from './streamed.js';

/** The transport of a message: bytes in this process, the pipes of another process, or the body of a POST. */
export type TransportName = 'stream' | 'process' | 'http';

/** The response to a message. */
export type Gets =
  | 'nothing'
  /** An error with this code and a matching text, for a request with this id. */
  | { readonly code: number; readonly text?: RegExp; readonly id?: unknown; readonly status?: number }
  /** A result that contains this. */
  | { readonly result: unknown; readonly id?: unknown }
  /** A batch of responses. */
  | { readonly list: readonly object[] };

/** One message, and its expected response. */
export interface MessageRow {
  readonly name: string;
  /** Returns one or more messages, as text. */
  readonly says: (speech: Speech) => string;
  readonly gets: Gets | ((revision: Revision) => Gets);
  /** Default: every transport. */
  readonly over?: readonly TransportName[];
  /** Default: every revision. */
  readonly in?: readonly Revision[];
  /** The HTTP status, if it differs from the one for this response. */
  readonly status?: (revision: Revision) => number;
}

/** Runs each row in its revisions over its transports, and prints the number of cases. */
export function messageTable(title: string, rows: readonly MessageRow[]): void {
  let cases = 0;
  const run = (transport: TransportName, revision: Revision) => {
    const chosen = rows.filter(
      (row) => (row.over ?? transports).includes(transport) && (row.in ?? everyRevision).includes(revision),
    );
    cases += chosen.length;
    if (chosen.length === 0) return;
    describe(`over ${transport}, in ${revision.id}`, () => {
      const hold = holdsOver[transport](revision);
      it.each(chosen.map((row) => [row.name, row] as const))('%s', (_name, row) => hold(row));
    });
  };
  endLater();
  describe(title, () => {
    for (const revision of everyRevision) {
      run('stream', revision);
      run('process', revision);
      if (revision.rules.resumable || revision.lifecycle === 'stateless') run('http', revision);
    }
    counted(title, () => cases);
  });
}

type Hold = (row: MessageRow) => Promise<void>;

const holdsOver: Readonly<Record<TransportName, (revision: Revision) => Hold>> = {
  stream: overStream,
  process: overProcess,
  http: overHttp,
};

const transports: readonly TransportName[] = ['stream', 'process', 'http'];

/** A new peer for each row, and a second peer on the same server that must not be affected. */
function overStream(revision: Revision): Hold {
  const wrong: unknown[] = [];
  const server = createSubject({ onError: (error) => wrong.push(error) });
  let neighbour: StreamedPeer;
  beforeAll(async () => {
    neighbour = await StreamedPeer.connect(server, revision);
    await neighbour.open();
  });
  afterAll(() => neighbour.close());
  return async (row) => {
    const peer = await StreamedPeer.connect(server, revision);
    await peer.open();
    await holdLines(peer, row);
    await neighbour.isServed();
    expect(neighbour.frames).toEqual([]);
    expect(wrong.filter(isOwnFault)).toEqual([]);
    await peer.close();
  };
}

const processes = new Map<Revision, Promise<SpawnedPeer>>();
const endings: (() => Promise<unknown>)[] = [];
let endsLater = false;

/** One peer for all rows: each row must leave the process and the session usable. */
function overProcess(revision: Revision): Hold {
  return async (row) => {
    let peer = processes.get(revision);
    if (peer === undefined) {
      peer = weighedProcess(revision);
      processes.set(revision, peer);
    }
    await holdLines(await peer, row);
  };
}

async function weighedProcess(revision: Revision): Promise<SpawnedPeer> {
  const peer = await new SpawnedPeer(revision).open();
  await peer.isServed();
  const before = await peer.weigh();
  endings.push(async () => {
    expect((await peer.weigh()) - before).toBeLessThan(8 * 2 ** 20);
    expect(await peer.close()).toEqual([0, null]);
    expect(peer.complaints).toBe('');
  });
  return peer;
}

/** After all rows in a file, checks that the memory of the server did not grow, and that it exits normally. */
function endLater(): void {
  if (endsLater) return;
  endsLater = true;
  afterAll(async () => {
    try {
      await Promise.all(endings.map((end) => end()));
    } finally {
      killChildren();
      processes.clear();
      endings.length = 0;
      endsLater = false;
    }
  });
}

async function holdLines(peer: LinePeer, row: MessageRow): Promise<void> {
  peer.frames.length = 0;
  peer.write(row.says(peer.speech));
  const gets = getsOf(row, peer.speech.revision);
  if (gets !== 'nothing') await peer.count(1);
  await peer.isServed();
  expectFrames(peer.frames, gets);
}

function overHttp(revision: Revision): Hold {
  const wrong: unknown[] = [];
  let serving: HttpServing;
  let peer: PostingPeer;
  beforeAll(async () => {
    serving = await serveHttp(createSubject({ onError: (error) => wrong.push(error) }));
    peer = await new PostingPeer(revision, serving.url).open();
  });
  afterAll(async () => {
    peer.close();
    await serving.close();
  });
  return async (row) => {
    const gets = getsOf(row, revision);
    const response = await peer.post(row.says(peer.speech));
    expectFrames(framesOf(response), gets);
    expect(response.status).toBe(row.status?.(revision) ?? statusOf(gets, revision));
    await peer.isServed();
    expect(wrong.filter(isOwnFault)).toEqual([]);
  };
}

function getsOf({ gets }: MessageRow, revision: Revision): Gets {
  return typeof gets === 'function' ? gets(revision) : gets;
}

function expectFrames(frames: readonly Frame[], gets: Gets): void {
  if (gets === 'nothing') expect(frames).toEqual([]);
  else if ('list' in gets) expect(frames).toMatchObject([gets.list]);
  else if ('result' in gets) {
    expect(frames).toMatchObject([{ id: gets.id ?? 1, result: gets.result }]);
  } else {
    expect(frames).toMatchObject([{ error: { code: gets.code } }]);
    const [frame] = frames;
    if ('id' in gets) expect(frame?.id ?? undefined).toBe(gets.id);
    expect(frame?.error?.message).toMatch(gets.text ?? /^.{1,300}$/);
    // Errors quote a peer's message only shortened, if at all.
    expect(JSON.stringify(frame).length).toBeLessThan(9_000);
  }
}

/** The status as a literal, independent of the code under test. */
function statusOf(gets: Gets, revision: Revision): number {
  if (gets === 'nothing') return 202;
  if (!('code' in gets)) return 200;
  if (gets.status !== undefined) return gets.status;
  if (gets.code === -32700 || gets.code === -32600) return 400;
  return gets.code === -32601 && revision.lifecycle === 'stateless' ? 404 : 200;
}

/** True if an error is a bug of the server and not caused by the message. */
function isOwnFault(error: unknown): boolean {
  return !(error instanceof Error) || ['TypeError', 'RangeError', 'ReferenceError'].includes(error.name);
}
