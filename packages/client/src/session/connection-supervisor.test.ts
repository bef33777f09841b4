import { otherBounds } from '@tenon/foundation';
import { type Connection, SessionError, TransportError } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { connect } from '../connect.js';
import { memoryTarget } from '../memory.js';
import type { ClientOptions } from '../options.js';
import type { StateChange } from './connection-supervisor.js';

const silence = () => undefined;
const info = { name: 'client', version: '1' };

function watched(options: Partial<ClientOptions> = {}) {
  const clock = new FakeClock();
  const states: string[] = [];
  const changes: StateChange[] = [];
  const onStateChange = (change: StateChange) => {
    states.push(change.state);
    changes.push(change);
  };
  return { clock, states, changes, options: { clock, random: () => 1, onStateChange, ...options } };
}

describe('a connection that is lost', () => {
  it('is replaced at once, without another probe', async () => {
    shows('2026-07-28/basic/transports/stdio/restart', '2026-07-28/basic/versioning/era-cached');
    const { clock, states, options } = watched();
    const server = new ScriptedServer(
      serverScript(revision20251125, { 'tools/call': () => ({ content: [] }) }),
    );
    const client = await linked(server, options);
    await server.peer.die();
    await settled();
    expect(client.state).toBe('reconnecting');
    const call = client.callTool('x');
    await clock.advance(0);
    expect(states).toEqual(['open', 'reconnecting', 'open']);
    expect((await call).isError).toBe(false);
    expect(server.peer.methods).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  });

  it('is not replaced when its error is permanent', async () => {
    const { clock, states, changes, options } = watched();
    const server = new ScriptedServer(serverScript(revision20251125, {}));
    const target = memoryTarget(server);
    let lose = (_: Error) => {};
    const open = async (...given: Parameters<typeof target.open>): Promise<Connection> => {
      const connection = await target.open(...given);
      return {
        facts: connection.facts,
        send: (frame) => connection.send(frame),
        close: () => connection.close(),
        start(receiver) {
          lose = (error) => receiver.closed(error);
          connection.start(receiver);
        },
      };
    };
    const client = await connect({ ...target, open, restartable: true }, { info, ...options });
    lose(new TransportError('The user said no.', { permanent: true }));
    await settled();
    await clock.advance(60_000);
    expect(states).toEqual(['open', 'closed']);
    expect(changes.at(-1)?.reason).toMatchObject({ message: 'The user said no.' });
    await expect(client.callTool('x')).rejects.toThrow('The client is closed. The user said no.');
    expect(server.peers).toHaveLength(1);
  });

  it('takes what was in flight with it', async () => {
    const { options } = watched();
    const script: Script = { 'tools/call': silence, 'resources/read': silence };
    const server = new ScriptedServer(serverScript(revision20251125, script));
    const client = await linked(server, options);
    const calls = [client.callTool('x'), client.readResource('file:///a')];
    const outcomes = calls.map((call) => expect(call).rejects.toMatchObject({ reason: 'closed' }));
    await settled();
    await server.peer.die();
    await Promise.all(outcomes);
  });

  it('has reads sent again where there are no sessions, but not tool calls', async () => {
    shows('2025-11-25-server-features/tools/annotations-untrusted');
    const { clock, options } = watched();
    const server = new ScriptedServer(
      serverScript(revision20260728, {
        'tools/call': silence,
        'resources/read': (_, peer) =>
          peer === server.peers[0] ? undefined : { contents: [], ttlMs: 0, cacheScope: 'private' },
      }),
    );
    const client = await linked(server, options);
    const call = expect(client.callTool('x')).rejects.toMatchObject({ reason: 'closed' });
    const raw = expect(client.request('tools/call', { name: 'x' })).rejects.toMatchObject({
      reason: 'closed',
    });
    const read = client.readResource('file:///a');
    await settled();
    await server.peer.die();
    await call;
    await clock.advance(0);
    await raw;
    expect(await read).toMatchObject({ contents: [] });
    expect(server.peer.methods).toEqual(['server/discover', 'resources/read']);
  });

  it('is asked for with growing patience, and given up in the end', async () => {
    const { clock, states, changes, options } = watched({ reconnect: { attempts: 4 } });
    const server = new ScriptedServer(serverScript(revision20251125));
    let up = true;
    const open = () => {
      if (!up) throw new Error('connection refused');
      return memoryTarget(server).open();
    };
    const client = await connect({ open, restartable: true }, { info, ...options });
    up = false;
    await server.peer.die();
    await settled();
    const waiting = expect(client.callTool('x')).rejects.toMatchObject({ reason: 'closed' });
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      waits.push(clock.waiting[0]);
      await clock.advance(clock.waiting[0] ?? 0);
    }
    expect(waits).toEqual([0, 500, 1_000, 2_000]);
    expect(states).toEqual(['open', 'reconnecting', 'closed']);
    expect(String(changes[2]?.reason)).toBe(
      'SessionError: The connection was lost, and 4 attempts did not bring it back. connection refused',
    );
    await waiting;
    await expect(client.callTool('x')).rejects.toMatchObject({
      reason: 'closed',
      message:
        'The client is closed. The connection was lost, and 4 attempts did not bring it back. connection refused',
      cause: changes[2]?.reason,
    });
  });

  it('is replaced without a bound while its sessions answer calls, after pauses that grow', async () => {
    const { clock, states, options } = watched({
      reconnect: { attempts: 2, delay: 500, maxDelay: 1_000, ...otherBounds({ healthy: 60_000 }) },
    });
    const server = new ScriptedServer(
      serverScript(revision20251125, { 'tools/call': () => ({ content: [] }) }),
    );
    const client = await linked(server, options);
    const waits: (number | undefined)[] = [];
    for (let loss = 0; loss < 5; loss++) {
      await client.callTool('x');
      await server.peer.die();
      await settled();
      waits.push(clock.waiting[0]);
      await clock.advance(clock.waiting[0] ?? 0);
    }
    expect(waits).toEqual([0, 500, 1_000, 1_000, 1_000]);
    expect(states.at(-1)).toBe('open');
  });

  it('is given up when no session after it answers a call, though each sends messages', async () => {
    const { clock, states, options } = watched({
      reconnect: { attempts: 2, ...otherBounds({ healthy: 60_000 }) },
    });
    const server = new ScriptedServer(serverScript(revision20251125));
    await linked(server, options);
    for (let loss = 0; loss < 3; loss++) {
      server.peer.notify('notifications/tools/list_changed');
      await server.peer.die();
      await clock.advance(1_000);
    }
    expect(states.at(-1)).toBe('closed');
  });

  it('soon after a reconnect continues the attempt count; after a healthy time restarts it', async () => {
    const { clock, states, options } = watched({
      reconnect: { attempts: 2, ...otherBounds({ healthy: 1_000 }) },
    });
    const server = new ScriptedServer(serverScript(revision20251125));
    await linked(server, options);
    const die = async () => {
      await server.peer.die();
      await clock.advance(500);
    };
    await die();
    await die();
    await clock.advance(1_000);
    await die();
    await die();
    expect(states.at(-1)).toBe('open');
    await die();
    expect(states.at(-1)).toBe('closed');
  });

  it('is probed again when what was known of the server no longer holds', async () => {
    shows('2026-07-28/basic/versioning/era-persisted');
    const { clock, options } = watched();
    const server = new ScriptedServer(serverScript(revision20251125));
    const client = await linked(server, options);
    server.script = serverScript(revision20260728);
    await server.peer.die();
    await clock.advance(5_000);
    expect(client.revision).toBe('2026-07-28');
    expect(server.peers.map((peer) => peer.methods[0])).toEqual([
      'server/discover',
      'initialize',
      'server/discover',
    ]);
  });

  it('stays lost where replacing is not wanted, or the target is in this process', async () => {
    const { states, options } = watched();
    const server = new ScriptedServer(serverScript(revision20251125));
    await linked(server, { ...options, reconnect: false });
    await server.peer.die();
    await settled();
    expect(states).toEqual(['open', 'closed']);
    await connect(memoryTarget(server), { info, ...options });
    await server.peer.die();
    await settled();
    expect(states).toEqual(['open', 'closed', 'open', 'closed']);
  });
});

