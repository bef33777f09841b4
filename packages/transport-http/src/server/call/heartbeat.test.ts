import { expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { Heartbeat } from './heartbeat.js';

function startedHeartbeat(interval: number) {
  const clock = new FakeClock();
  const heartbeat = new Heartbeat(clock, interval);
  const times: number[] = [];
  const member = { beat: (now: number) => void times.push(now) };
  return { clock, heartbeat, times, member };
}

it('calls every listener twice within an interval, with one timer', async () => {
  const { clock, heartbeat, times, member } = startedHeartbeat(100);
  heartbeat.add(member);
  heartbeat.add({ beat: () => undefined });
  expect(clock.waiting).toEqual([50]);
  await clock.advance(200);
  expect(times).toEqual([50, 100, 150, 200]);
});

it.each([60_000, 45_000, 3_600_000])(
  'checks for expiry within 7.5 s although streams are kept alive every %i ms',
  async (interval) => {
    const { clock, heartbeat, member } = startedHeartbeat(interval);
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

it('checks for expiry although streams are never kept alive', async () => {
  const { clock, heartbeat } = startedHeartbeat(Number.POSITIVE_INFINITY);
  const looks: boolean[] = [];
  heartbeat.add({ beat: (_, isDue) => void looks.push(isDue) });
  await clock.advance(30_000);
  expect(looks).toEqual([false, false, false, false]);
});

it('has no timer without listeners', async () => {
  const { clock, heartbeat, times, member } = startedHeartbeat(100);
  expect(clock.waiting).toEqual([]);
  heartbeat.add(member);
  heartbeat.delete(member);
  await clock.advance(100);
  expect({ times, waiting: clock.waiting }).toEqual({ times: [], waiting: [] });
  heartbeat.add(member);
  await clock.advance(50);
  expect(times).toHaveLength(1);
});

it('allows listeners to leave during a call', async () => {
  const { clock, heartbeat, times, member } = startedHeartbeat(100);
  heartbeat.add({ beat: () => heartbeat.delete(member) });
  heartbeat.add(member);
  await clock.advance(100);
  expect(times.length).toBeLessThanOrEqual(1);
});

it('recovers if a runtime dropped its timer, and keeps one timer if it was only late', async () => {
  const { clock, heartbeat, times, member } = startedHeartbeat(100);
  heartbeat.add(member);
  clock.stall(120);
  heartbeat.add({ beat: () => undefined });
  expect(clock.waiting).toEqual([50]);
  await clock.advance(50);
  expect(times).toEqual([170]);
});
