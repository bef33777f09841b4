import { describe, expect, test } from 'vitest';
import { printable, redact, redactText } from './redaction.js';

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

test('redacts values in raw headers after secret names', () => {
  const rawHeaders = ['Host', 'a', 'Cookie', 'lang=abc', 'x-api-key', 'abc'];
  expect(redact({ rawHeaders })).toEqual({ rawHeaders: ['Host', 'a', 'Cookie', x, 'x-api-key', x] });
  expect(redact({ fields: rawHeaders })).toEqual({ fields: rawHeaders });
});

describe('members with secret names', () => {
  test.each([
    ...[
      'authorization',
      'Authorization',
      'proxy-authorization',
      'cookie',
      'set-cookie',
      'Set-Cookie',
      'cookies',
    ],
    ...[
      'password',
      'newPassword',
      'user_password',
      'PASSWORD',
      'dbPasswd',
      'passphrase',
      'password2',
      'passwordHash',
    ],
    ...['secret', 'client_secret', 'clientSecret', 'AWS_SECRET_ACCESS_KEY', 'mysecret'],
    ...[
      'token',
      'accessToken',
      'access_token',
      'refresh-token',
      'GITHUB_TOKEN',
      'idToken',
      'authtoken',
      'oauth2Token',
    ],
    ...[
      'apiKey',
      'api_key',
      'API-KEY',
      'x-api-key',
      'APIKey',
      'apikey',
      'private_key',
      'privateKey',
      'signingKey',
    ],
    ...['credentials', 'mcp-session-id', 'sessionId', 'jwt', 'tokens'],
  ])('%s', (name) => {
    expect(redact({ [name]: 'abc', other: 'abc' })).toEqual({ [name]: x, other: 'abc' });
  });

  test.each([
    ...[
      'progressToken',
      'nextCursor',
      'cursor',
      'nextPageToken',
      'maxTokens',
      'stopTokens',
      'tokenizer',
      'key',
      'code',
    ],
    ...[
      'token_type',
      'tokenCount',
      'token_endpoint',
      'authorization_servers',
      'authorization_endpoint',
      'author',
    ],
    ...[
      'client_secret_expires_at',
      'passwordPolicy',
      'passwordRequired',
      'secretName',
      'id',
      'sig',
      'keyboard',
    ],
    ...['requestState', 'taskId', 'cookiePolicy', 'secretary'],
  ])('keep the value of %s', (name) => {
    const value = { [name]: 'abc' };
    expect(redact(value)).toBe(value);
  });

  test('keep counts and flags, which reveal no token', () => {
    const value = {
      tokens: 5,
      token: 7,
      usage: { tokens: { input: 1 } },
      password: null,
      hasPassword: true,
      cookie: false,
    };
    expect(redact(value)).toBe(value);
    expect(redact({ password: 1234, secret: 5n })).toEqual({ password: x, secret: x });
  });

  test('lose every text below them', () => {
    expect(redact({ cookies: [{ name: 'sid', value: 'abc', age: 3 }], tokens: { a: ['b'], n: 2 } })).toEqual({
      cookies: [{ name: x, value: x, age: x }],
      tokens: { a: [x], n: 2 },
    });
  });

  test('may be pairs, maps or headers', () => {
    expect(
      redact({
        rawHeaders: [
          ['Authorization', 'abc'],
          ['Host', 'a'],
        ],
      }),
    ).toEqual({
      rawHeaders: [
        ['Authorization', x],
        ['Host', 'a'],
      ],
    });
    expect(
      redact([
        { name: 'Cookie', value: 'abc' },
        { name: 'Host', value: 'a' },
      ]),
    ).toEqual([
      { name: 'Cookie', value: x },
      { name: 'Host', value: 'a' },
    ]);
    expect(
      redact(
        new Map([
          ['token', 'abc'],
          ['a', 'b'],
        ]),
      ),
    ).toEqual(
      new Map([
        ['token', x],
        ['a', 'b'],
      ]),
    );
    expect(redact(new Set(['Bearer abc123def456']))).toEqual(new Set([`Bearer ${x}`]));
    expect(redact(new Headers({ authorization: 'abc', host: 'a' }))).toEqual({ authorization: x, host: 'a' });
  });
});

test('redacts texts at every level', () => {
  const value = { a: ['x', { b: 'Bearer abc123def456' }], 'https://u:p@h': 1 };
  expect(redact(value)).toEqual({ a: ['x', { b: `Bearer ${x}` }], [`https://${x}@h`]: 1 });
  expect(value.a[1]).toEqual({ b: 'Bearer abc123def456' });
  expect(redact('Bearer abc123def456')).toBe(`Bearer ${x}`);
});

