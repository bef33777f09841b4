import { expect, it } from 'vitest';
import { isPrivateWay } from './private-way.js';

it.each([
  ['https://auth.example/token', true],
  ['http://localhost:9000/token', true],
  ['http://127.0.0.1/token', true],
  ['http://127.1.2.3:8080/token', true],
  ['http://[::1]:8080/token', true],
  ['http://127.1/token', true],
  ['http://auth.example/token', false],
  ['http://localhost.example/token', false],
  ['http://127.0.0.1.example/token', false],
  ['http://0.0.0.0/token', false],
  ['http://10.0.0.1/token', false],
  ['http://[::ffff:127.0.0.1]/token', false],
  ['ftp://localhost/token', false],
  ['file:///token', false],
])('%s is private: %j', (url, isPrivate) => {
  expect(isPrivateWay(new URL(url))).toBe(isPrivate);
});
