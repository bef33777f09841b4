import { ErrorCode, latestHandshake, latestStateless, type Revision } from '@tenon/mcp-protocol';
import { revision20250326 } from '@tenon/mcp-protocol/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { HttpPeer, messagesOf } from '../../test/http-peer.js';
import { Old } from '../../test/old-peer.js';
import { handshakeRevisions, type WireMessage, WirePeer } from '../../test/wire-peer.js';
import { toFetchHandler } from '../fetch.js';
import { type ServeHttpOptions, serveHttp } from '../http.js';
import { createServer } from '../server.js';
import { sseMount } from '../sse.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const limits = { exchanges: 6, exchangesPerPrincipal: 4 };

/** One request of each kind that runs a handler of the author; all of them wait until a test lets them go. */
const kinds = [
  ['a tool call', 'tools/call', { name: 'hold' }],
  ['a read', 'resources/read', { uri: 'hold://one' }],
  ['a read by a template', 'resources/read', { uri: 'held://two' }],
  ['a list', 'resources/list', {}],
  ['a prompt', 'prompts/get', { name: 'hold', arguments: { word: 'x' } }],
  [
    'a completion',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'hold' }, argument: { name: 'word', value: 'x' } },
  ],
] as const;

/** A server with handlers that run until a test ends them. */
class Works {
  running = 0;
  answered = 0;
  readonly clock = new FakeClock();
  readonly server;
  readonly #ends = new Set<() => void>();

  constructor(limits: { readonly inFlight?: number } = {}) {
    const hold = <T>(value: T) => this.#hold(value);
    this.server = createServer(
      { name: 'test', version: '1' },
      { rates: false, clock: this.clock, onError: () => undefined, limits },
    )
      .tool('hold', {}, () => hold('done'))
      .tool('stubborn', { timeout: 2_000 }, () => hold('done'))
      .tool('at-once', {}, () => 'done')
      .resource('hold://one', { name: 'one' }, () => hold('done'))
      .resource('held://{name}', { name: 'held', list: () => hold([]) }, () => hold('done'))
      .prompt('hold', { args: z.object({ word: z.string() }), complete: { word: () => hold(['x']) } }, () =>
        hold('done'),
      );
    onTestFinished(() => this.letGo());
  }

  /** Works until it is let go. */
  work(): Promise<void> {
    return this.#hold(undefined);
  }

