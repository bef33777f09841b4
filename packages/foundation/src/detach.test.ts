import { expect, test } from 'vitest';
import { detach, follow } from './detach.js';

const boom = new Error('boom');
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('detach hands over what the work rejects with', async () => {
  const failures: unknown[] = [];
  detach(Promise.reject(boom), (error) => failures.push(error));
  detach(Promise.resolve(1), (error) => failures.push(error));
  detach(undefined, (error) => failures.push(error));
  await turn();
  expect(failures).toEqual([boom]);
});

test('follow hands over what a promise rejects with, and what the function throws', async () => {
  const seen: unknown[] = [];
  const failed = (error: unknown) => seen.push(error);
  follow(Promise.resolve(1), (value) => seen.push(value), failed);
  follow(Promise.reject(boom), () => seen.push('never'), failed);
  follow(
    Promise.resolve(2),
    () => {
      throw new TypeError('taken badly');
    },
    failed,
  );
  await turn();
  expect(seen).toEqual([1, boom, new TypeError('taken badly')]);
});
