import { type Clock, otherBounds, systemClock } from '@tenon/foundation';
import { type State, StateError } from '@tenon/mcp-state';
import { type ClientBase, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { Bench, errorOf, listenTo } from '../test/bench.js';
import { migrate, type PostgresStateOptions } from './index.js';

const bench = new Bench();

/** Repeats a call until it is answered within its time limit. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
    }
  }
}

describe('calls', () => {
  it('ends a statement that waits for a lock in time, and keeps the connection', async () => {
    // The server ends statements; the limits of the client, which are as long or longer, never end.
    const timeout = 500;
    const clock: Clock = {
      now: () => 0,
      schedule: (run, ms) => (ms < timeout ? systemClock.schedule(run, ms) : () => {}),
    };
    const connection = { connectionString: bench.server.url, connectionTimeoutMillis: 0 };
    const state = bench.openWith(clock, { connection, timeout, poolSize: 1 });
    // A busy machine may need longer for a statement that waits for nothing.
    await untilAnswered(() => state.kv.put('locked/a', 'a'));
    const other = await bench.connect();
    await other.query(`BEGIN; SELECT FROM tenon.kv WHERE key = 'locked/a' FOR UPDATE`);
    const error = await errorOf(state.kv.put('locked/a', 'b'));
    expect([error.reason, error.message]).toEqual([
      'unavailable',
      expect.stringContaining('statement timeout'),
    ]);
    await other.query('ROLLBACK');
    expect((await untilAnswered(() => state.kv.get('locked/a')))?.value).toBe('a');
  });

  it('rejects calls past the bound', async () => {
    const state = bench.open(otherBounds({ maxCalls: 3 }));
    const calls = Array.from({ length: 4 }, () => state.kv.put('many/a', ''));
    expect((await errorOf(Promise.all(calls))).reason).toBe('full');
    await Promise.allSettled(calls);
    await state.kv.put('many/a', '');
  });

  it('rejects writes with full when the disk is full, and reads and renews leases', async () => {
    await migrate(bench.server.url, { schema: 'disk' });
    const state = bench.open({ schema: 'disk' });
    const lease = await state.leases.acquire('disk/a', 60_000);
    await state.kv.put('disk/a', 'a');
    await bench.server.query(
      `CREATE FUNCTION disk.refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON disk.kv FOR EACH ROW EXECUTE FUNCTION disk.refuse()`,
    );
    expect((await errorOf(state.kv.put('disk/b', 'b'))).reason).toBe('full');
    expect((await state.kv.get('disk/a'))?.value).toBe('a');
    expect(await lease?.renew(60_000)).toBe(true);
    expect(state.status).toBe('ready');
  });

  it('takes one statement on one connection for each call', async () => {
    const pool = new Pool({ connectionString: bench.server.url });
    bench.onEnd({ close: () => pool.end() });
    const state = bench.open({ pool });
    await state.kv.put('count/warm', '');
    let statements = 0;
    pool.on('acquire', (client) => {
      client.query = new Proxy(client.query, {
        apply(query, self, values) {
          statements += 1;
          return Reflect.apply(query, self, values);
        },
      });
      pool.once('release', (_, released) => {
        if (released === client) Reflect.deleteProperty(client, 'query');
      });
    });
    const lease = await state.leases.acquire('count/a', 60_000);
    const fence = { name: 'count/a', token: lease?.token ?? 0 };
    const expected = await state.kv.put('count/a', 'a', { ttl: 1_000, fence });
    const calls: readonly (() => Promise<unknown> | undefined)[] = [
      () => state.kv.get('count/a'),
      () => state.kv.compareAndSet('count/a', 'b', { expected, fence }),
      () => state.kv.touch('count/a', 1_000),
      () => state.kv.delete('count/a'),
      () => state.log.append('count/a', 'a', { fence, ttl: 1_000, keep: { entries: 1, bytes: 10, age: 10 } }),
      () => state.log.read('count/a', 0),
      () => state.log.trim('count/a', { entries: 0 }),
      () => state.log.delete('count/a'),
      () => state.bus.publish('count/a', 'a'),
      () => state.bus.publish('count/a', 'x'.repeat(9_000)),
      () => lease?.renew(1_000),
      () => lease?.release(),
    ];
    // Two calls before.
    expect(statements).toBe(2);
    for (const call of calls) await call();
    expect(statements).toBe(2 + calls.length);
  });

  it('rejects a write that waited for the acquisition of a later holder', async () => {
    const state = bench.open();
    const lease = await state.leases.acquire('fence/race', 60_000);
    const fence = { name: 'fence/race', token: lease?.token ?? 0 };
    await lease?.release();
    const other = await bench.connect();
    await other.query(`BEGIN; SELECT tenon.lease_acquire('fence/race', 60000)`);
    const write = errorOf(state.kv.put('fence/race/record', 'stale', { fence }));
    await bench.server.waitForLock('kv_write');
    await other.query('COMMIT');
    expect((await write).reason).toBe('fenced');
    expect(await state.kv.get('fence/race/record')).toBeUndefined();
  });

  it('acquires a lease with a greater token after its row was lost', async () => {
    const state = bench.open();
    const first = await state.leases.acquire('lost/lease', 60_000);
    await bench.server.query('DELETE FROM tenon.lease');
    const second = await state.leases.acquire('lost/lease', 60_000);
    expect(second?.token).toBeGreaterThan(first?.token ?? Number.POSITIVE_INFINITY);
  });
});

describe('messages', () => {
  it('keeps the order of messages that are published without a wait, large ones included', async () => {
    const state = bench.open();
    const { next } = await listenTo(state, 'order/topic');
    const texts = Array.from(
      { length: 600 },
      (_, index) => `${index} ${'x'.repeat(index % 7 === 0 ? 9_000 : 1)}`,
    );
    await Promise.all(texts.map((text) => state.bus.publish('order/topic', text)));
    for (const text of texts) expect(await next()).toBe(text);
  });

  it('delivers equal messages of one moment each', async () => {
    const state = bench.open();
    const { next } = await listenTo(state, 'equal/topic');
    await Promise.all(['same', 'same', 'same', 'last'].map((text) => state.bus.publish('equal/topic', text)));
    expect([await next(), await next(), await next(), await next()]).toEqual([
      'same',
      'same',
      'same',
      'last',
    ]);
  });

  it('reports a gap when a large message is gone before it was fetched', async () => {
    const state = bench.open();
    const { next } = await listenTo(state, 'gone/topic');
    await bench.server.query(
      `CREATE OR REPLACE FUNCTION tenon.test_none() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER test_none BEFORE INSERT ON tenon.message FOR EACH ROW EXECUTE FUNCTION tenon.test_none()`,
    );
    await state.bus.publish('gone/topic', 'x'.repeat(9_000));
    expect(await next()).toBe('GAP');
    await bench.server.query('DROP TRIGGER test_none ON tenon.message; DROP FUNCTION tenon.test_none');
    await state.bus.publish('gone/topic', 'small');
    expect(await next()).toBe('small');
  });

  it('subscribes to thousands of topics', async () => {
    const [state, other] = [bench.open(), bench.open()];
    const topics = await Promise.all(
      Array.from({ length: 3_000 }, (_, index) => listenTo(state, `many/${index}`)),
    );
    await Promise.all(topics.map((_, index) => other.bus.publish(`many/${index}`, `${index}`)));
    for (const [index, { next }] of topics.entries()) expect(await next()).toBe(`${index}`);
    await Promise.all(topics.map(({ end }) => end()));
  });
});

describe('servers with different names', () => {
  /** Returns the state of a server with a name. */
  async function named(name: string, options: PostgresStateOptions = {}): Promise<State> {
    const state = bench.open(options);
    const node = state.join?.({ name, clock: new FakeClock(), onError: () => {} });
    if (node === undefined) throw new Error('The state has no join.');
    bench.onEnd(node);
    await node.joined;
    return node.state;
  }

  it('are kept apart by default', async () => {
    const [orders, same, bills] = [await named('orders'), await named('orders'), await named('bills')];
    await orders.kv.put('session/a/record', 'of orders');
    expect((await same.kv.get('session/a/record'))?.value).toBe('of orders');
    expect(await bills.kv.get('session/a/record')).toBeUndefined();
  });

  it('share what they keep if the schema is set', async () => {
    const [orders, bills] = [
      await named('orders', { schema: 'tenon' }),
      await named('bills', { schema: 'tenon' }),
    ];
    await orders.kv.put('session/b/record', 'of both');
    expect((await bills.kv.get('session/b/record'))?.value).toBe('of both');
  });
});