  letGo(count = Number.POSITIVE_INFINITY): void {
    for (const end of [...this.#ends].slice(0, count)) end();
  }

  /** Sends so many requests, and waits until each of them is answered or at work. */
  async burst(count: number, send: (index: number) => Promise<WireMessage>): Promise<WireMessage[]> {
    const [before, running] = [this.answered, this.running];
    const answers: WireMessage[] = [];
    for (let index = 0; index < count; index++) {
      void send(index).then((answer) => {
        answers.push(answer);
        this.answered++;
      });
    }
    while (this.answered - before + this.running - running < count) await settled();
    return answers;
  }

  #hold<T>(value: T): Promise<T> {
    this.running++;
    return new Promise((resolve) => {
      const end = () => {
        this.running--;
        this.#ends.delete(end);
        resolve(value);
      };
      this.#ends.add(end);
    });
  }
}

type Ask = (index: number, method: string, params: object) => Promise<WireMessage>;

/** A server over HTTP in the bounds of these tests. */
async function serve(works: Works, options: ServeHttpOptions = {}) {
  const serving = await serveHttp(works.server, { limits, ...options });
  onTestFinished(async () => {
    works.letGo();
    await serving.close();
  });
  return serving;
}

async function overHttp(works: Works, revision: Revision, options: ServeHttpOptions = {}): Promise<Ask> {
  const { url } = await serve(works, options);
  const peers = await Promise.all([1, 2, 3].map(() => HttpPeer.open(url, { revision })));
  return (index, method, params) => (peers[index % 3] as HttpPeer).request(method, { ...params });
}

async function overFetch(works: Works, revision: Revision, facts?: { remoteAddress: string }): Promise<Ask> {
  const handler = toFetchHandler(works.server, { limits });
  const call: typeof fetch = (input, init) => handler.serve(new Request(input, init), facts ?? {});
  const options = { revision, fetch: call };
  const peers = await Promise.all([1, 2, 3].map(() => HttpPeer.open('http://localhost/mcp', options)));
  return (index, method, params) =>
    (peers[facts === undefined ? 0 : index % 3] as HttpPeer).request(method, { ...params });
}

const withSessions = handshakeRevisions.filter(({ rules }) => rules.resumable);
const address = { remoteAddress: '203.0.113.7' };

const ways: readonly (readonly [string, (works: Works) => Promise<Ask>])[] = [
  ...withSessions.map(
    (revision) => [`sessions of ${revision.id}`, (works: Works) => overHttp(works, revision)] as const,
  ),
  ['requests outside sessions', (works) => overHttp(works, latestStateless)],
  ['sessions: false', (works) => overHttp(works, latestHandshake, { sessions: false })],
  ['sessions of the fetch face', (works) => overFetch(works, latestHandshake, address)],
  ['requests outside sessions of the fetch face', (works) => overFetch(works, latestStateless, address)],
  ['sessions of HTTP+SSE, in the bounds of the server they are mounted at', overSse],
  ['one session of a caller that nothing is known of', (works) => overFetch(works, latestHandshake)],
];

async function overSse(works: Works): Promise<Ask> {
  const { url } = await serve(works, { mounts: [sseMount(works.server)] });
  const peers = await Promise.all([1, 2, 3].map(() => Old.open(new URL(url).origin)));
  let id = 0;
  return (index, method, params) => (peers[index % 3] as Old).ask(`request ${++id}`, method, params);
}

describe.each(ways)('over %s', (_, open) => {
  test.each(kinds)('%s counts as work in flight of its caller', async (_name, method, params) => {
    const works = new Works();
    const ask = await open(works);
    const refused = await works.burst(9, (index) => ask(index, method, params));
    expect(works.running).toBe(4);
    expect(refused.map(({ error }) => error?.code)).toEqual(Array(5).fill(ErrorCode.overloaded));
    expect(refused[0]?.error?.message).toBe(
      '4 requests of yours are still worked on, those that were stopped included. Try again later.',
    );
    works.letGo(1);
    await settled();
    expect(await works.burst(2, (index) => ask(index, method, params))).toHaveLength(1);
  });

  test('a call that waits in middleware counts too', async () => {
    const works = new Works();
    works.server.use(async (call, next) => {
      if (call.method === 'tools/call') await works.work();
      return next();
    });
    const ask = await open(works);
    expect(await works.burst(9, (index) => ask(index, 'tools/call', { name: 'at-once' }))).toHaveLength(5);
  });

  test('a handler that works on after its time was up counts until it ends', async () => {
    const works = new Works();
    const ask = await open(works);
    const answers = await works.burst(4, (index) => ask(index, 'tools/call', { name: 'stubborn' }));
    for (let passed = 0; passed < 2_200; passed += 100) await works.clock.advance(100);
    while (answers.length < 4) await settled();
    const late = await ask(0, 'tools/call', { name: 'at-once' });
    expect(late.error?.code).toBe(ErrorCode.overloaded);
    works.letGo(1);
    await settled();
    expect((await ask(0, 'tools/call', { name: 'at-once' })).result).toBeDefined();
  });
});

const hold = { name: 'hold' };

describe('work in flight over HTTP', () => {
  test('is one budget for requests outside sessions, sessions, batches and HTTP+SSE', async () => {
    const works = new Works();
    const { url } = await serve(works, { mounts: [sseMount(works.server)] });
    const modern = await HttpPeer.open(url, { revision: latestStateless });
    const session = await HttpPeer.open(url, { revision: latestHandshake });
    const batching = await HttpPeer.open(url, { revision: revision20250326 });
    const old = await Old.open(new URL(url).origin);
    await works.burst(1, () => modern.request('tools/call', hold));
    await works.burst(1, () => session.request('tools/call', hold));
    await works.burst(1, () => old.ask('a', 'tools/call', hold));
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: hold });
    const batch = batching.post([call(1), call(2), call(3)]);
    while (works.running < 4) await settled();
    for (const ask of [
      () => modern.request('tools/call', hold),
      () => session.request('resources/read', { uri: 'hold://one' }),
      () => old.ask('b', 'tools/call', hold),
    ])
      expect((await ask()).error?.code).toBe(ErrorCode.overloaded);
    works.letGo();
    const answers = (await (await batch).json()) as WireMessage[];
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      ErrorCode.overloaded,
      ErrorCode.overloaded,
    ]);
  });

  test('is refused with 503, an id and when to come back, and neither a session nor its messages begin', async () => {
    const works = new Works();
    const { url } = await serve(works, { limits: { exchanges: 2 } });
    const modern = await HttpPeer.open(url, { revision: latestStateless });
    const session = await HttpPeer.open(url, { revision: latestHandshake });
    await works.burst(2, () => session.request('tools/call', hold));
    const refused = await modern.send('tools/call', hold);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await messagesOf(refused)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: ErrorCode.overloaded, message: '2 requests are still worked on; try again later.' },
      },
    ]);
    const opening = {
      protocolVersion: latestHandshake.id,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening };
    const late = await new HttpPeer(url).post(initialize);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    expect(late.headers.get('mcp-session-id')).toBeNull();
    const inside = await session.send('tools/call', hold);
    expect(inside.status).toBe(200);
    expect((await messagesOf(inside))[0]?.error?.code).toBe(ErrorCode.overloaded);
  });

  test('is counted for a principal wherever it calls from, else for the address', async () => {
    const works = new Works();
    const handler = toFetchHandler(works.server, { limits: { exchangesPerPrincipal: 2 } });
    const from = async (remoteAddress: string, who?: string) => {
      const given = who === undefined ? { remoteAddress } : { remoteAddress, principal: { id: who } };
      const call: typeof fetch = (input, init) => handler.serve(new Request(input, init), given);
      return HttpPeer.open('http://localhost/mcp', { revision: latestStateless, fetch: call });
    };
    const ann = [await from('203.0.113.1', 'ann'), await from('203.0.113.2', 'ann')] as const;
    await works.burst(2, (index) => ann[(index % 2) as 0 | 1].request('tools/call', hold));
    expect((await ann[1].request('tools/call', hold)).error?.code).toBe(ErrorCode.overloaded);
    for (const other of [
      await from('203.0.113.1', 'bob'),
      await from('203.0.113.1'),
      await from('["","ann"]'),
    ])
      expect((await other.request('tools/call', { name: 'at-once' })).result).toBeDefined();
    works.letGo(1);
    await settled();
    expect((await ann[0].request('tools/call', { name: 'at-once' })).result).toBeDefined();
  });

  test('goes on when its client is gone, or its session has ended', async () => {
    const works = new Works();
    const { url } = await serve(works, { limits: { exchangesPerPrincipal: 2 } });
    const session = await HttpPeer.open(url, { revision: latestHandshake });
    void session.send('tools/call', hold).catch(() => undefined);
    const leaving = new AbortController();
    const stateless = await HttpPeer.open(url, {
      revision: latestStateless,
      fetch: (input, init) => fetch(input, { ...init, signal: leaving.signal }),
    });
    const left = stateless.send('tools/call', hold).catch(() => undefined);
    while (works.running < 2) await settled();
    expect((await session.delete()).status).toBe(204);
    leaving.abort();
    await left;
    const next = await HttpPeer.open(url, { revision: latestStateless });
    expect((await next.request('tools/call', { name: 'at-once' })).error?.code).toBe(ErrorCode.overloaded);
    works.letGo(1);
    await settled();
    expect((await next.request('tools/call', { name: 'at-once' })).result).toBeDefined();
  });

  test('leaves listen streams to a bound of their own', async () => {
    const works = new Works();
    const { url } = await serve(works, { limits: { exchangesPerPrincipal: 1 } });
    const peer = await HttpPeer.open(url, { revision: latestStateless });
    const streams = await Promise.all(
      [1, 2].map(() => peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } })),
    );
    for (const stream of streams) expect(stream.status).toBe(200);
    expect((await peer.request('tools/call', { name: 'at-once' })).result).toBeDefined();
    await Promise.all(streams.map((stream) => stream.body?.cancel()));
  });

  test('includes a handler that goes on after its call has ended with an input request', async () => {
    const works = new Works();
    works.server.tool('deaf', {}, async (_, ctx) => {
      const asked = ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
      await asked.catch(() => works.work());
      return 'done';
    });
    const { url } = await serve(works, { limits: { exchangesPerPrincipal: 1 } });
    const capabilities = { elicitation: { form: {} } };
    const peer = await HttpPeer.open(url, { revision: latestStateless, capabilities });
    const asked = peer.request('tools/call', { name: 'deaf' });
    while (works.running === 0) await settled();
    await works.clock.advance(1_000);
    expect((await asked).result?.resultType).toBe('input_required');
    expect((await peer.request('tools/call', { name: 'at-once' })).error?.code).toBe(ErrorCode.overloaded);
    works.letGo();
    await settled();
    expect((await peer.request('tools/call', { name: 'at-once' })).result).toBeDefined();
  });
});

describe('work in flight of a connection', () => {
  test.each(kinds)('%s counts: the connection is the caller', async (_name, method, params) => {
    const works = new Works({ inFlight: 4 });
    const peer = await WirePeer.open(works.server, latestHandshake);
    expect(await works.burst(9, () => peer.request(method, params))).toHaveLength(5);
  });
});
