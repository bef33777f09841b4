import { expect, test } from 'vitest';
import { growsInProportion } from '../../../tooling/suite/effort.js';
import { extensionIdFlaw, isReservedMetaKey, metaKeyFlaw, traceKeys } from './meta.js';

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
  expect(metaKeyFlaw(key)).toBeUndefined();
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

test.each(invalid)('%j is no key', (key) => {
  expect(metaKeyFlaw(key)).toBe(shape);
});

test('keys are bounded, and judged in proportion to their length however they are made', async () => {
  const judge = (pieces: number) => {
    for (let time = 0; time < 100; time++) {
      metaKeyFlaw(`${'a-'.repeat(pieces)}!`);
      metaKeyFlaw(`${'a.'.repeat(pieces)}!/x`);
    }
  };
  // Two runs: the first stays short even where each piece doubles the time.
  await growsInProportion(1, judge);
  await growsInProportion(15, judge);
  expect(metaKeyFlaw('a'.repeat(256))).toBeUndefined();
  expect(metaKeyFlaw('a'.repeat(257))).toBe('is longer than 256 characters');
  expect(metaKeyFlaw(`${'a-'.repeat(127)}!`)).toBe(shape);
  expect(metaKeyFlaw(`${'a.'.repeat(126)}!/x`)).toBe(shape);
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
  expect(isReservedMetaKey(key)).toBe(reserved);
});

test('extensions have a prefix', () => {
  expect(extensionIdFlaw('com.example/x')).toBeUndefined();
  expect(extensionIdFlaw('x')).toBe('needs a prefix, such as com.example/name');
  expect(extensionIdFlaw('com..example/x')).toBe(shape);
});
