import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { SharedMemory } from '../internal.js';
import { digestSegment } from '../keys.js';
import { StateError } from '../state.js';
import { CallerQuota } from './caller-quota.js';

const overhead = 64;
const limit = 64_000;
const quota = { name: StateError.name, reason: 'quota' };

/** A value with which a key counts as so many bytes. */
const sized = (key: string, bytes: number) => 'x'.repeat(bytes - overhead - key.length);

/** Processes that share a state. A process reserves 1,000 bytes at a time. */
async function together() {
  const clock = new FakeClock();
  const memory = new SharedMemory({ clock });
  const ledgers = memory.open();
  const key = `quota/${await digestSegment('ann')}`;
  /** @param own - the clock of the process. A process with a clock that stands still does nothing any more. */
  const open = (own = clock) => {
    const state = memory.open();
    const { kv, log } = new CallerQuota(state, { bytes: limit, clock: own, wall: clock }).of('ann');
    const put = (name: string, bytes: number, ttl = 10_000) => kv.put(name, sized(name, bytes), { ttl });
    return { state, kv, log, put };
  };
  /** The bytes that processes have reserved, in any order. */
  const reserved = async () => {
    const found = await ledgers.kv.get(key);
    const entries = Object.values(JSON.parse(found?.value ?? '{}') as Record<string, [number]>);
    return entries.map(([bytes]) => bytes).sort((a, b) => a - b);
  };
  return { clock, memory, ledgers, key, open, reserved };
}

