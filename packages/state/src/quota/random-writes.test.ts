import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { SharedMemory } from '../internal.js';
import { CallerQuota } from './caller-quota.js';

/** Returns a generator of numbers from 0 up to 1 that repeats for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const limit = 64_000;
const overhead = 64;
const keys = Array.from({ length: 30 }, (_, index) => `a/${index}`);
const logs = ['l/1', 'l/2', 'l/3'];

describe('the bytes of a caller in the state', () => {
  it.each([1, 2, 3, 4, 21, 63, 96, 97])(
    'stay below the bound whatever processes write, delete and touch (seed %s)',
    async (seed) => {
      const random = seededRandom(seed);
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
      const clock = new FakeClock();
      const memory = new SharedMemory({ clock });
      const reader = memory.open();
      const open = () => new CallerQuota(memory.open(), { bytes: limit, clock, wall: clock }).of('ann');
      let processes = [open(), open(), open()];
      let started = processes.length;
      const held = async () => {
        let bytes = 0;
        for (const key of keys) {
          const found = await reader.kv.get(key);
          if (found !== undefined) bytes += found.value.length + key.length + overhead;
        }
        for (const key of logs) {
          const { entries } = await reader.log.read(key, 0);
          for (const { value } of entries) bytes += value.length + overhead;
        }
        return bytes;
      };
      let accepted = 0;
      let refused = 0;
      for (let step = 0; step < 400; step++) {
        const { kv, log } = pick(processes);
        const key = pick(keys);
        const value = 'x'.repeat(Math.floor(random() ** 3 * 20_000));
        const ttl = Math.ceil(random() * 60_000);
        const dice = random();
        try {
          if (dice < 0.35) await kv.put(key, value, { ttl });
          else if (dice < 0.5) {
            const found = await kv.get(key);
            await kv.compareAndSet(key, value, { expected: found?.version, ttl });
          } else if (dice < 0.6) await kv.delete(key);
          else if (dice < 0.7) await kv.touch(key, ttl);
          else if (dice < 0.85)
            await log.append(pick(logs), value.slice(0, 5_000), { ttl, keep: { entries: 10 } });
          else if (dice < 0.97) await clock.advance(Math.floor(random() * 10_000));
          else {
            // One process dies, and another takes its place.
            processes = [...processes.slice(1), open()];
            started += 1;
          }
          accepted += 1;
        } catch (error) {
          expect(error).toMatchObject({ reason: 'quota' });
          refused += 1;
        }
        // Each process has a 64th without a reservation.
        expect(await held()).toBeLessThanOrEqual(limit + (started * limit) / 64);
      }
      expect(accepted).toBeGreaterThan(200);
      expect(refused).toBeGreaterThan(0);
      await clock.advance(200_000);
      await processes[0]?.kv.put('a/0', 'x'.repeat(limit - overhead - 3), { ttl: 1_000 });
    },
  );
});
