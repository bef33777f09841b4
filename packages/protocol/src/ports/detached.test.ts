import { expect, test } from 'vitest';
import { failedAnswer } from './detached.js';

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
