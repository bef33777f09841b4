import { expect, it } from 'vitest';
import { isHttpsOrLoopback, isUrl } from './url.js';

it('accepts a URL however often it is called', () => {
  const rejected = Array.from({ length: 20_000 }, () => isUrl('https://b\u00e4nk.example')).filter(
    (is) => !is,
  );
  expect(rejected).toEqual([]);
});

it('needs a base for a relative reference, and rejects malformed URLs', () => {
  expect(isUrl('/a', 'https://a.example/')).toBe(true);
  expect(isUrl('/a')).toBe(false);
  expect(isUrl('https://')).toBe(false);
});

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
])('isHttpsOrLoopback(%s) is %j', (url, isPrivate) => {
  expect(isHttpsOrLoopback(new URL(url))).toBe(isPrivate);
});
