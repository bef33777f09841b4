import { UrlElicitationRequiredError } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const url = 'https://example.com/pay';
const server = createServer({ name: 'test', version: '1' })
  .tool('visit', {}, async (_, ctx) => {
    const { action } = await ctx.elicitUrl('pay', { message: 'Pay', url, elicitationId: 'visit-1' });
    return action;
  })
  .tool('blocked', {}, () => {
    throw new UrlElicitationRequiredError([{ elicitationId: 'visit-2', message: 'Pay', url }]);
  });
const urls = { elicitation: { url: {} } };

test('notifies only the client with the elicitation that it is complete, once', async () => {
  const peer = await WirePeer.open(server, latestHandshake, urls);
  const other = await WirePeer.open(server, latestHandshake, urls);
  expect(server.elicitationCompleted('visit-1')).toBe(false);
  const call = peer.request('tools/call', { name: 'visit' });
  const asked = await peer.heard('elicitation/create');
  expect(asked.params?.elicitationId).toBe('visit-1');
  peer.answer(asked.id, { action: 'accept' });
  await call;
  expect(server.elicitationCompleted('visit-1')).toBe(true);
  expect(server.elicitationCompleted('visit-1')).toBe(false);
  expect((await peer.heard('notifications/elicitation/complete')).params).toEqual({
    elicitationId: 'visit-1',
  });
  await other.request('ping');
  expect(other.received.filter((one) => one.method === 'notifications/elicitation/complete')).toEqual([]);
});

test('notifies a session that received the id in an error', async () => {
  const peer = await WirePeer.open(server, latestHandshake, urls);
  expect((await peer.request('tools/call', { name: 'blocked' })).error?.code).toBe(-32042);
  expect(server.elicitationCompleted('visit-2')).toBe(true);
  expect((await peer.heard('notifications/elicitation/complete')).params).toEqual({
    elicitationId: 'visit-2',
  });
});

test('sends no notification in a revision without such ids', async () => {
  const peer = await WirePeer.open(server, latestStateless, urls);
  const { result } = await peer.request('tools/call', { name: 'visit' });
  expect(result?.inputRequests?.pay?.params).toEqual({ mode: 'url', message: 'Pay', url });
  expect(server.elicitationCompleted('visit-1')).toBe(false);
});
