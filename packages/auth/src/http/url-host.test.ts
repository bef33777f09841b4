import { expect, test } from 'vitest';
import { isLocalhostName, isLoopbackUrl, literalAddress } from './url-host.js';

test('literalAddress reads an IP address in every spelling', () => {
  const same = [
    'http://127.0.0.1',
    'http://0x7f.1',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://2130706433',
  ];
  for (const url of [...same, 'http://\u2460\u2461\u2466.0.0.1/']) {
    expect(literalAddress(new URL(url)), url).toBe('127.0.0.1');
  }
  expect(literalAddress(new URL('https://[::1]:8443/x'))).toBe('::1');
  expect(literalAddress(new URL('https://127.0.0.1.example/'))).toBeUndefined();
});

test('isLocalhostName accepts localhost and the names below it', () => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.b.localhost', 'a.localhost.']) {
    expect(isLocalhostName(new URL(`http://${host}/`)), host).toBe(true);
  }
  for (const host of ['localhost.example', 'notlocalhost', '127.0.0.1']) {
    expect(isLocalhostName(new URL(`http://${host}/`)), host).toBe(false);
  }
});

test('isLoopbackUrl accepts loopback in every spelling', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1', '0x7f.0.0.2', '[::1]', '[::ffff:127.8.9.10]']) {
    expect(isLoopbackUrl(new URL(`http://${host}:8080/`)), host).toBe(true);
  }
  for (const host of ['0.0.0.0', '128.0.0.1', '127.0.0.1.example', '[::]', '[::2]', '[::ffff:128.0.0.1]']) {
    expect(isLoopbackUrl(new URL(`http://${host}:8080/`)), host).toBe(false);
  }
});

test('isLoopbackUrl rejects translated loopback addresses', () => {
  for (const host of ['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[::127.0.0.1]']) {
    expect(isLoopbackUrl(new URL(`http://${host}/`)), host).toBe(false);
  }
});
