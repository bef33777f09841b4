import type { Revision } from '@tenon/mcp-protocol';
import { revision20250326 } from '@tenon/mcp-protocol/internal';
import type { ServeHttpOptions } from '@tenon/mcp-server/http';
import { afterEach, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import { HttpPlace } from './http-place.js';
import { framesOf } from './posting.js';
import { everyRevision, handshakes, oneOfEachKind, textOf } from './speech.js';
import { StreamedPeer } from './streamed.js';

const overHttp = [...handshakes.filter((one) => one.rules.resumable), oneOfEachKind[1] as Revision];
const turn = () => new Promise((resolve) => setImmediate(resolve));
let place: HttpPlace | undefined;
let cases = 0;

afterEach(async () => {
  await place?.close();
  place = undefined;
});

function each(
  name: string,
  revisions: readonly Revision[],
  body: (revision: Revision) => Promise<void>,
): void {
  cases += revisions.length;
  it.each(revisions.map((one) => [one.id, one] as const))(`${name} (%s)`, (_id, revision) => body(revision));
}

/** A server that allows ten requests per address, and reads the address from the requests. */
async function served(options: ServeHttpOptions = {}): Promise<HttpPlace> {
  place = await HttpPlace.open({
    limits: { exchanges: 50, exchangesPerPrincipal: 10 },
    remoteAddress: ({ header }) => header('x-from') ?? '203.0.113.1',
    ...options,
  });
  return place;
}

const neighbour = { 'x-from': '203.0.113.2' };

/** Sends a hundred calls of ten peers with one address. Returns the codes of the rejected ones, when ten are left. */
async function flood(at: HttpPlace, revision: Revision): Promise<() => Promise<unknown[]>> {
  const peers = await Promise.all(Array.from({ length: 10 }, () => at.peer(revision).open()));
  const sockets = await Promise.all(Array.from({ length: 100 }, () => at.socket()));
  const answers: unknown[] = [];
  const all = sockets.map(async (socket, id) => {
    const peer = peers[id % 10];
    socket.write(peer?.text(peer.speech.call(id, 'hold')) ?? '');
    const [frame] = framesOf(await socket.count(1));
    answers.push(frame?.error?.code ?? textOf(frame as never));
  });
  while (answers.length < 90) await turn();
  return async () => {
    await Promise.all(all);
    return answers;
  };
}

describe('a hundred calls from one address', () => {
  each('over ten peers: ten run, and another address is served', overHttp, async (revision) => {
    const at = await served();
    const finish = await flood(at, revision);
    expect(await (await at.peer(revision, neighbour).open()).call('let-go')).toBe('10');
    expect(await finish()).toEqual([...Array(90).fill(-31001), ...Array(10).fill('let go')]);
  });

  each('without sessions: ten run', overHttp, async (revision) => {
    const at = await served({ sessions: false });
    const finish = await flood(at, revision);
    expect(await (await at.peer(revision, neighbour).open()).call('let-go')).toBe('10');
    expect(await finish()).toEqual([...Array(90).fill(-31001), ...Array(10).fill('let go')]);
  });

  each('in one batch: ten run, and each is answered', [revision20250326], async (revision) => {
    const at = await served();
    const peer = await at.peer(revision).open();
    const calls = Array.from({ length: 100 }, (_, id) => peer.speech.call(id, 'hold'));
    const socket = await at.socket();
    socket.write(peer.text(`[${calls.join(',')}]`));
    const other = await at.peer(revision, neighbour).open();
    let held: string | undefined;
    while (held !== '10') held = await other.call('let-go');
    const frames = JSON.parse((await socket.count(1)).body) as {
      readonly error?: { readonly code: number };
    }[];
    expect(frames.map(({ error }) => error?.code)).toEqual([
      ...Array(10).fill(undefined),
      ...Array(90).fill(-31001),
    ]);
  });
});

describe('over stdio', () => {
  for (const method of ['tools/list', 'tools/call', 'ping'] as const) {
    each(`as many requests wait as a connection may have: ${method}`, everyRevision, async (revision) => {
      if (!revision.requests.client.has(method)) return;
      const server = createSubject({ limits: { inFlight: 10 } });
      const waiting = new Set<() => void>();
      server.use(async (request, next) => {
        if (request.method === method) await new Promise<void>((resolve) => waiting.add(resolve));
        return next();
      });
      const peer = await (await StreamedPeer.connect(server, revision)).open();
      const params = { name: 'echo', arguments: { text: 'x' } };
      const ask = (id: number) => peer.speech.request(id, method, method === 'tools/call' ? params : {});
      await peer.pour(`${Array.from({ length: 30 }, (_, id) => ask(id)).join('\n')}\n`);
      const refused = (await peer.count(20)).map(({ error }) => error?.code);
      expect([refused, waiting.size]).toEqual([Array(20).fill(-31001), 10]);
      peer.frames.length = 0;
      for (const go of waiting) go();
      expect((await peer.count(10)).every(({ error }) => error === undefined)).toBe(true);
      await peer.close();
    });
  }
});

counted('work in flight', () => cases);
