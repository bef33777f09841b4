import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { HttpPeer, type HttpReplies, modern, sessions } from '../../test/http-peer.js';
import type { Client } from '../client.js';
import type { ClientOptions } from '../options.js';
import type { StateChange } from './connection-supervisor.js';

const done = { content: [] };
const replies: HttpReplies = {
  'tools/call': (call) => call.result(done),
  ping: (call) => call.result({}),
};
const servers = [
  ['2026-07-28', () => modern(replies)],
  ...['2025-11-25', '2025-06-18', '2025-03-26'].map(
    (revision) => [revision, () => sessions(replies, revision)] as const,
  ),
] as const;

/** Connects a client and records its states and errors. */
async function watched(script: ReturnType<typeof modern>, options: Partial<ClientOptions> = {}) {
  const clock = new FakeClock();
  const changes: StateChange[] = [];
  const waiting = new Set<() => void>();
  const errors: [unknown, string][] = [];
  const peer = await HttpPeer.start(script);
  const client = await peer.connect({
    clock,
    random: () => 1,
    onStateChange: (change) => {
      changes.push(change);
      for (const wake of waiting) wake();
    },
    onError: (...error) => errors.push(error),
    ...options,
  });
  const states = () => changes.map(({ state }) => state);
  /** Waits until the client has been in so many states. */
  const changed = async (count: number) => {
    while (changes.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  return { peer, client, clock, changes, states, changed, errors };
}

/** Calls a tool until the state of the client is no longer `open`: the first call may find a connection that has just broken. */
async function callUntilLost(client: Client): Promise<void> {
  for (let calls = 0; calls < 3 && client.state === 'open'; calls++)
    await expect(client.callTool('x')).rejects.toThrow();
  expect(client.state).toBe('reconnecting');
}

describe.each(servers)('a server that leaves its port, in %s', (_, script) => {
  it('makes the client reconnecting, with a report to onError, until it is back', async () => {
    const { peer, client, clock, changes, states, changed, errors } = await watched(script());
    await peer.stop();
    await callUntilLost(client);
    const refused = { name: 'TransportError', message: expect.stringMatching(/ECONNREFUSED/) };
    expect(changes).toMatchObject([{ state: 'open' }, { state: 'reconnecting', reason: refused }]);
    expect(errors).toMatchObject([[refused, 'connection']]);
    await expect(client.callTool('x')).rejects.toThrow('ECONNREFUSED');
    await peer.restart();
    await clock.advance(500);
    await changed(3);
    expect((await client.callTool('x')).isError).toBe(false);
    expect(states()).toEqual(['open', 'reconnecting', 'open']);
    expect(errors).toHaveLength(1);
    expect(peer.heard.filter((name) => name === 'initialize').length).toBeLessThan(2);
  });

  it('makes the client open again with the first call that is answered', async () => {
    const { peer, client, states } = await watched(script());
    await peer.stop();
    await callUntilLost(client);
    await peer.restart();
    expect((await client.callTool('x')).isError).toBe(false);
    expect(states()).toEqual(['open', 'reconnecting', 'open']);
  });

  it('is not tried again with reconnect: false, and found back by a call', async () => {
    const { peer, client, clock } = await watched(script(), { reconnect: false });
    await peer.stop();
    await callUntilLost(client);
    const before = peer.calls.length;
    await peer.restart();
    await clock.advance(120_000);
    expect([client.state, peer.calls.length]).toEqual(['reconnecting', before]);
    await client.callTool('x');
    expect(client.state).toBe('open');
  });
});

it('pauses between attempts grow to maxDelay, and end with the client', async () => {
  const { peer, client, clock } = await watched(modern(replies), {
    reconnect: { delay: 500, maxDelay: 2_000 },
  });
  await peer.stop();
  await callUntilLost(client);
  for (const ms of [500, 1_000, 2_000, 2_000, 2_000]) {
    await clock.armed(ms);
    await clock.advance(ms);
  }
  await clock.armed(2_000);
  await client.close();
  expect(clock.waiting).toEqual([]);
});

it('negotiates again when a server returns with another revision', async () => {
  const { peer, client, clock, states, changed } = await watched(modern(replies));
  await peer.stop();
  await callUntilLost(client);
  const older = sessions(replies);
  peer.script = (call) =>
    call.headers['mcp-protocol-version'] === '2026-07-28'
      ? call.error(400, -32022, { supported: ['2025-11-25'] })
      : older(call);
  await peer.restart();
  await clock.advance(500);
  await changed(4);
  await clock.advance(0);
  await changed(5);
  expect(client.revision).toBe('2025-11-25');
  // The answer shows that the server is reachable, then that the client has to negotiate again.
  expect(states()).toEqual(['open', 'reconnecting', 'open', 'reconnecting', 'open']);
  expect((await client.callTool('x')).isError).toBe(false);
});
