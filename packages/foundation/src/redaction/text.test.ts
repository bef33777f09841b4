import { describe, expect, test } from 'vitest';
import { redactText } from './text.js';

const x = '[redacted]';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';

describe('redactText removes', () => {
  test.each<[text: string, clean: string]>([
    ['Bearer abc123def456', `Bearer ${x}`],
    ['sent "authorization: Bearer abc" to it', `sent "authorization: ${x}" to it`],
    ['Authorization: Basic dXNlcjpwYXNz\r\nHost: a', `Authorization: ${x}\r\nHost: a`],
    ['Cookie: a=b; c=d\nHost: x', `Cookie: ${x}\nHost: x`],
    [`{"a":"${jwt}"}`, `{"a":"${x}"}`],
    ['https://user:pass@example.com/a', `https://${x}@example.com/a`],
    ['redis://:hunter2@cache', `redis://${x}@cache`],
    ['/x?access_token=abc&b=1', `/x?access_token=${x}&b=1`],
    ['password=hunter2', `password=${x}`],
    ['DB_PASSWORD="two words" next', `DB_PASSWORD="${x}" next`],
    ['{"password":"hunter2","user":"ada"}', `{"password":"${x}","user":"ada"}`],
    ['{\\"client_secret\\":\\"a b\\",\\"c\\":1}', `{\\"client_secret\\":\\"${x}\\",\\"c\\":1}`],
    ['2fa_secret: abc', `2fa_secret: ${x}`],
    [`\x1b[31m${jwt}\x1b[0m`, `\x1b[31m${x}\x1b[0m`],
    ['\x1b[1;36mBearer\x1b[0m abc123def456', `\x1b[1;36mBearer\x1b[0m ${x}`],
    ['\x1b[1mapiKey\x1b[0m: \x1b[33mhunter2\x1b[0m', `\x1b[1mapiKey\x1b[0m: \x1b[33m${x}\x1b[0m`],
  ])('the secret in %j', (text, clean) => {
    expect(redactText(text)).toBe(clean);
    expect(redactText(clean)).toBe(clean);
  });
});

describe('redactText keeps', () => {
  test.each([
    'bearer authentication',
    'tokens: 5, progressToken=abc123def, nextCursor: eyJpZCI6MTIzfQ',
    'params.password: expected a string',
    'password: required, token: null',
    'The secret: a good night of sleep',
    'git clone ssh://git@example.com/repo.git',
    'see https://example.com/a?page=2&q=key, or mail ada@example.com',
    // These are recognised by `redactThoroughly`.
    'Basic dXNlcjpwYXNz',
    'AKIAABCDEFGH12345678',
    '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----',
    '/cb?code=abc',
  ])('%j', (text) => expect(redactText(text)).toBe(text));
});

test.each([
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9 ',
  'eyJhbGciOiJIUzI1NiJ9.a ',
  '-eyJabcdefgh.',
  'token:',
  'token=1 ',
  'password="',
  "password='[redacted] ",
  '://',
  'http://a@',
  'http://aaaa',
  'a+',
  'Bearer ',
  'cookie:',
  '"authorization":',
  '\x1b[1m',
  'token\x1b[1m',
  '\x1b[1111111',
  'aB',
])('redacts a megabyte of %j in proportion to its length', (piece) => {
  // Work that grows with the square of the length would exceed the time limit of the test.
  const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
  expect(redactText(text).length).toBeLessThan(text.length * 5);
});
