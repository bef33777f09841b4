import { describe, expect, test } from 'vitest';
import { redact, redactText, redactWithin } from './redaction.js';
import { redactThoroughly } from './thorough.js';

const x = '[redacted]';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';

/** Returns JSON in JSON: a text inside as many texts as there are levels. */
function nested(value: object, levels: number): string {
  let text = JSON.stringify(value);
  for (let level = 1; level < levels; level++) text = JSON.stringify({ text });
  return text;
}

describe.each([
  ['redactText', redactText],
  ['redactThoroughly', redactThoroughly],
])('%s removes', (_, clean) => {
  test.each<[text: string, expected: string]>([
    // Brackets around a value.
    ['password=[hunter2]', `password=[${x}]`],
    ['password={hunter2} user', `password={${x}} user`],
    ['password: (hunter2)', `password: (${x})`],
    ['secret=<hunter2>, next', `secret=<${x}>, next`],
    // Characters in a password that end other parts of a URL.
    ['postgres://app:pa/ss@db:5432/x', `postgres://${x}@db:5432/x`],
    ['https://ada:a?b@example.com/', `https://${x}@example.com/`],
    ['https://ada:a#b/c?d@example.com/?q=1', `https://${x}@example.com/?q=1`],
    ['redis://:p/w@cache and amqp://u:p#w@mq', `redis://${x}@cache and amqp://${x}@mq`],
    // Options of command lines.
    ['curl -u ada:hunter2 https://a.example', `curl -u ${x} https://a.example`],
    ["curl -s --user 'ada:hun ter2' https://a.example", `curl -s --user '${x}' https://a.example`],
    ['curl -uada:hunter2 https://a.example', `curl -u${x} https://a.example`],
    ['node s.js --token abc --port 3', `node s.js --token ${x} --port 3`],
    ['run --password swordfish', `run --password ${x}`],
    ['run --api-key "two words" x', `run --api-key "${x}" x`],
    ["run --client-secret 'a b'", `run --client-secret '${x}'`],
    // XML.
    ['<password>hunter2</password>', `<password>${x}</password>`],
    ['<ns:apiKey id="1">ab cd</ns:apiKey>', `<ns:apiKey id="1">${x}</ns:apiKey>`],
    ['<secret><![CDATA[abc]]></secret>', `<secret><![CDATA[${x}]]></secret>`],
    // Short names of members.
    ['{"pass":"hunter2","passcode":123456,"sid":"abc"}', `{"pass":"${x}","passcode":${x},"sid":"${x}"}`],
    ['SMTP_PASS=hunter2 connect.sid=s%3Aabc', `SMTP_PASS=${x} connect.sid=${x}`],
    ['JSESSIONID=0A1B PHPSESSID=c2', `JSESSIONID=${x} PHPSESSID=${x}`],
    // Names and values of lists.
    ['[{"name":"password","value":"hunter2"}]', `[{"name":"password","value":"${x}"}]`],
    ['{ "key": "API_KEY", "value": "abc" }', `{ "key": "API_KEY", "value": "${x}" }`],
    ['{"value":"a\\"b","name":"token"}', `{"value":"${x}","name":"token"}`],
    ['{\\"name\\":\\"pin_password\\",\\"value\\":1234}', `{\\"name\\":\\"pin_password\\",\\"value\\":${x}}`],
    // Web tokens inside of words.
    [`session_${jwt}`, `session_${x}`],
    [`sess-${jwt}/next`, `sess-${x}/next`],
  ])('the secret in %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
    expect(clean(expected)).toBe(expected);
  });

  test.each([1, 2, 3, 4, 5])('secrets of JSON that is nested %i deep', (levels) => {
    for (const member of [{ password: 'hunter2' }, { name: 'password', value: 'hunter2' }]) {
      const text = clean(nested({ ...member, user: 'ada' }, levels));
      expect(text).not.toContain('hunter2');
      expect(text).toBe(
        nested({ ...member, ...('value' in member ? { value: x } : { password: x }), user: 'ada' }, levels),
      );
    }
  });
});

describe.each([
  ['redactText', redactText],
  ['redactThoroughly', redactThoroughly],
])('%s keeps', (_, clean) => {
  test.each([
    'password: (optional), token=<string>',
    'password=[required] and secret: [optional]',
    'the token (a string) is sent',
    'https://example.com:8080/a@b',
    'https://medium.example/@ada/a:b@c',
    'https://[::1]:3000/users/@me',
    'http://localhost:$' + '{PORT}/@fs/src',
    'see http://a.example/x:y and mail ada@example.com',
    'https://example.com/?key=$' + '{KEY}&token=$' + '{TOKEN}',
    'docker run -u 1000:1000 image',
    'git push -u origin main',
    'curl --user-agent a:b https://a.example',
    'Use --token to sign in, or --password if there is none.',
    'set --token, then --api-key',
    'The option --password is required',
    'run --token=$' + '{TOKEN} --password $PASSWORD',
    '<label for="password">Password</label>',
    '<password>required</password><token/>',
    'write <token> in the header',
    '{"pass":12,"fail":0,"passed":true,"bypass":"on","compass":"north"}',
    'All tests pass: yes. The inside: president',
    '{"name":"color","value":"red"},{"name":"password","type":"string"}',
    '{"value":"red","name":"color"}',
    'task_eyJhbGciOi.txt',
  ])('%j', (text) => expect(clean(text)).toBe(text));
});

