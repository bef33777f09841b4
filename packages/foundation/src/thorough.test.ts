import { describe, expect, test } from 'vitest';
import { growsInProportion } from '../../../tooling/suite/effort.js';
import { redactThoroughly, thorough } from './thorough.js';

test('redacts members by name, and keys of well-known services in every text', () => {
  const key = `ghp_${'a1'.repeat(18)}`;
  expect(thorough({ password: 'abc', list: [`used ${key}`], user: 'ada' })).toEqual({
    password: '[redacted]',
    list: ['used [redacted]'],
    user: 'ada',
  });
});

test('returns a value without secrets unchanged', () => {
  const value = { user: 'ada', tokens: 5 };
  expect(thorough(value)).toBe(value);
});

const x = '[redacted]';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';
// Assembled here, so that secret scanners do not report this file.
const key = (prefix: string, length = 36) => prefix + 'a1B2c3D4e5F6g7H8i9J0'.repeat(4).slice(0, length);
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIEpAIBAAKCAQEA\nabc=\n-----END ${kind}-----`;

describe('redactThoroughly removes secrets', () => {
  test.each<[text: string, clean: string]>([
    ['Bearer abc123def456', `Bearer ${x}`],
    ['sent "authorization: Bearer abc" to it', `sent "authorization: ${x}" to it`],
    ['Authorization: Basic dXNlcjpwYXNz\r\nHost: a', `Authorization: ${x}\r\nHost: a`],
    ['proxy said Basic dXNlcjpwYXNz', `proxy said Basic ${x}`],
    ['bearer  mF_9.B5f-4.1JqM, next', `bearer  ${x}, next`],
    ['Cookie: a=b; c=d\nHost: x', `Cookie: ${x}\nHost: x`],
    ['set-cookie: sid=1; Path=/', `set-cookie: ${x}`],
    [`got ${jwt}.`, `got ${x}`],
    [`{"a":"${jwt}"}`, `{"a":"${x}"}`],
    [`key ${key('sk-')} used`, `key ${x} used`],
    [key('sk-ant-api03-', 60), x],
    [`${key('ghp_')}/${key('gho_')}`, `${x}/${x}`],
    [key('github_pat_', 60), x],
    [key('xoxb-'), x],
    [key('glpat-'), x],
    [key('AIza', 35), x],
    [`AKIA${'ABCDEFGH12345678'}`, x],
    [`ABIA${'ABCDEFGH12345678'}`, x],
    [`SK${'0123456789abcdef'.repeat(2)}`, x],
    [`dt0c01.${key('', 24)}.${key('', 64)}`, x],
    [key('npm_'), x],
    [key('hf_'), x],
    [key('sk_live_'), x],
    [`SG.${key('', 22)}.${key('', 40)}`, x],
    [`ya29.${key('', 40)}`, x],
    ['https://user:pass@example.com/a', `https://${x}@example.com/a`],
    ['https://token@example.com/a', `https://${x}@example.com/a`],
    ['postgres://app:p@ss/w@db:5432/x', `postgres://${x}@db:5432/x`],
    ['redis://:hunter2@cache', `redis://${x}@cache`],
    ['https://a.example/cb?code=abc&state=1', `https://a.example/cb?code=${x}&state=1`],
    ['/x?access_token=abc#y', `/x?access_token=${x}#y`],
    ['/x?a=1&key=abc&sig=d%2Fe', `/x?a=1&key=${x}&sig=${x}`],
    ['/x#id_token=abc&b=2', `/x#id_token=${x}&b=2`],
    ['password=hunter2', `password=${x}`],
    ['password: hunter2, user: ada', `password: ${x}, user: ada`],
    ['DB_PASSWORD="two words" next', `DB_PASSWORD="${x}" next`],
    ['{"password":"hunter2","user":"ada"}', `{"password":"${x}","user":"ada"}`],
    ['{\\"client_secret\\":\\"a b\\",\\"c\\":1}', `{\\"client_secret\\":\\"${x}\\",\\"c\\":1}`],
    ["password: 'it\\'s' ok", `password: '${x}' ok`],
    ['AWS_SECRET_ACCESS_KEY=wJalr/bPx', `AWS_SECRET_ACCESS_KEY=${x}`],
    ['GITHUB_TOKEN=abc', `GITHUB_TOKEN=${x}`],
    ['x-api-key: abc', `x-api-key: ${x}`],
    ['apiKey => "abc"', `apiKey => "${x}"`],
    ['--api-key=abc run', `--api-key=${x} run`],
    ['refresh_token: 1//0abcDEF', `refresh_token: ${x}`],
    ['Mcp-Session-Id: 7f3c', `Mcp-Session-Id: ${x}`],
    ['headers["authorization"] = "abc"', `headers["authorization"] = "${x}"`],
    [`a ${pem('PRIVATE KEY')} b`, `a ${x} b`],
    [`${pem('RSA PRIVATE KEY')}${pem('EC PRIVATE KEY')}`, x + x],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nnever ends', x],
    [`\x1b[31m${key('sk-')}\x1b[0m`, `\x1b[31m${x}\x1b[0m`],
    ['\x1b[1;36mBearer\x1b[0m abc123def456', `\x1b[1;36mBearer\x1b[0m ${x}`],
    ['\x1b[1mpassword\x1b[0m: \x1b[33mhunter2\x1b[0m', `\x1b[1mpassword\x1b[0m: \x1b[33m${x}\x1b[0m`],
  ])('%s', (text, clean) => expect(redactThoroughly(text)).toBe(clean));

  test.each([
    'xoxo-',
    'shpca_',
    'shppa_',
    'doo_v1_',
    'dor_v1_',
    'glcbt-',
    'glptt-',
    'glrt-',
    'glft-',
    'glimt-',
    'glagent-',
    'glsoat-',
    'gloas-',
    'glffct-',
    'GR1348941',
    'glc_',
    'dapi',
    'figd_',
    'dckr_pat_',
    'ops_eyJ',
    'p8e-',
    'LTAI',
    'ABSK',
    'AKCp',
    'HRKU-',
    'api_org_',
    'duffel_live_',
    'duffel_test_',
    'EZAK',
    'EZTK',
    'FLWSECK',
    'fio-u-',
    'ico-',
    'lin_oauth_',
    'pplx-',
    'pscale_tkn_',
    'pscale_oauth_',
    'pscale_pw_',
    'PMAK-',
    'pnu_',
    'pul-',
    'rdme_',
    'rubygems_',
    'sgp_',
    'shippo_live_',
    'shippo_test_',
    'sntrys_',
    'sntryu_',
    'sq0atp-',
    'sq0csp-',
    'tk-us-',
    'tskey-',
    'xkeysib-',
  ])('a key of a service that begins with %s', (prefix) => {
    expect(redactThoroughly(`use ${key(prefix, 64)} here`)).toBe(`use ${x} here`);
  });

  test('changes a clean text no further', () => {
    for (const text of [
      'password=a',
      'Bearer abc123def',
      '{"token":"a1b2"}',
      'https://u:p@h',
      `k ${key('sk-')}`,
    ]) {
      expect(redactThoroughly(redactThoroughly(text))).toBe(redactThoroughly(text));
    }
  });
});

