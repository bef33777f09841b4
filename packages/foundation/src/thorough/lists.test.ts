import { describe, expect, test } from 'vitest';
import { growsInProportion } from '../../../../tooling/suite/effort.js';
import { redactThoroughly } from './text.js';

const x = '[redacted]';

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
