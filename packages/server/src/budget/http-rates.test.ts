import { latestHandshake } from '@tenon/mcp-protocol';
import { revision20250326 } from '@tenon/mcp-protocol/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { HttpPeer, type HttpPeerOptions, messagesOf } from '../../test/http-peer.js';
import { everyRevision, latestStateless } from '../../test/wire-peer.js';
import { toFetchHandler } from '../fetch.js';
import { type ServeHttpOptions, serveHttp } from '../http.js';
import { createServer } from '../server.js';

const overHttp = everyRevision.filter((one) => one.lifecycle === 'stateless' || one.rules.resumable);

function make(clock = new FakeClock()) {
  return createServer(
    { name: 'test', version: '1' },
    { rates: { calls: { perSecond: 0.4, burst: 2 } }, clock },
  )
    .tool('hello', {}, () => 'Hello')
    .tool('steps', {}, (_, ctx) => {
      ctx.progress(1);
      return 'done';
    });
}

async function serve(options: ServeHttpOptions = {}) {
  const serving = await serveHttp(make(), options);
  onTestFinished(() => serving.close());
  return (given: HttpPeerOptions = {}) => HttpPeer.open(serving.url, given);
}

const hello = { name: 'hello' };
const statuses = async (peer: HttpPeer, times: number) => {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    const response = await peer.send('tools/call', hello);
    await response.text();
    found.push(response.status);
  }
  return found;
};

describe.each(overHttp)('in $id', (revision) => {
  test('a refusal has a status and tells when to come back, in whole seconds', async () => {
    showsBy(revision.id, {
      '2025-11-25': '2024-11-05/server/tools/rate-limited',
      '2026-07-28': '2026-07-28/server/tools/rate-limit',
    });
    const peer = await (await serve())({ revision });
    expect(await statuses(peer, 2)).toEqual([200, 200]);
    const response = await peer.send('tools/call', hello);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('3');
    expect((await messagesOf(response))[0]?.error).toEqual({
      code: -31004,
      message: 'Too many tool calls: try again in 3 s.',
      data: { retryAfterMs: 2_500 },
    });
  });

  test('unknown callers share the rate of their address, in all their sessions', async () => {
    const open = await serve();
    const [first, second] = [await open({ revision }), await open({ revision })];
    expect(await statuses(first, 2)).toEqual([200, 200]);
    expect(await statuses(second, 1)).toEqual([429]);
    expect(await statuses(await open({ revision }), 1)).toEqual([429]);
  });

  test('principals have a rate each, wherever they call from', async () => {
    const open = await serve({ authenticate: ({ header }) => ({ id: header('x-user') ?? '' }) });
    const as = async (user: string) => {
      const headers = { 'x-user': user };
      return open({
        revision,
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }),
      });
    };
    expect(await statuses(await as('ann'), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await as('bob'), 1)).toEqual([200]);
    expect(await statuses(await as('ann'), 1)).toEqual([429]);
  });

  test('behind a proxy the operator tells where a request comes from', async () => {
    const open = await serve({ remoteAddress: ({ header }) => header('x-real-ip') });
    const from = async (address: string) => {
      const headers = { 'x-real-ip': address };
      return open({
        revision,
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } }),
      });
    };
    expect(await statuses(await from('203.0.113.1'), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await from('203.0.113.2'), 1)).toEqual([200]);
    expect(await statuses(await from('2001:db8::1'), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await from('2001:db8::2'), 1)).toEqual([429]);
  });

  test('revisions with a handshake that are given no session are limited by address too', async () => {
    const open = await serve({ sessions: false });
    expect(await statuses(await open({ revision }), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await open({ revision }), 1)).toEqual([429]);
  });

  test('a fetch runtime that tells no address has a rate for each session, and none without', async () => {
    const handler = toFetchHandler(make());
    const open = () =>
      HttpPeer.open('http://localhost/mcp', {
        revision,
        fetch: (url, init) => handler(new Request(url, init)),
      });
    const expected = revision.lifecycle === 'handshake' ? 429 : 200;
    expect(await statuses(await open(), 3)).toEqual([200, 200, expected]);
    expect(await statuses(await open(), 1)).toEqual([200]);
  });

  test('a fetch runtime that tells the address has a rate for each', async () => {
    const handler = toFetchHandler(make());
    const from = (remoteAddress: string) =>
      HttpPeer.open('http://localhost/mcp', {
        revision,
        fetch: (url, init) => handler.serve(new Request(url, init), { remoteAddress }),
      });
    expect(await statuses(await from('203.0.113.1'), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await from('203.0.113.2'), 1)).toEqual([200]);
    expect(await statuses(await from('2001:db8::1'), 3)).toEqual([200, 200, 429]);
    expect(await statuses(await from('2001:db8::2'), 1)).toEqual([429]);
  });
});

test.each([
  ['with sessions', {}],
  ['without sessions', { sessions: false as const }],
])('a batch is answered as a whole, whatever is refused in it, %s', async (_, options) => {
  const peer = await (await serve(options))({ revision: revision20250326 });
  const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: hello }));
  const response = await peer.post(batch);
  expect(response.status).toBe(200);
  const answers = (await response.json()) as { error?: { code: number } }[];
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, -31004]);
});

test('reports an error in the address function only to the operator', async () => {
  const errors: unknown[] = [];
  const remoteAddress = () => {
    throw new Error('secret detail');
  };
  const onError = (error: unknown, where: string) => errors.push([where, (error as Error).message]);
  const peer = await (await serve({ remoteAddress, onError }))({ revision: latestStateless });
  const response = await peer.send('tools/call', hello);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
  expect(errors).toEqual([['remoteAddress', 'secret detail']]);
});

test('counts only calls', async () => {
  const peer = await (await serve())({ revision: latestHandshake });
  for (let time = 0; time < 10; time++) expect((await peer.send('tools/list')).status).toBe(200);
});
