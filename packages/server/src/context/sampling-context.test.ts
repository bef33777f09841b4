import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const messages = [{ role: 'user', content: { type: 'text', text: '?' } }] as const;
const sampling = (includeContext?: 'none' | 'thisServer' | 'allServers') =>
  createServer({ name: 'test', version: '1' }, { onError: () => undefined }).tool('t', {}, async (_, ctx) => {
    await ctx.sample('s', { messages, maxTokens: 1, ...(includeContext && { includeContext }) });
    return 'done';
  });

test('no context is asked for unless an author asks', async () => {
  shows('2026-07-28/client/sampling/context-avoided');
  const peer = await WirePeer.open(sampling(), revision, { sampling: { context: {} } });
  const { result } = await peer.request('tools/call', { name: 't' });
  expect(result?.inputRequests?.s?.params).toEqual({ messages, maxTokens: 1 });
});

test.each(['thisServer', 'allServers'] as const)(
  'a context that the client did not declare is not asked for: %s',
  async (includeContext) => {
    shows('2026-07-28/client/sampling/context-undeclared');
    const peer = await WirePeer.open(sampling(includeContext), revision, { sampling: {} });
    const { result } = await peer.request('tools/call', { name: 't' });
    expect(result?.inputRequests?.s?.params?.includeContext ?? 'none').toBe('none');
    const able = await WirePeer.open(sampling(includeContext), revision, { sampling: { context: {} } });
    const requested = await able.request('tools/call', { name: 't' });
    expect(requested.result?.inputRequests?.s?.params?.includeContext).toBe(includeContext);
  },
);
