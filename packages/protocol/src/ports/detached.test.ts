import { expect, test } from 'vitest';
import { detach, failedAnswer, follow } from './detached.js';

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

test.each([
  ['a request', { jsonrpc: '2.0', id: 'a', method: 'x' }, '"id":"a"'],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'x' }], '"id":null'],
])('failedAnswer is an internal error for %s', (_title, message, id) => {
  const answer = failedAnswer(message) ?? '';
  expect(answer).toContain(id);
  expect(JSON.parse(answer).error).toEqual({ code: -32_603, message: 'Internal error' });
});

test.each([[{ jsonrpc: '2.0', method: 'x' }], [{ jsonrpc: '2.0', id: 1, result: {} }], [5], [null]])(
  'failedAnswer is nothing for %j',
  (message) => {
    expect(failedAnswer(message)).toBeUndefined();
  },
);