describe('channels', () => {
  it('are left when their last subscription ends', async () => {
    const pool = new Pool({ connectionString: bench.server.url });
    bench.onEnd({ close: () => pool.end() });
    const connected = new Promise<ClientBase>((resolve) => pool.once('connect', resolve));
    const state = bench.open({ pool });
    // The first connection is the one for messages.
    const client = await connected;
    const channels = async () => (await client.query('SELECT pg_listening_channels()')).rows.length;
    const first = await listenTo(state, 'left/topic');
    const second = await listenTo(state, 'left/topic');
    await first.end();
    // Carried out after the commands before it.
    await (await listenTo(state, 'left/other')).end();
    expect(await channels()).toBeGreaterThan(0);
    await second.end();
    while ((await channels()) > 0);
  });
});

describe('expired rows', () => {
  it('are deleted in batches', async () => {
    await migrate(bench.server.url, { schema: 'swept' });
    await bench.server.freezeClock('swept');
    const clock = new FakeClock();
    const state = bench.openWith(clock, {
      schema: 'swept',
      ...otherBounds({ sweepInterval: 1_000_000, heartbeat: 2_000_000 }),
    });
    await bench.server.query(
      `INSERT INTO swept.kv SELECT 'gone/' || n, gen_random_uuid(), '', swept.clock() FROM generate_series(1, 2500) n`,
    );
    await state.kv.put('kept/a', 'a', { ttl: 10 * 86_400_000 });
    await state.log.append('gone/log', 'a', { ttl: 1_000 });
    await state.log.append('kept/log', 'a');
    await (await state.leases.acquire('gone/lease', 1_000))?.release();
    await state.bus.publish('gone/topic', 'x'.repeat(9_000));
    await bench.server.advance(8 * 86_400_000, 'swept');
    const client = await bench.connect();
    // Until the sweep has begun, and no further: its time limits are later.
    while (clock.now() < 750_000) await clock.pass();
    while ((await rowsIn(client, 'swept')) > 3);
    expect(await rowsIn(client, 'swept')).toBe(3);
    expect((await state.kv.get('kept/a'))?.value).toBe('a');
    expect((await state.log.read('kept/log', 0)).entries).toHaveLength(1);
  });

  async function rowsIn(client: ClientBase, schema: string): Promise<number> {
    const tables = ['kv', 'log', 'log_entry', 'lease', 'message'];
    const counts = tables.map((table) => `(SELECT count(*) FROM ${schema}.${table})`).join(' + ');
    const { rows } = await client.query(`SELECT (${counts})::int AS rows`);
    return Number(rows[0]?.rows);
  }
});