test('returns values without secrets unchanged, of any class', () => {
  class Point {
    x = 1;
    label = 'here';
  }
  const shared = { a: 1 };
  for (const value of [
    ...[undefined, null, true, 0, Number.NaN, 5n, 'text', Symbol.iterator, () => 1],
    ...[new Point(), new Date(0), new URL('https://example.com'), new Map([[1, 2]]), new Error('plain'), /a/],
    ...[[Number.NaN, undefined], { shared, again: shared }, Object.create(null)],
  ]) {
    expect(redact(value)).toBe(value);
  }
  expect(redact(new URL('https://u:p@example.com'))).toBe(`https://${x}@example.com/`);
});

test('treats names of Object.prototype like other names', () => {
  const value: unknown = JSON.parse('{"__proto__":{"token":"abc"},"constructor":"Bearer abc123def456"}');
  const clean = redact(value) as object;
  expect(JSON.stringify(clean)).toBe(`{"__proto__":{"token":"${x}"},"constructor":"Bearer ${x}"}`);
  expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
});

describe('errors', () => {
  test('keep their class, with message, stack, cause and members redacted', () => {
    class Refused extends TypeError {
      status = 401;
      config = { headers: { authorization: 'abc' } };
    }
    const error = new Refused('GET https://u:p@h failed', { cause: new Error('token=abc') });
    const clean = redact(error) as Refused;
    expect(clean).toBeInstanceOf(Refused);
    expect(clean.message).toBe(`GET https://${x}@h failed`);
    expect(clean.stack).toContain(`https://${x}@h`);
    expect(clean.stack).toContain('redaction.test.ts');
    expect(clean.stack).not.toContain('u:p@');
    expect((clean.cause as Error).message).toBe(`token=${x}`);
    expect(clean.config.headers.authorization).toBe(x);
    expect(clean.status).toBe(401);
    expect(Object.keys(clean).sort()).toEqual(['config', 'status']);
    expect(error.message).toContain('u:p@');
    expect(error.config.headers.authorization).toBe('abc');
  });

  test('redact each error of an AggregateError', () => {
    const clean = redact(new AggregateError([new Error('password=abc')], 'many')) as AggregateError;
    expect((clean.errors[0] as Error).message).toBe(`password=${x}`);
  });
});

describe('never throws, and always ends', () => {
  const cyclic: { self?: unknown; token: string } = { token: 'abc' };
  cyclic.self = cyclic;
  const failing = () => {
    throw new Error('no');
  };
  const hostile = new Proxy({}, { ownKeys: failing, get: failing, getPrototypeOf: failing });

  test.each<[string, () => unknown, unknown]>([
    ['a cycle', () => cyclic, { token: x, self: '[circular]' }],
    [
      'a getter that throws',
      () => Object.defineProperty({}, 'a', { get: failing, enumerable: true }),
      { a: '[unreadable]' },
    ],
    ['an object that cannot be read', () => ({ a: hostile }), { a: '[unreadable]' }],
    ['toJSON that throws', () => ({ toJSON: failing }), '[unreadable]'],
    ['bytes', () => ({ a: new Uint8Array(1_000_000) }), { a: '[1000000 bytes]' }],
  ])('%s', (_, make, clean) => expect(redact(make())).toEqual(clean));

  test('copies an error with a getter that throws', () => {
    const error = Object.defineProperty(new Error('a'), 'message', { get: failing });
    expect(() => redact(error)).not.toThrow();
  });

  test('bounds the depth', () => {
    let deep: unknown = 'token=abc';
    for (let level = 0; level < 10_000; level++) deep = { deep };
    const text = JSON.stringify(redact(deep));
    expect(text).toContain('[left out]');
    expect(text.length).toBeLessThan(1_000);
  });

  test.each<[string, () => unknown]>([
    ['values in a list', () => Array.from({ length: 100_000 }, () => 'a')],
    ['values of a list with holes', () => new Array(4_000_000_000)],
    ['members', () => Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 1]))],
    ['entries of a map', () => new Map(Array.from({ length: 100_000 }, (_, index) => [index, 1]))],
    [
      'values behind shared references',
      () => Array.from({ length: 40 }).reduce<unknown>((below) => [below, below], 'a'),
    ],
  ])('bounds the number of %s', (_, make) => {
    const clean = redact(make());
    const text = JSON.stringify(clean instanceof Map ? [...clean] : clean);
    expect(text).toContain('left out]');
    expect(text.length).toBeLessThan(200_000);
  });

  test('bounds the number of characters, and reports it', () => {
    const clean = redact({ a: 'a'.repeat(1_048_000), b: 'b'.repeat(10_000) }) as { a: string; b: string };
    expect(clean.a).toHaveLength(1_048_000);
    expect(clean.b).toMatch(/^b{574,576}… \(94\d\d more characters\)$/);
  });
});

test.each([
  ['a colour', 'pass\u001b[1mword: hunter2', 'password: [redacted]'],
  ['a cleared line', 'Bearer \u001b[0Kabc123def456', 'Bearer [redacted]'],
  ['NUL', 'pass\u0000word=hunter2', 'password=[redacted]'],
])('a printable value has no secret with %s in the middle', (_, dirty, clean) => {
  expect(printable({ said: dirty })).toEqual({ said: clean });
});
