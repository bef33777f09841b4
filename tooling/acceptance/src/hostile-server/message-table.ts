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

/** How a message gets to the server: bytes in this process, the pipes of another process, the body of a POST. */
export type Carrier = 'stream' | 'process' | 'http';

/** What comes back for a message. */
export type Gets =
  | 'nothing'
  /** An error with this code, in words such as these, for a request with this id. */
  | { readonly code: number; readonly text?: RegExp; readonly id?: unknown; readonly status?: number }
  /** A result that has this in it. */
  | { readonly result: unknown; readonly id?: unknown }
  /** A list of answers. */
  | { readonly list: readonly object[] };

/** One message, and what becomes of it. */
export interface MessageRow {
  readonly name: string;
  /** A message, or several, as text. */
  readonly says: (speech: Speech) => string;
  readonly gets: Gets | ((revision: Revision) => Gets);
  /** Every carrier by default. */
  readonly over?: readonly Carrier[];
  /** Every revision by default. */
  readonly in?: readonly Revision[];
  /** Status over HTTP, where it is not the one that goes with what comes back. */
  readonly status?: (revision: Revision) => number;
}

/** Runs each row in its revisions over its carriers, and prints how many cases that were. */
export function messageTable(title: string, rows: readonly MessageRow[]): void {
  let cases = 0;
  const run = (carrier: Carrier, revision: Revision) => {
    const chosen = rows.filter(
      (row) => (row.over ?? carriers).includes(carrier) && (row.in ?? everyRevision).includes(revision),
    );
    cases += chosen.length;
    if (chosen.length === 0) return;
    describe(`over ${carrier}, in ${revision.id}`, () => {
      const hold = holders[carrier](revision);
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

const holders: Readonly<Record<Carrier, (revision: Revision) => Hold>> = {
  stream: overStream,
  process: overProcess,
  http: overHttp,
};

const carriers: readonly Carrier[] = ['stream', 'process', 'http'];

/** A peer of its own for each row, and a neighbour on the same server that must not notice. */
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

/** One peer for all rows: each leaves the process and the conversation fit for the next. */
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

/** Once everything in a file has run, what served it weighs no more than before, and ends well. */
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
    // What a peer sent comes back cut short, if at all.
    expect(JSON.stringify(frame).length).toBeLessThan(9_000);
  }
}

/** Literal, and not asked of the code that is held to it. */
function statusOf(gets: Gets, revision: Revision): number {
  if (gets === 'nothing') return 202;
  if (!('code' in gets)) return 200;
  if (gets.status !== undefined) return gets.status;
  if (gets.code === -32700 || gets.code === -32600) return 400;
  return gets.code === -32601 && revision.lifecycle === 'stateless' ? 404 : 200;
}

/** Whether an error is one of the code itself rather than of what it was sent. */
function isOwnFault(error: unknown): boolean {
  return !(error instanceof Error) || ['TypeError', 'RangeError', 'ReferenceError'].includes(error.name);
}
