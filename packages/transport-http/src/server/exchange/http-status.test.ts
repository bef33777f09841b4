import { expect, it } from 'vitest';
import { httpStatusOf } from './http-status.js';

it.each([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32602, 200],
  [-32603, 200],
  [-32002, 200],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
  [-31001, 503],
  [-31002, 503],
  [-31003, 200],
  [-31004, 429],
  [0, 200],
  [404, 200],
])('error %i has status %i', (code, status) => {
  expect(httpStatusOf(code)).toBe(status);
});
