import { expect, test } from 'vitest';
import { growsInProportion } from '../../../../tooling/suite/effort.js';
import { bearerChallenge, type Challenge, parseChallenges } from './challenges.js';

type Flat = readonly [scheme: string, params: Readonly<Record<string, string>>, token68?: string];

function flat({ scheme, params, token68 }: Challenge): Flat {
  const own = Object.fromEntries(params);
  return token68 === undefined ? [scheme, own] : [scheme, own, token68];
}

const table: readonly (readonly [string | readonly string[], ...Flat[]])[] = [
  ['Bearer', ['bearer', {}]],
  ['BEARER  Realm="a b"', ['bearer', { realm: 'a b' }]],
  [
    'Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"',
    ['newauth', { realm: 'apps', type: '1', title: 'Login to "apps"' }],
    ['basic', { realm: 'simple' }],
  ],
  [
    ['Basic realm="x"', 'Bearer scope="a b"'],
    ['basic', { realm: 'x' }],
    ['bearer', { scope: 'a b' }],
  ],
  ['Negotiate, Bearer error=invalid_token', ['negotiate', {}], ['bearer', { error: 'invalid_token' }]],
  ['Negotiate YWJj/+-._~==, Basic realm="x"', ['negotiate', {}, 'YWJj/+-._~=='], ['basic', { realm: 'x' }]],
  ['Bearer ,, a = "1" ,\tb=2 , , Basic', ['bearer', { a: '1', b: '2' }], ['basic', {}]],
  // A parameter that occurs twice: the first counts.
  ['Bearer scope="a", SCOPE="b"', ['bearer', { scope: 'a' }]],
  // Separators and scheme names in quotes are text.
  ['Bearer a="x, Basic realm=\\"y\\\\", b="="', ['bearer', { a: 'x, Basic realm="y\\', b: '=' }]],
  // Malformed, but readable.
  [
    'Bearer resource_metadata=https://a.example/x?y=1 error="e" scope=a',
    ['bearer', { resource_metadata: 'https://a.example/x?y=1', error: 'e', scope: 'a' }],
  ],
  [
    "Bearer resource_metadata='https://a.example/x', scope='a', b='",
    ['bearer', { resource_metadata: 'https://a.example/x', scope: 'a', b: "'" }],
  ],
  ['Bearer a="", b="c"', ['bearer', { a: '', b: 'c' }]],
  // Unreadable.
  [''],
  [' , ,, '],
  ['"Bearer realm=x"'],
  ['realm="x", scope="y"'],
  ['\u0000\u0001'],
  ['Bearer a="never closed, b=c', ['bearer', {}]],
  ['Bearer a=, b="c", =d, Basic realm="x"', ['bearer', {}, 'a='], ['basic', { realm: 'x' }]],
  ['Bearer x="1", y=, z="3"', ['bearer', { x: '1', z: '3' }]],
  ['{"a":"b"}, Bearer realm="x"', ['bearer', { realm: 'x' }]],
  ['Bearer __proto__="a", constructor="b"', ['bearer', JSON.parse('{"__proto__":"a","constructor":"b"}')]],
];

for (const [value, ...expected] of table) {
  test(`parses the challenges in ${JSON.stringify(value)}`, () => {
    const values = typeof value === 'string' ? [value] : value;
    expect(parseChallenges(values).map(flat)).toEqual(expected);
  });
}

test('parses hostile input in linear time, and bounds the result', async () => {
  const hostile = (length: number) => [
    'Bearer a="'.padEnd(length, '\\'),
    'Bearer '.padEnd(length, 'a=,'),
    'Bearer '.padEnd(length, ' '),
    ''.padEnd(length, 'a '),
    ''.padEnd(length, '"'),
    ''.padEnd(length, '='),
    `a${' '.repeat(length - 10)}=`,
    ''.padEnd(length, 'a=b '),
    `Bearer ${Array.from({ length: length / 16 }, (_, at) => `n${at}="v"`).join(',')}`,
    ''.padEnd(length, 'A b="c",'),
  ];
  const parse = (length: number) => hostile(length).map((value) => parseChallenges([value]));
  await growsInProportion(2_000, parse);
  for (const challenges of parse(16_000)) {
    expect(challenges.length).toBeLessThanOrEqual(32);
    for (const { params } of challenges) expect(params.size).toBeLessThanOrEqual(64);
  }
  expect(parseChallenges(['Bearer'.padEnd(20_000)])).toEqual([]);
});

test('reads the parameters of a Bearer challenge beside other challenges', () => {
  const value =
    'Basic realm="x", bearer Error="insufficient_scope", scope="files:read  files:write", resource_metadata="https://mcp.example/prm", error_description="More is needed"';
  expect(bearerChallenge([value])).toEqual({
    resourceMetadata: 'https://mcp.example/prm',
    scopes: ['files:read', 'files:write'],
    error: 'insufficient_scope',
    errorDescription: 'More is needed',
    dpop: false,
  });
  expect(bearerChallenge(['Bearer'])).toEqual({ dpop: false });
  expect(bearerChallenge(['Basic realm="x"'])).toBeUndefined();
  expect(bearerChallenge([])).toBeUndefined();
});

test('reads error and scopes from the challenge of the scheme that was sent', () => {
  const values = [
    'Bearer error="invalid_token", scope="a", resource_metadata="https://mcp.example/prm"',
    'DPoP error="use_dpop_nonce", algs="ES256"',
  ];
  const metadata = 'https://mcp.example/prm';
  expect(bearerChallenge(values, 'DPoP')).toMatchObject({
    error: 'use_dpop_nonce',
    scopes: undefined,
    resourceMetadata: metadata,
    dpop: true,
  });
  expect(bearerChallenge(values)).toMatchObject({
    error: 'invalid_token',
    scopes: ['a'],
    resourceMetadata: metadata,
  });
  // Only the Bearer challenge has parameters to act on.
  expect(bearerChallenge(['DPoP algs="ES256"', 'Bearer error="e"'], 'DPoP')).toMatchObject({ error: 'e' });
  expect(bearerChallenge(['DPoP algs="ES256", scope="s"'])).toMatchObject({ scopes: ['s'], dpop: true });
});

test('drops malformed scopes and error codes, and cleans the description', () => {
  const challenge = bearerChallenge([
    `Bearer scope="ok a\\"b \\\\ gr\u00fcn ok", error="in valid", error_description="\u001b[31mred\u001b[0m\u202e ${'x'.repeat(300)}"`,
  ]);
  expect(challenge?.scopes).toEqual(['ok']);
  expect(challenge?.error).toBeUndefined();
  expect(challenge?.errorDescription).toMatch(/^red x+$/);
  expect(challenge?.errorDescription).toHaveLength(200);
  const secret = bearerChallenge(['Bearer error_description="Bearer abcdefghijklmnop1234567890 is bad"']);
  expect(secret?.errorDescription).not.toContain('abcdefghijklmnop');
  const many = Array.from({ length: 1_000 }, (_, at) => `s${at}`).join(' ');
  expect(bearerChallenge([`Bearer scope="${many}"`])?.scopes).toHaveLength(128);
});
