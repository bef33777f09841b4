import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const errors: unknown[] = [];
const make = () => createServer(info, { onError: (error) => errors.push(error) });
const contents = [{ uri: 'a://a', text: 'x' }];

describe('what a reader says of caches', () => {
  test.each([
    { ttlMs: 1.5 },
    { ttlMs: '9' },
    { ttlMs: Number.POSITIVE_INFINITY },
    { cacheScope: 'everybody' },
  ])('does not leave the server where it is none: %j', async (hints) => {
    shows('2026-07-28/server/utilities/caching/ttl-provided');
    const server = make().resource('a://a', {}, () => ({ contents, ...hints }) as never);
    const peer = await WirePeer.open(server, revision);
    const { result, error } = await peer.request('resources/read', { uri: 'a://a' });
    if (error !== undefined) return expect(error.code).toBe(-32603);
    expect(Number.isSafeInteger(result?.ttlMs) && Number(result?.ttlMs) >= 0).toBe(true);
    expect(['public', 'private']).toContain(result?.cacheScope);
  });
});

test.each(['weird', 'input_required', 7])(
  'a handler gives its result no type of its own: %j',
  async (resultType) => {
    shows('2026-07-28/basic/index/result-type');
    const server = make().tool('t', {}, () => ({ content: [], resultType, requestState: 'mine' }) as never);
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request('tools/call', { name: 't' });
    expect(result?.resultType ?? 'complete').toBe('complete');
  },
);

test('a MIME type that is not a text does not leave the server', async () => {
  const odd = { uri: 'a://a', text: 'x', mimeType: 5 };
  const server = make()
    .resource('a://a', {}, () => odd as never)
    .tool('t', {}, () => ({ type: 'resource', resource: odd }) as never);
  const peer = await WirePeer.open(server, revision);
  await peer.request('resources/read', { uri: 'a://a' });
  await peer.request('tools/call', { name: 't' });
  expect(JSON.stringify(peer.received)).not.toContain('"mimeType":5');
});

test('suggestions that are not texts do not leave the server', async () => {
  const server = make().resource('a://{x}', { complete: { x: () => [1, null, 'a'] as never } }, () => 'x');
  const peer = await WirePeer.open(server, revision);
  const ref = { type: 'ref/resource', uri: 'a://{x}' };
  const answer = await peer.request('completion/complete', { ref, argument: { name: 'x', value: '' } });
  for (const value of (answer.result?.completion?.values as unknown as unknown[]) ?? [])
    expect(value).toBeTypeOf('string');
});
