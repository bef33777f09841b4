import { logLevels } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { handshakeRevisions, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const logLevel = 'io.modelcontextprotocol/logLevel';

const server = createServer(info).tool('chatty', {}, (_, ctx) => {
  for (const level of logLevels) ctx.log(level, { level }, 'chat');
  return 'done';
});

const levelsHeard = (peer: WirePeer) =>
  peer.received.flatMap((one) => (one.method === 'notifications/message' ? [one.params?.level] : []));

describe.each(handshakeRevisions)('in $id', (revision) => {
  test('a session hears info and above until it chooses', async () => {
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 'chatty' });
    expect(levelsHeard(peer)).toEqual(logLevels.slice(1));
    peer.received.length = 0;
    await peer.request('logging/setLevel', { level: 'critical' });
    await peer.request('tools/call', { name: 'chatty' });
    expect(levelsHeard(peer)).toEqual(['critical', 'alert', 'emergency']);
    expect((await peer.heard('notifications/message')).params).toEqual({
      level: 'critical',
      logger: 'chat',
      data: { level: 'critical' },
    });
  });

  test('an unknown level is invalid params', async () => {
    const peer = await WirePeer.open(server, revision);
    const answer = await peer.request('logging/setLevel', { level: 'loud' });
    expect(answer.error?.code).toBe(-32602);
    expect(answer.error?.message).toContain('params.level: expected one of "debug"');
  });
});

test('without a session only a request that asks for log messages hears them', async () => {
  const peer = await WirePeer.open(server, latestStateless);
  await peer.request('tools/call', { name: 'chatty' });
  expect(levelsHeard(peer)).toEqual([]);
  await peer.request('tools/call', { name: 'chatty' }, { [logLevel]: 'alert' });
  expect(levelsHeard(peer)).toEqual(['alert', 'emergency']);
  expect((await peer.request('logging/setLevel', { level: 'info' })).error?.code).toBe(-32601);
});

test('what belongs to no request reaches sessions that want it', async () => {
  const one = createServer(info);
  const peer = await WirePeer.open(one);
  const wise = await WirePeer.open(one);
  await wise.request('logging/setLevel', { level: 'error' });
  one.log('warning', 'careful');
  await wise.request('ping');
  await peer.request('ping');
  expect(levelsHeard(peer)).toEqual(['warning']);
  expect(levelsHeard(wise)).toEqual([]);
});

test('a server that does not log does not say so, nor log', async () => {
  const mute = createServer(info, { logging: false }).tool('chatty', {}, (_, ctx) => {
    ctx.log('emergency', 'x');
    return 'done';
  });
  const peer = await WirePeer.open(mute);
  expect((await peer.next((one) => one.id === 1)).result?.capabilities).toEqual({
    tools: { listChanged: true },
  });
  await peer.request('tools/call', { name: 'chatty' });
  expect(levelsHeard(peer)).toEqual([]);
});
