import { otherBounds } from '@tenon/foundation';
import type { StateStatus } from '@tenon/mcp-state';
import { Pool, type PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { Bench, errorOf, listenTo, statusOf } from '../test/bench.js';
import { StallingProxy } from '../test/stalling-proxy.js';
import { type PostgresStateOptions, postgresState } from './index.js';

const bench = new Bench();

describe('a server that is away', () => {
  it('rejects calls with the cause when no server listens', async () => {
    const clock = new FakeClock();
    const state = bench.openWith(clock, { connection: 'postgres://tenon@127.0.0.1:1/none' });
    const call = errorOf(state.kv.get('a/b'));
    // The pause after the first attempt.
    await clock.pass(50);
    await clock.advance(5_000);
    const { reason, message } = await call;
    expect([reason, message]).toEqual(['unavailable', expect.stringContaining('ECONNREFUSED')]);
    // From now on calls do not wait.
    expect((await errorOf(state.kv.get('a/b'))).reason).toBe('unavailable');
    expect(state.status).toBe('unavailable');
  });

  it('reports the lost connection, rejects calls, and goes on after a restart', async () => {
    const state = bench.open();
    await state.kv.put('restart/a', 'kept');
    const { next, end } = await listenTo(state, 'restart/topic');
    const lost = statusOf(state, 'unavailable');
    await bench.server.stop();
    expect(await lost).toBeInstanceOf(Error);
    const { reason, cause } = await errorOf(state.kv.get('restart/a'));
    expect([reason, cause]).toEqual(['unavailable', expect.any(Error)]);
    const ready = statusOf(state, 'ready');
    await bench.server.resume();
    await ready;
    expect(await next()).toBe('GAP');
    expect((await state.kv.get('restart/a'))?.value).toBe('kept');
    await state.bus.publish('restart/topic', 'after');
    expect(await next()).toBe('after');
    await end();
  });

  it('replaces connections of calls that were lost while the one for messages was not', async () => {
    const state = bench.open({ poolSize: 2 });
    await Promise.all([state.kv.put('lost/a', 'a'), state.kv.put('lost/b', 'b')]);
    const seen: StateStatus[] = [];
    state.onStatus((status) => {
      seen.push(status);
    });
    const admin = await bench.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'tenon' AND query LIKE '%kv_write%'`,
    );
    // The connection may be found to be lost by this call.
    await state.kv.get('lost/a').catch(() => {});
    expect((await state.kv.get('lost/b'))?.value).toBe('b');
    expect(seen).toEqual([]);
  });

  it('survives an error of a connection before the call that waits for it has it', async () => {
    const pool = new Pool({ connectionString: bench.server.url, max: 2 });
    bench.onEnd({ close: () => pool.end() });
    const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
    let errors = 0;
    Object.assign(pool, {
      connect: async () => {
        const client = await connect();
        queueMicrotask(() => client.emit('error', new Error(`terminated ${++errors}`)));
        return client;
      },
    });
    const state = bench.open({ connection: undefined, pool });
    await state.kv.put('early/a', 'a');
    expect((await state.kv.get('early/a'))?.value).toBe('a');
    expect(errors).toBeGreaterThan(0);
  });

  it('replaces a connection for messages that looks open but does not answer', async () => {
    const { proxy, url } = await StallingProxy.start(bench.server.url);
    bench.onEnd(proxy);
    const clock = new FakeClock();
    const state = bench.openWith(clock, { connection: url, ...otherBounds({ heartbeat: 30_000 }) });
    const { next } = await listenTo(state, 'stalled/topic');
    await state.kv.put('stalled/a', 'a');
    proxy.stall();
    await clock.armed(30_000);
    await clock.advance(30_000);
    const lost = statusOf(state, 'unavailable');
    await clock.armed(5_000);
    await clock.advance(5_000);
    expect((await lost)?.message).toContain('a heartbeat');
    proxy.resume();
    await clock.pass(50);
    expect(await next()).toBe('GAP');
    expect(state.status).toBe('ready');
    // The connection of the first call is still open, and silent.
    expect((await state.kv.get('stalled/a'))?.value).toBe('a');
  });

  it('rejects a call when its connection is reset while the statement runs', async () => {
    const { proxy, url } = await StallingProxy.start(bench.server.url);
    bench.onEnd(proxy);
    const state = bench.open({ connection: url, timeout: 100_000 });
    await state.kv.put('reset/a', 'a');
    const other = await bench.connect();
    await other.query(`BEGIN; SELECT FROM tenon.kv WHERE key = 'reset/a' FOR UPDATE`);
    const call = errorOf(state.kv.put('reset/a', 'b'));
    await bench.server.waitForLock('kv_write');
    proxy.cut();
    expect((await call).reason).toBe('unavailable');
    await other.query('ROLLBACK');
    expect(await state.kv.get('reset/a')).toBeDefined();
  });

  it('rejects a call in time when the server does not answer, and closes all the same', async () => {
    const { proxy, url } = await StallingProxy.start(bench.server.url);
    bench.onEnd(proxy);
    const clock = new FakeClock();
    const state = bench.openWith(clock, { connection: url });
    await state.kv.put('silent/a', 'a');
    proxy.stall();
    const call = errorOf(state.kv.get('silent/a'));
    await clock.armed(5_000);
    await clock.advance(5_000);
    expect((await call).reason).toBe('unavailable');
    const closing = state.close();
    await clock.armed(5_000);
    await clock.advance(5_000);
    await closing;
  });
});

describe('a server that is silent', () => {
  async function silent(options: PostgresStateOptions = {}) {
    const { proxy, url } = await StallingProxy.start(bench.server.url);
    bench.onEnd(proxy);
    const clock = new FakeClock();
    const state = bench.openWith(clock, {
      connection: url,
      ...otherBounds({ heartbeat: 1_000_000 }),
      ...options,
    });
    await state.kv.put('silent/a', 'a');
    proxy.stall();
    return { clock, state };
  }

  it('shows as unavailable soon after a call has failed', async () => {
    const { clock, state } = await silent();
    const call = errorOf(state.kv.get('silent/a'));
    await clock.armed(5_000);
    await clock.advance(5_000);
    expect((await call).reason).toBe('unavailable');
    const lost = statusOf(state, 'unavailable');
    await clock.advance(2_500);
    expect((await lost)?.message).toContain('a heartbeat');
  });

  it('shows as unavailable while calls wait', async () => {
    const { clock, state } = await silent();
    await clock.advance(1_500);
    const call = errorOf(state.kv.get('silent/a'));
    await clock.armed(5_000);
    // One call was answered in the first half of the time limit, and none in the second.
    await clock.advance(1_000);
    await clock.advance(2_500);
    expect(state.status).toBe('ready');
    await clock.advance(2_500);
    expect(state.status).toBe('unavailable');
    expect((await call).reason).toBe('unavailable');
  });
});

describe('connections', () => {
  it('has no more requests of a pool than it has connections, when calls wait for a silent server', async () => {
    const { proxy, url } = await StallingProxy.start(bench.server.url);
    bench.onEnd(proxy);
    const pool = new Pool({ connectionString: url, max: 4 });
    pool.on('error', () => {});
    bench.onEnd({ close: () => pool.end() });
    const clock = new FakeClock();
    const state = bench.openWith(clock, { connection: undefined, pool });
    await state.kv.put('waiting/a', 'a');
    proxy.stall();
    const calls = Array.from({ length: 200 }, () => errorOf(state.kv.get('waiting/a')));
    await clock.armed(5_000);
    await clock.advance(5_000);
    const reasons = (await Promise.all(calls)).map(({ reason }) => reason);
    expect([new Set(reasons), pool.waitingCount <= 4]).toEqual([new Set(['unavailable']), true]);
    proxy.cut();
    proxy.resume();
    const ready = statusOf(state, 'ready');
    await clock.pass(50);
    await ready;
    expect((await state.kv.get('waiting/a'))?.value).toBe('a');
  });

  it('leaves a pool open that it did not open, and returns its connections', async () => {
    const pool = new Pool({ connectionString: bench.server.url });
    bench.onEnd({ close: () => pool.end() });
    const state = postgresState({ pool });
    await state.kv.put('pool/a', 'a');
    await bench.server.interrupt();
    await statusOf(state, 'ready');
    expect((await state.kv.get('pool/a'))?.value).toBe('a');
    await state.close();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(pool.idleCount);
    expect(pool.listenerCount('error')).toBe(0);
  });

  it('rejects calls that wait for a connection when it is closed, and finishes statements', async () => {
    const state = bench.open({ timeout: 100_000, poolSize: 1 });
    await state.kv.put('waiting/a', 'a');
    const other = await bench.connect();
    await other.query(`BEGIN; SELECT FROM tenon.kv WHERE key = 'waiting/a' FOR UPDATE`);
    const running = state.kv.put('waiting/a', 'b');
    const waiting = errorOf(state.kv.get('waiting/a'));
    await bench.server.waitForLock('kv_write');
    const closing = state.close();
    expect((await waiting).reason).toBe('closed');
    await other.query('ROLLBACK');
    expect(await running).toBeTypeOf('string');
    await closing;
  });

  it('has none left after close, also when closed while it connects', async () => {
    const states = Array.from({ length: 4 }, () =>
      postgresState({ connection: `${bench.server.url}?application_name=closing` }),
    );
    const [first] = states;
    await first?.kv.put('closing/a', 'a');
    const waiting = Promise.all(states.slice(2).map((state) => errorOf(state.kv.get('closing/a'))));
    await Promise.all(states.map((state) => state.close()));
    expect((await waiting).map(({ reason }) => reason)).toEqual(['closed', 'closed']);
    const left = `SELECT FROM pg_stat_activity WHERE application_name = 'closing'`;
    while ((await bench.server.query(left)).length > 0);
  });

  it('rejects calls of a role that does not read committed data', async () => {
    await bench.server.query(
      `CREATE ROLE strict LOGIN SUPERUSER;
       ALTER ROLE strict SET default_transaction_isolation = 'serializable'`,
    );
    const clock = new FakeClock();
    const state = bench.openWith(clock, { connection: bench.server.url.replace('tenon@', 'strict@') });
    const call = errorOf(state.kv.get('a/b'));
    await clock.pass(50);
    await clock.advance(5_000);
    expect((await call).message).toContain('default_transaction_isolation');
  });
});

it('rejects options that are missing or out of range', () => {
  expect(() => postgresState({})).toThrow('either connection or pool');
  expect(() => postgresState({ connection: '', schema: 'No' })).toThrow('"No" is not a schema');
  for (const name of ['poolSize', 'timeout'])
    expect(() => postgresState({ connection: '', [name]: 0 })).toThrow(`${name} must be a number`);
});
