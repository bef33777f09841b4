import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a task runs once, unless it is taken back', () => {
  const seen: string[] = [];
  systemClock.schedule(() => seen.push('a'), 10);
  systemClock.schedule(() => seen.push('b'), 10)();
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['a']);
});

test('waits longer than timers reach do not fire at once', () => {
  const seen: string[] = [];
  systemClock.schedule(() => seen.push('a'), 2 ** 40);
  systemClock.schedule(() => seen.push('b'), Number.POSITIVE_INFINITY);
  vi.advanceTimersByTime(1_000_000);
  expect(seen).toEqual([]);
});

test('a task keeps the process alive only while it is held', () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  const cancel = systemClock.schedule(() => {}, 10_000);
  expect(timers()).toBe(before);
  cancel.hold?.(true);
  expect(timers()).toBe(before + 1);
  cancel.hold?.(false);
  expect(timers()).toBe(before);
  cancel();
  systemClock.schedule(() => {}, 10_000, true)();
  expect(timers()).toBe(before);
});