describe('close', () => {
  it('rejects waiting calls, changes the state, and may be called twice', async () => {
    const { states, options } = watched();
    const server = new ScriptedServer(serverScript(revision20260728, { 'resources/read': silence }));
    const client = await linked(server, options);
    const read = expect(client.readResource('file:///a')).rejects.toMatchObject({ reason: 'closed' });
    await settled();
    await client.close();
    await client.close();
    await read;
    expect(states).toEqual(['open', 'closed']);
    expect(server.peers).toHaveLength(1);
    await expect(client.tools().all()).rejects.toBeInstanceOf(SessionError);
  });

  it('waits for the end each time it is called', async () => {
    const server = new ScriptedServer(serverScript(revision20251125));
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const open = () => {
      const connection = memoryTarget(server).open() as Connection;
      const close = connection.close.bind(connection);
      return Object.assign(connection, { close: () => ended.then(close) });
    };
    const client = await connect({ open, restartable: true }, { info });
    const order: string[] = [];
    const both = [client.close(), client.close()].map((one) => one.then(() => order.push('closed')));
    await settled();
    order.push('ended');
    end();
    await Promise.all(both);
    expect(order).toEqual(['ended', 'closed', 'closed']);
  });

  it('stops attempts to reconnect', async () => {
    const { clock, states, options } = watched();
    const server = new ScriptedServer(serverScript(revision20251125));
    const client = await linked(server, options);
    await server.peer.die();
    await settled();
    const waiting = expect(client.callTool('x')).rejects.toMatchObject({ reason: 'closed' });
    await client.close();
    expect(clock.waiting).toEqual([]);
    await waiting;
    expect(states).toEqual(['open', 'reconnecting', 'closed']);
    expect(server.peers).toHaveLength(1);
  });

  it('happens at the end of a block that uses the client', async () => {
    const { states, options } = watched();
    const client = await linked(new ScriptedServer(serverScript(revision20251125)), options);
    await client[Symbol.asyncDispose]();
    expect(states).toEqual(['open', 'closed']);
  });
});