describe('redact', () => {
  test('removes secrets of URLSearchParams and FormData', () => {
    const params = redact(
      new URLSearchParams('user=ada&access_token=abc&access_token=def'),
    ) as URLSearchParams;
    expect([...params]).toEqual([
      ['user', 'ada'],
      ['access_token', x],
      ['access_token', x],
    ]);
    const ordinary = new URLSearchParams('user=ada');
    expect(redact(ordinary)).toBe(ordinary);
    const form = new FormData();
    form.set('password', 'abc');
    expect(redact(form)).toEqual({ password: x });
  });

  test('removes the value after an option of a command line', () => {
    const args = ['server.js', '--token', 'abc', '--port', '3', '-H', 'Authorization: Bearer abc'];
    expect(redact({ args })).toEqual({
      args: ['server.js', '--token', x, '--port', '3', '-H', `Authorization: ${x}`],
    });
    expect(redact(['curl', '-u', 'ada:hunter2'])).toEqual(['curl', '-u', x]);
    const ordinary = ['id', '-u', '1000:1000', '--token', '--verbose', 'password', 'is long'];
    expect(redact(ordinary)).toBe(ordinary);
  });

  test.each(['pass', 'passcode', 'dbPass', 'SMTP_PASS', 'sid', 'connect.sid', 'JSESSIONID', 'PHPSESSID'])(
    'removes the member %s',
    (name) => expect(redact({ [name]: 'abc' })).toEqual({ [name]: x }),
  );

  test.each([
    'bypass',
    'compass',
    'passage',
    'passport',
    'inside',
    'asid',
    'president',
    'passTime',
    'pass_count',
  ])('keeps the member %s', (name) => expect(redact({ [name]: 'abc' })).toEqual({ [name]: 'abc' }));
});

describe('the limit of characters', () => {
  const limit = 40;
  const shown = (text: string) => String(redactWithin(text, { characters: limit }));

  test.each([
    ['a web token', jwt],
    ['a bearer token', `Bearer ${'a1b2'.repeat(20)}`],
    ['a value', `password=${'a1b2'.repeat(20)}`],
    ['a quoted value', `{"password":"${'a1b2 '.repeat(20)}"}`],
    ['a URL with a password', `https://ada:${'a1b2'.repeat(20)}@example.com`],
  ])('shows no part of %s that begins before it', (_, secret) => {
    for (let before = 0; before <= limit; before++) {
      const text = shown(`${'x '.repeat(before).slice(0, before)} ${secret}`);
      expect(text).not.toMatch(/a1b2|eyJ/);
      expect(text).toContain('more characters)');
    }
  });

  test('shows nothing of a secret beyond it, and counts the characters that are left out', () => {
    expect(shown(`${'word '.repeat(8)}${jwt}`)).toBe(`${'word '.repeat(8)}… (${jwt.length} more characters)`);
    expect(redactWithin(['word '.repeat(8), jwt], { characters: limit })).toEqual([
      'word '.repeat(8),
      `… (${jwt.length} more characters)`,
    ]);
  });
});

describe.each([
  ['redactText', redactText],
  ['redactThoroughly', redactThoroughly],
])('%s takes time in proportion to', (_, clean) => {
  test.each([
    ...['password=[', 'password=[a', 'password={a}', 'secret=<', '[[redacted]'],
    ...['http://a:b/', '://a:b@', 'a://b:c/d@', 'x://:@', 'http://a:b?'],
    ...['curl -u ', 'curl ', ' -u a:b', '-u"', 'curl --user "', '\\\n', 'curl -u \\"a'],
    ...['--token ', '--token "', '--password', '-- ', '--a --b '],
    ...['</', '<password>', '<password>a', '<a b>', '</secret><secret a="', '<secret><![CDATA[', '<'],
    ...[
      '"value":"',
      '"value":',
      '"name":"password","value":"',
      '"name":"',
      '"value":"a","name":"',
      '\\"value\\":\\"',
    ],
    ...['\\', '\\"', '"\\', 'password\\', 'password=\\\\\\"'],
    ...['-eyJ', '_eyJabcdefgh', '_eyJabcdefgh.', 'eyJabcdefgh.eyJ_', '-eyJa.b'],
  ])('a megabyte of %j', (piece) => {
    // Work that grows with the square of the length would exceed the time limit of the test.
    const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
    expect(clean(text).length).toBeLessThan(text.length * 5);
  });
});

test('cleans texts beyond the limit of characters without reading them', () => {
  const long = 'a'.repeat(1_048_576);
  const texts = Array.from({ length: 5_000 }, () => long);
  expect(JSON.stringify(redactWithin(texts, { characters: 10 }))).toContain('more characters');
});
