import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/manual-clock.js';
import { Heartbeat } from './heartbeat.js';

function beating(interval: number) {
  const clock = new ManualClock();
  const heartbeat = new Heartbeat(clock, interval);
  const times: number[] = [];
  const member = { beat: (now: number) => void times.push(now) };
  return { clock, heartbeat, times, member };
}

it('looks twice within an interval, at everything with one timer', async () => {
  const { clock, heartbeat, times, member } = beating(100);
  heartbeat.add(member);
  heartbeat.add({ beat: () => undefined });
  expect(clock.waiting).toEqual([50]);
  await clock.advance(200);
  expect(times).toEqual([50, 100, 150, 200]);
});

it.each([60_000, 45_000, 3_600_000])(
  'looks for what has expired within 7.5 s although streams are kept alive every %i ms',
  async (interval) => {
    const { clock, heartbeat, member } = beating(interval);
    const looks: number[] = [];
    const due: number[] = [];
    heartbeat.add({ beat: (now, isDue) => void (isDue ? due : looks).push(now) });
    heartbeat.add(member);
    await clock.advance(2 * interval);
    expect(due).toEqual([0.5, 1, 1.5, 2].map((times) => times * interval));
    const all = [0, ...looks, ...due].sort((a, b) => a - b);
    expect(Math.max(...all.map((at, index) => at - (all[index - 1] ?? 0)))).toBeLessThanOrEqual(7_500);
  },
);

it('looks for what has expired although nothing is ever kept alive', async () => {
  const { clock, heartbeat } = beating(Number.POSITIVE_INFINITY);
  const looks: boolean[] = [];
  heartbeat.add({ beat: (_, isDue) => void looks.push(isDue) });
  await clock.advance(30_000);
  expect(looks).toEqual([false, false, false, false]);
});

it('has no timer where there is nothing to look at', async () => {
  const { clock, heartbeat, times, member } = beating(100);
  expect(clock.waiting).toEqual([]);
  heartbeat.add(member);
  heartbeat.delete(member);
  await clock.advance(100);
  expect({ times, waiting: clock.waiting }).toEqual({ times: [], waiting: [] });
  heartbeat.add(member);
  await clock.advance(50);
  expect(times).toHaveLength(1);
});

it('takes members that go while it looks', async () => {
  const { clock, heartbeat, times, member } = beating(100);
  heartbeat.add({ beat: () => heartbeat.delete(member) });
  heartbeat.add(member);
  await clock.advance(100);
  expect(times.length).toBeLessThanOrEqual(1);
});

it('goes on where a runtime has dropped its timer, with one timer still where it was only late', async () => {
  const { clock, heartbeat, times, member } = beating(100);
  heartbeat.add(member);
  clock.stall(120);
  heartbeat.add({ beat: () => undefined });
  expect(clock.waiting).toEqual([50]);
  await clock.advance(50);
  expect(times).toEqual([170]);
});
