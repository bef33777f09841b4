import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { memoryState } from '../memory/memory-state.js';
import { StateError } from '../state.js';
import { CallerQuota, type QuotaSettings, quotaOn } from './caller-quota.js';

const overhead = 64;
const limit = 64_000;
const quota = { name: StateError.name, reason: 'quota' };

/** A value with which a key counts as so many bytes. */
const sized = (key: string, bytes: number) => 'x'.repeat(bytes - overhead - key.length);

/** A server on its own. */
function alone(settings: QuotaSettings = {}) {
  const clock = new FakeClock();
  const state = memoryState({ clock });
  const counted = new CallerQuota(state, { bytes: limit, clock, wall: clock, ...settings });
  const put = (caller: string, key: string, bytes: number) =>
    counted.of(caller).kv.put(key, sized(key, bytes), { ttl: 10_000 });
  return { clock, state, counted, put };
}

describe('the quota of a caller', () => {
  it('rejects what does not fit, writes nothing, and leaves other callers their share', async () => {
    const { put, state } = alone();
    await put('ann', 'a/1', 60_000);
    await expect(put('ann', 'a/2', 4_001)).rejects.toMatchObject(quota);
    expect(await state.kv.get('a/2')).toBeUndefined();
    await put('ann', 'a/3', 4_000);
    await put('bob', 'b/1', 60_000);
    expect((await state.kv.get('a/1'))?.value).toHaveLength(60_000 - overhead - 3);
  });

  it('rejects one value that is larger than the share', async () => {
    const { put } = alone();
    await expect(put('ann', 'a/1', limit + 1)).rejects.toMatchObject(quota);
    await put('ann', 'a/1', limit);
  });

  it('is a quarter of what a memory state can hold', async () => {
    const state = memoryState({ bytes: 4_000 });
    const { kv } = quotaOn(state).of('ann');
    await expect(kv.put('a/1', sized('a/1', 1_001))).rejects.toMatchObject(quota);
    await kv.put('a/1', sized('a/1', 1_000));
  });

  it('is one for all that write to a state in one process, and the least of their bounds holds', async () => {
    const state = memoryState();
    await quotaOn(state).of('ann').kv.put('a/1', sized('a/1', 500));
    const again = quotaOn(state, { bytes: 1_000 });
    expect(again).toBe(quotaOn(state, { bytes: 2_000 }));
    await expect(again.of('ann').kv.put('a/2', sized('a/2', 501))).rejects.toMatchObject(quota);
  });

  it('does not count a caller without a name', async () => {
    const { counted, state } = alone();
    expect(counted.of(undefined)).toBe(state);
  });

  it('frees what expires, is deleted or is replaced, and counts a value once', async () => {
    const { clock, counted, put } = alone();
    const { kv } = counted.of('ann');
    for (let round = 0; round < 5; round++) await put('ann', 'a/1', 60_000);
    await expect(put('ann', 'a/2', 5_000)).rejects.toMatchObject(quota);
    await put('ann', 'a/1', 30_000);
    await put('ann', 'a/2', 34_000);
    await kv.delete('a/2');
    await put('ann', 'a/3', 34_000);
    await expect(put('ann', 'a/4', 1_000)).rejects.toMatchObject(quota);
    await clock.advance(11_000);
    await put('ann', 'a/4', limit);
  });

  it('counts a value that is touched for the new time', async () => {
    const { clock, counted, put } = alone();
    await put('ann', 'a/1', 60_000);
    await clock.advance(9_000);
    expect(await counted.of('ann').kv.touch('a/1', 10_000)).toBe(true);
    await clock.advance(9_000);
    await expect(put('ann', 'a/2', 5_000)).rejects.toMatchObject(quota);
    await clock.advance(2_000);
    await put('ann', 'a/2', limit);
  });

  it('counts no write that failed, and none with a version that did not match', async () => {
    const { counted, put, state } = alone();
    const { kv } = counted.of('ann');
    await put('ann', 'a/1', 1_000);
    for (let round = 0; round < 5; round++) {
      const value = sized('a/1', 60_000);
      expect(await kv.compareAndSet('a/1', value, { expected: 'other' })).toBeUndefined();
      vi.spyOn(state.kv, 'put').mockRejectedValueOnce(new StateError('full', 'State: it is full.'));
      await expect(put('ann', `a/full-${round}`, 60_000)).rejects.toMatchObject({ reason: 'full' });
    }
    await put('ann', 'a/2', 63_000);
  });

  it('counts a write without an answer, which may have taken effect, until a read shows that it has not', async () => {
    const { counted, put, state } = alone();
    const late = new StateError('unavailable', 'State: no answer in time.');
    vi.spyOn(state.kv, 'put').mockRejectedValueOnce(late);
    await expect(put('ann', 'a/1', 60_000)).rejects.toBe(late);
    await expect(put('ann', 'a/2', 5_000)).rejects.toMatchObject(quota);
    expect(await counted.of('ann').kv.get('a/1')).toBeUndefined();
    await put('ann', 'a/2', 5_000);
  });

  it('admits as many of several writes at the same time as fit', async () => {
    const { put } = alone();
    const writes = Array.from({ length: 20 }, (_, index) => put('ann', `a/${index}`, 10_000));
    const done = (await Promise.allSettled(writes)).map(({ status }) => status);
    expect(done.filter((status) => status === 'fulfilled')).toHaveLength(6);
    await put('ann', 'a/last', 4_000);
  });

  it('lets a value be replaced by one that is not larger when the share is used up', async () => {
    const { put } = alone();
    await put('ann', 'a/1', 60_000);
    await put('ann', 'a/2', 4_000);
    await Promise.all([put('ann', 'a/1', 60_000), put('ann', 'a/1', 60_000), put('ann', 'a/2', 3_000)]);
    await put('ann', 'a/3', 1_000);
    await expect(put('ann', 'a/1', 60_001)).rejects.toMatchObject(quota);
  });

  it('counts the entries of a log that its retention keeps', async () => {
    const { clock, counted } = alone();
    const { log } = counted.of('ann');
    const entry = 'x'.repeat(1_000 - overhead);
    for (let count = 0; count < 500; count++)
      await log.append('a/log', entry, { ttl: 10_000, keep: { entries: 60 } });
    for (let count = 0; count < 3; count++) await log.append('a/2', entry, { ttl: 10_000 });
    await expect(log.append('a/2', entry)).rejects.toMatchObject(quota);
    await log.append('a/log', entry, { ttl: 20_000, keep: { entries: 60 } });
    await clock.advance(12_000);
    await expect(log.append('a/2', 'x'.repeat(5_000))).rejects.toMatchObject(quota);
    expect(await log.delete('a/log')).toBe(true);
    for (let count = 0; count < 63; count++) await log.append('a/2', entry, { keep: { bytes: 30_000 } });
    for (let count = 0; count < 30; count++) await log.append('a/3', entry);
  });

  it('reports a caller that is refused once a minute, however often', async () => {
    const errors: string[] = [];
    const { clock, put } = alone({ onError: (error, where) => errors.push(`${where}: ${error}`) });
    const refused = async (caller: string) => {
      for (let round = 0; round < 50; round++)
        await expect(put(caller, 'a/1', limit + 1)).rejects.toMatchObject(quota);
    };
    await refused('ann');
    await refused('bob');
    expect(errors).toEqual([
      'state: Error: The caller ann has used up its share of the state, of 64000 bytes: some of its calls are refused. Raise limits.stateBytesPerCaller if it needs more.',
      expect.stringContaining('The caller bob'),
    ]);
    await clock.advance(60_000);
    await refused('ann');
    expect(errors).toHaveLength(3);
  });
});
