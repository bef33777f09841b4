import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { Bench, errorOf } from '../../test/bench.js';
import { migrate, migrationSql } from '../index.js';
import { migrations } from './migrations.js';

const bench = new Bench();

it('migrates once when many processes start at the same moment', async () => {
  const versions = Array.from({ length: 8 }, () => migrate(bench.server.url, { schema: 'together' }));
  expect(new Set(await Promise.all(versions))).toEqual(new Set([migrations.length]));
  expect(await bench.server.query('SELECT version FROM together.migration')).toEqual(
    migrations.map((_, index) => ({ version: index + 1 })),
  );
});

it('returns the version, and changes nothing the next time', async () => {
  expect(await migrate(bench.server.url, { schema: 'twice' })).toBe(migrations.length);
  const [before] = await bench.server.query('SELECT applied_at FROM twice.migration');
  expect(await migrate(bench.server.url, { schema: 'twice' })).toBe(migrations.length);
  expect(await bench.server.query('SELECT applied_at FROM twice.migration')).toEqual([before]);
});

it('returns SQL that an operator applies by hand, for a role of the servers without other rights', async () => {
  await bench.server.query(migrationSql({ schema: 'by_hand' }));
  await bench.server.query(
    `CREATE ROLE app LOGIN;
     GRANT USAGE ON SCHEMA by_hand TO app;
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA by_hand TO app`,
  );
  const connection = bench.server.url.replace('tenon@', 'app@');
  const state = bench.open({ connection, schema: 'by_hand' });
  await state.kv.put('a/b', 'a');
  expect(await state.log.append('a/b', 'a')).toBe(1);
  expect(await state.leases.acquire('a/b', 1_000)).toBeDefined();
  await state.bus.publish('a/b', 'x'.repeat(9_000));
});

it('rejects calls when the schema is missing and migrate is false', async () => {
  const clock = new FakeClock();
  const state = bench.openWith(clock, { schema: 'absent', migrate: false });
  const call = errorOf(state.kv.get('a/b'));
  await clock.pass(50);
  await clock.advance(5_000);
  expect((await call).message).toContain('The schema "absent" has version 0');
});

it('waits for a schema that an operator creates', async () => {
  const state = bench.open({ schema: 'later', migrate: false, timeout: 100_000 });
  const call = state.kv.get('a/b');
  await migrate(bench.server.url, { schema: 'later' });
  expect(await call).toBeUndefined();
});

it('leaves nothing of a migration that fails', async () => {
  await bench.server.query('CREATE SCHEMA occupied; CREATE TABLE occupied.kv ()');
  await expect(migrate(bench.server.url, { schema: 'occupied' })).rejects.toThrow('already exists');
  expect(await bench.server.query(`SELECT to_regclass('occupied.migration')::text AS name`)).toEqual([
    { name: null },
  ]);
});

it('rejects names of schemas that need quotes or are too long', async () => {
  for (const schema of ['', 'A', 'a"b', 'pg_a', 'a'.repeat(49)])
    await expect(migrate(bench.server.url, { schema })).rejects.toThrow('is not a schema');
});