describe('the quota of a caller at several processes', () => {
  it('holds for all of them together', async () => {
    const { open, reserved } = await together();
    const [one, other] = [open(), open()];
    await one.put('a/1', 40_000);
    await other.put('b/1', 20_000);
    expect(await reserved()).toEqual([20_000, 40_000]);
    await expect(other.put('b/2', 4_001)).rejects.toMatchObject(quota);
    await other.put('b/2', 3_500);
    await expect(one.put('a/2', 600)).rejects.toMatchObject(quota);
    const sum = (await reserved()).reduce((all, bytes) => all + bytes, 0);
    expect(sum).toBeLessThanOrEqual(limit);
  });

  it('costs no call of the state for the first bytes, and two for each part that is reserved', async () => {
    const { open } = await together();
    const one = open();
    const calls = { get: vi.spyOn(one.state.kv, 'get'), set: vi.spyOn(one.state.kv, 'compareAndSet') };
    for (let count = 0; count < 10; count++) await one.put(`a/${count}`, 100);
    expect([calls.get.mock.calls.length, calls.set.mock.calls.length]).toEqual([0, 0]);
    for (let count = 0; count < 40; count++) await one.put(`b/${count}`, 100);
    expect([calls.get.mock.calls.length, calls.set.mock.calls.length]).toEqual([4, 4]);
  });

  it('is given back when the bytes are not used any more', async () => {
    const { clock, open, reserved } = await together();
    const [one, other] = [open(), open()];
    for (const name of ['a/1', 'a/2', 'a/3']) await one.put(name, 20_000, name === 'a/1' ? 3_000 : 60_000);
    await expect(other.put('b/1', 20_000)).rejects.toMatchObject(quota);
    await clock.advance(5_000);
    expect(await reserved()).toEqual([40_000]);
    await one.kv.delete('a/2');
    await clock.advance(5_000);
    expect(await reserved()).toEqual([20_000]);
    await other.put('b/1', 44_000);
    await one.kv.delete('a/3');
    await clock.advance(5_000);
    expect(await reserved()).toEqual([44_000]);
    await clock.advance(30_000);
    expect([await reserved(), clock.waiting]).toEqual([[], []]);
  });

  it('ends for a process that died when the last of its bytes expires', async () => {
    const { clock, ledgers, key, open, reserved } = await together();
    const died = open(new FakeClock());
    await died.put('a/1', 50_000, 100_000);
    const other = open();
    await expect(other.put('b/1', 20_000)).rejects.toMatchObject(quota);
    await clock.advance(100_000);
    expect(await reserved()).toEqual([50_000]);
    await clock.advance(36_000);
    await other.put('b/1', 20_000);
    expect(await reserved()).toEqual([20_000]);
    expect((await ledgers.kv.get(key))?.value).toContain('20000');
  });

  it('lasts as long as bytes that are written or touched later', async () => {
    const { clock, open } = await together();
    const [one, other] = [open(), open()];
    await one.put('a/1', 50_000, 10_000);
    for (let round = 0; round < 10; round++) {
      await clock.advance(9_000);
      await one.kv.touch('a/1', 10_000);
    }
    await expect(other.put('b/1', 20_000)).rejects.toMatchObject(quota);
  });

  it('frees a value that another process has deleted or replaced when this process reads it', async () => {
    const { open } = await together();
    const [one, other] = [open(), open()];
    await one.put('a/1', 30_000);
    await one.put('a/2', 30_000);
    await other.kv.delete('a/1');
    await other.put('a/2', 500);
    await expect(one.put('a/3', 60_000)).rejects.toMatchObject(quota);
    expect(await one.kv.get('a/1')).toBeUndefined();
    expect((await one.kv.get('a/2'))?.value).toHaveLength(500 - overhead - 3);
    await one.put('a/3', 60_000);
  });

  it('counts a value at the process that keeps it alive', async () => {
    const { clock, open } = await together();
    const [one, other] = [open(), open()];
    await one.put('a/1', 40_000, 10_000);
    await clock.advance(8_000);
    expect(await other.kv.touch('a/1', 60_000)).toBe(true);
    await clock.advance(8_000);
    await expect(other.put('a/2', 30_000)).rejects.toMatchObject(quota);
    expect(await other.kv.touch('a/none', 60_000)).toBe(false);
  });

  it('counts a value that is written when all earlier ones have expired', async () => {
    const { clock, open } = await together();
    const one = open();
    await one.put('a/1', 100, 1_000);
    await clock.advance(5_000);
    await one.put('a/2', 40_000);
    await expect(one.put('a/3', 30_000)).rejects.toMatchObject(quota);
  });

  it('counts the entries of other processes in a log that it keeps alive', async () => {
    const { clock, open } = await together();
    const [one, other] = [open(), open()];
    await one.log.append('l/1', 'x'.repeat(40_000), { ttl: 10_000 });
    await other.log.append('l/1', 'x', { ttl: 60_000 });
    await clock.advance(30_000);
    await expect(other.put('a/1', 30_000)).rejects.toMatchObject(quota);
    await expect(one.put('a/1', 30_000)).rejects.toMatchObject(quota);
    await clock.advance(60_000);
    // The log begins again.
    await other.log.append('l/1', 'x', { ttl: 10_000 });
    await other.put('a/1', 60_000);
  });

  it('is not exceeded by writes of several processes at the same time', async () => {
    const { open, reserved } = await together();
    const processes = [open(), open(), open()];
    const writes = Array.from({ length: 120 }, (_, index) => processes[index % 3]?.put(`a/${index}`, 1_000));
    const done = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled');
    const sum = (await reserved()).reduce((all, bytes) => all + bytes, 0);
    expect(sum).toBeLessThanOrEqual(limit);
    // Each process has a 64th without a reservation.
    expect(done.length).toBeGreaterThanOrEqual(60);
    expect(done.length).toBeLessThanOrEqual(67);
  });

  it('rejects a write when its bytes cannot be reserved because the state cannot be reached', async () => {
    const { memory, open } = await together();
    const one = open();
    memory.interrupt();
    await expect(one.put('a/1', 5_000)).rejects.toMatchObject({ reason: 'unavailable' });
    memory.restore();
    await one.put('a/1', 60_000);
  });

  it('survives a ledger that another program has changed', async () => {
    const { clock, ledgers, key, open, reserved } = await together();
    for (const text of [
      '',
      'null',
      '[1]',
      '{"a":"b","c":[-5,1e99],"d":[1e99,1e99],"e":[5]}',
      '{"a":[1,"x"]}',
    ]) {
      await ledgers.kv.put(key, text);
      await open().put('a/1', 2_000);
      expect(await reserved()).toContain(2_000);
      await clock.advance(60_000);
      await settled();
    }
  });
});
