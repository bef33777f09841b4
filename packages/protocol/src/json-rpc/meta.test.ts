import { expect, test } from 'vitest';
import { growsInProportion } from '../../../../tooling/suite/effort.js';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { extensionIdProblem, isReservedMetaKey, metaKeyProblem, traceKeys } from './meta.js';

const shape = 'must be an optional dotted prefix ending in "/" and an alphanumeric name';

const valid = [
  'a',
  'progressToken',
  'a1-b_c.d',
  '1',
  'com.example/name',
  'com.example/',
  '',
  'example/name',
  'a-b.c1/x.y-z_0',
  'io.modelcontextprotocol/protocolVersion',
  ...traceKeys,
];

test.each(valid)('%j is a key', (key) => {
  showsBy(key, {
    'com.example/name': '2026-07-28/basic/index/meta-prefix',
    'a-b.c1/x.y-z_0': '2026-07-28/basic/index/meta-label',
    'com.example/': '2026-07-28/basic/index/meta-name',
    'a1-b_c.d': '2026-07-28/basic/index/meta-name-inside',
  });
  expect(metaKeyProblem(key)).toBeUndefined();
});

const invalid = [
  '-a',
  'a-',
  '_a',
  'a.',
  'a b',
  'ä',
  '/name',
  '1com.example/name',
  'com.-example/name',
  'com.example-/name',
  'com..example/name',
  'com_x.example/name',
  'a/b/c',
  'com.example/na me',
  'name\n',
];

test.each(invalid)('%j is not a key', (key) => {
  showsBy(key, {
    '/name': '2026-07-28/basic/index/meta-prefix',
    'com..example/name': '2026-07-28/basic/index/meta-prefix',
    '1com.example/name': '2026-07-28/basic/index/meta-label',
    'com.example-/name': '2026-07-28/basic/index/meta-label',
    '-a': '2026-07-28/basic/index/meta-name',
    'a-': '2026-07-28/basic/index/meta-name',
  });
  expect(metaKeyProblem(key)).toBe(shape);
});

test('keys are bounded, and judged in proportion to their length however they are made', async () => {
  const judge = (pieces: number) => {
    for (let time = 0; time < 100; time++) {
      metaKeyProblem(`${'a-'.repeat(pieces)}!`);
      metaKeyProblem(`${'a.'.repeat(pieces)}!/x`);
    }
  };
  // Two runs: the first stays short even where each piece doubles the time.
  await growsInProportion(1, judge);
  await growsInProportion(15, judge);
  expect(metaKeyProblem('a'.repeat(256))).toBeUndefined();
  expect(metaKeyProblem('a'.repeat(257))).toBe('is longer than 256 characters');
  expect(metaKeyProblem(`${'a-'.repeat(127)}!`)).toBe(shape);
  expect(metaKeyProblem(`${'a.'.repeat(126)}!/x`)).toBe(shape);
});

test.each([
  ['io.modelcontextprotocol/', true],
  ['dev.mcp/', true],
  ['org.modelcontextprotocol.api/x', true],
  ['com.mcp.tools/', true],
  ['com.example.mcp/x', false],
  ['mcp/x', false],
  ['modelcontextprotocol.io/x', false],
  ['com.example/mcp', false],
  ['mcp', false],
])('%j is reserved: %s', (key, reserved) => {
  showsBy(key, {
    'io.modelcontextprotocol/': '2026-07-28/basic/index/meta-reverse-dns',
    'com.mcp.tools/': '2026-07-28/basic/index/meta-reserved-prefix',
    'com.example.mcp/x': '2026-07-28/basic/index/meta-reserved-prefix',
  });
  expect(isReservedMetaKey(key)).toBe(reserved);
});

test('extensions have a prefix', () => {
  shows('2026-07-28/basic/versioning/extension-identifier');
  expect(extensionIdProblem('com.example/x')).toBeUndefined();
  expect(extensionIdProblem('x')).toBe('needs a prefix, such as com.example/name');
  expect(extensionIdProblem('com..example/x')).toBe(shape);
});
