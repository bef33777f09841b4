import { expect, it } from 'vitest';
import { BoundedWork } from './bounded-work.js';

it('runs tasks up to the limit, the others in turn, also after a failure', async () => {
  const work = new BoundedWork({ most: 2, mostWaiting: 2 });
  const started: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const task = (number: number) =>
    work.run(() => {
      started.push(number);
      return new Promise<number>((resolve, reject) => {
        ends[number] = (error) => (error === undefined ? resolve(number) : reject(error));
      });
    });
  const [zero, one, two, three] = [task(0), task(1), task(2), task(3)];
  expect(started).toEqual([0, 1]);
  expect(work.isFull).toBe(true);
  ends[1]?.(new Error('It failed.'));
  await expect(one).rejects.toThrow('It failed.');
  expect(started).toEqual([0, 1, 2]);
  expect(work.isFull).toBe(false);
  // The place of the finished task belongs to the next waiting one, so this task has to wait.
  const four = task(4);
  expect(started).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  expect(await Promise.all([zero, two])).toEqual([0, 2]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  expect(await Promise.all([three, four])).toEqual([3, 4]);
  const [five, six] = [task(5), task(6)];
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
  ends[5]?.();
  ends[6]?.();
  await Promise.all([five, six]);
});
