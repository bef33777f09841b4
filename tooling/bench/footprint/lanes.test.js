import { expect, test } from 'vitest';
import { inLanes } from './lanes.js';

test('runs a limited number of tasks at a time, and returns results in order', async () => {
  let running = 0;
  let most = 0;
  const turns = [3, 1, 2, 1];
  const results = await inLanes(turns, 2, async (count, lane) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < count; turn++) await Promise.resolve();
    running--;
    return `${count} in ${lane}`;
  });
  expect(most).toBe(2);
  expect(results.map((text) => Number(text[0]))).toEqual(turns);
});

test('rejects when a task fails', async () => {
  const failing = inLanes([1, 2], 2, async (task) => {
    if (task === 2) throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
});

test('returns an empty list without tasks', async () => {
  expect(await inLanes([], 2, async () => 1)).toEqual([]);
});