describe('redactThoroughly keeps ordinary texts', () => {
  test.each([
    '',
    'tokens: 5',
    'max_tokens=4096, prompt_tokens: 12',
    'progressToken: 7, nextCursor: eyJpZCI6MTIzfQ',
    'progressToken=abc123def',
    'nextPageToken: CAUQAA1234',
    'Unexpected token: }',
    'invalid token: expired',
    'token_type: Bearer',
    'token_endpoint=https://as.example/token',
    'authorization_servers: https://as.example',
    'basic authentication and bearer authentication',
    'params.password: expected a string',
    'password: required, token: null',
    'hasPassword: true',
    'field "password": it must not pass through the client',
    'The secret: a good night of sleep',
    'code: -32602, key: value, sig: none',
    'see https://example.com/a?page=2&q=key',
    'git clone ssh://git@example.com/repo.git',
    'mail ada@example.com',
    'sk-learn-based-classifier-for-text',
    'ops_manager and pul-request-of-the-day, tskey-name, dapi, ico-green-large-icon-for-buttons',
    'SKU1234567890123456789012345678901, LTAILTAILTAILTAILTAILTAI',
    'task-1234567890abcdef',
    'a uuid 123e4567-e89b-12d3-a456-426614174000',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    'The secretary keeps cookiecutter recipes',
    'at Object.<anonymous> (file:///srv/app/token.js:10:5)',
  ])('%s', (text) => expect(redactThoroughly(text)).toBe(text));
});

test.each([
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9 ',
  'eyJhbGciOiJIUzI1NiJ9.a ',
  'token:',
  'token=1 ',
  'password="',
  "password='[redacted] ",
  'password=\\"',
  '://',
  'http://a@',
  'http://aaaa',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----END ',
  'Bearer ',
  'basic a',
  'Basic ',
  'sk-',
  'SG.',
  'cookie:',
  '"authorization":',
  '?key=',
  '?a=',
  '#b=?',
  '\x1b[1m',
  'token\x1b[1m',
  '&',
  'aB',
])('redacts a megabyte of %j in proportion to its length', (piece) => {
  // Work that grows with the square of the length would exceed the time limit of the test.
  const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
  expect(redactThoroughly(text).length).toBeLessThan(text.length * 5);
});

describe('redactThoroughly removes lists and objects after a secret name', () => {
  test.each([
    [
      '{"cookies":[{"name":"sid","value":"v1"}],"a":"b"}',
      `{"cookies":[{"name":"${x}","value":"${x}"}],"a":"b"}`,
    ],
    ['{"cookie":{"sid":"abc","old":true}}', `{"cookie":{"sid":"${x}","old":true}}`],
    ['{"password":{"value":"hunter2"}}', `{"password":{"value":"${x}"}}`],
    ['{"apiKeys": [ "k1", "k2" ], "n": "k"}', `{"apiKeys": [ "${x}", "${x}" ], "n": "k"}`],
    ['{"secrets": [ "k1", "k2" ], "n": "k"}', `{"secrets": [ "${x}", "${x}" ], "n": "k"}`],
    ['{"tokens":["abc","d\\"ef"]}', `{"tokens":["${x}","${x}"]}`],
    ['{"tokens":{"input":12,"output":3}}', '{"tokens":{"input":12,"output":3}}'],
    ['{"password":[1234]}', `{"password":[${x}]}`],
    ["cookies: [{ name: 'sid', value: v1 }], b: 'c'", `cookies: [{ name: '${x}', value: ${x} }], b: 'c'`],
    ['{\\"cookies\\":[\\n{\\"name\\":\\"sid\\"}]}', `{\\"cookies\\":[\\n{\\"name\\":\\"${x}\\"}]}`],
    ['password=[abc failed for bob', 'password=[abc failed for bob'],
    ['cookies: []', 'cookies: []'],
    ['{"password":{"value":"hunter2', `{"password":{"value":"${x}`],
  ])('%s', (text, clean) => expect(redactThoroughly(text)).toBe(clean));

  test('scans a text once when secret names are nested', async () => {
    await growsInProportion(1_000, (times) => {
      const text = '{"password":['.repeat(times);
      expect(redactThoroughly(text)).toBe(text);
    });
  });
});
