import { expect, test } from 'vitest';
import { printable } from './printable.js';

test.each([
  ['a colour', 'pass\u001b[1mword: hunter2', 'password: [redacted]'],
  ['a cleared line', 'Bearer \u001b[0Kabc123def456', 'Bearer [redacted]'],
  ['NUL', 'pass\u0000word=hunter2', 'password=[redacted]'],
])('%s in the middle of a secret does not hide it', (_, dirty, clean) => {
  expect(printable({ said: dirty })).toEqual({ said: clean });
});