it('a call that waits for a connection can be called off', async () => {
  const { options } = watched();
  const server = new ScriptedServer(serverScript(revision20251125));
  const client = await linked(server, options);
  await server.peer.die();
  await settled();
  const controller = new AbortController();
  const call = expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toMatchObject({
    reason: 'cancelled',
  });
  controller.abort();
  await call;
});

it('listeners of the state can leave, and may throw', async () => {
  const { options } = watched();
  const errors: unknown[] = [];
  const server = new ScriptedServer(serverScript(revision20251125));
  const client = await linked(server, { ...options, onError: (error) => errors.push(error) });
  const seen: string[] = [];
  const leave = client.onStateChange(({ state }) => seen.push(state));
  client.onStateChange(() => {
    throw new Error('mine');
  });
  await server.peer.die();
  await settled();
  leave();
  await client.close();
  expect(seen).toEqual(['reconnecting']);
  expect(errors).toEqual([new Error('mine'), new Error('mine')]);
});

it('reports listeners that reject, and goes on when onError rejects', async () => {
  const errors: unknown[] = [];
  const onError = async (error: unknown) => {
    errors.push(error);
    throw new Error('no log');
  };
  const rejecting = async () => {
    throw new Error('mine');
  };
  const server = new ScriptedServer(serverScript(revision20251125));
  const client = await linked(server, { onStateChange: rejecting, onError });
  const other: () => void = () => rejecting();
  client.onStateChange(other);
  await client.close();
  await settled();
  // At the start, and both at the end.
  expect(errors).toEqual([new Error('mine'), new Error('mine'), new Error('mine')]);
});

describe('pings', () => {
  it('without an answer end the connection, which is replaced', async () => {
    shows('2024-11-05/basic/utilities/ping/reconnect');
    const { clock, states, options } = watched({
      keepAlive: { interval: 1_000, ...otherBounds({ failures: 2 }) },
    });
    const server = new ScriptedServer(serverScript(revision20251125, { ping: () => ({}) }));
    await linked(server, options);
    await clock.advance(4_500);
    expect(server.peer.paramsOf('ping').length).toBeGreaterThanOrEqual(2);
    server.script = serverScript(revision20251125, { ping: silence });
    await clock.advance(6_000);
    expect(states.slice(0, 3)).toEqual(['open', 'reconnecting', 'open']);
  });

  it('are not sent where there are none', async () => {
    const { clock, options } = watched({ keepAlive: { interval: 1_000 } });
    const server = new ScriptedServer(serverScript(revision20260728));
    await linked(server, options);
    await clock.advance(10_000);
    expect(server.peer.methods).toEqual(['server/discover']);
  });
});
