import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { Rate, type RateLimit, requireRate } from './rate.js';

const taken = (rate: Rate, tries: number) =>
  Array.from({ length: tries }, () => rate.take()).filter(Boolean).length;

test('a burst is bounded, and so is the rate after it', async () => {
  shows('2024-11-05/basic/utilities/progress/rate-limited');
  const clock = new FakeClock();
  const rate = new Rate(clock, 10);
  expect(taken(rate, 50)).toBe(10);
  await clock.advance(500);
  expect(taken(rate, 50)).toBe(5);
  await clock.advance(60_000);
  expect(taken(rate, 50)).toBe(10);
});

test('less than one in a second is possible', async () => {
  const clock = new FakeClock();
  const rate = new Rate(clock, 0.5);
  expect(taken(rate, 5)).toBe(1);
  await clock.advance(1_000);
  expect(taken(rate, 5)).toBe(0);
  await clock.advance(1_000);
  expect(taken(rate, 5)).toBe(1);
});

test('no bound is possible', () => {
  expect(taken(new Rate(new FakeClock(), Number.POSITIVE_INFINITY), 1_000)).toBe(1_000);
});

test('more or fewer may be taken at once than in a second', async () => {
  const clock = new FakeClock();
  const [many, few] = [new Rate(clock, 10, 30), new Rate(clock, 10, 2)];
  expect([taken(many, 50), taken(few, 50)]).toEqual([30, 2]);
  await clock.advance(1_000);
  expect([taken(many, 50), taken(few, 50)]).toEqual([10, 2]);
});

test('an empty one tells how long to wait, and keeps its word', async () => {
  const clock = new FakeClock();
  const rate = new Rate(clock, 4);
  expect(rate.wait).toBe(0);
  expect(taken(rate, 5)).toBe(4);
  expect(rate.wait).toBe(250);
  await clock.advance(249);
  expect(rate.take()).toBe(false);
  expect(rate.wait).toBe(1);
  await clock.advance(1);
  expect(rate.take()).toBe(true);
});

test.each([
  [{ perSecond: 1 }, undefined],
  [{ perSecond: Number.POSITIVE_INFINITY, burst: 5 }, undefined],
  [{ perSecond: 1, brust: 5 }, 'rates.calls: there is no option "brust". Did you mean "burst"?'],
  [{ perSecond: 0 }, 'rates.calls: perSecond must be a positive number.'],
  [{ perSecond: 1, burst: '5' }, 'rates.calls: burst must be a positive number.'],
  [{ burst: 5 }, 'rates.calls: perSecond must be a positive number.'],
  [5, 'rates.calls takes an object with options.'],
])('a limit must be one that can be kept: %j', (limit, message) => {
  const given = () => requireRate('rates.calls', limit as RateLimit);
  if (message === undefined) expect(given()).toEqual(limit);
  else expect(given).toThrow(message);
});
