import { expect, test } from 'vitest';
import { textIn, utf8Text } from './utf8.js';

test.each([
  ['text', [0xc3, 0xa9], 'é'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
])('keeps %s', (_, bytes, text) => {
  expect(utf8Text(Uint8Array.from(bytes))).toBe(text);
  expect(textIn(Uint8Array.from(bytes))).toBe(text);
});

test('returns undefined for malformed UTF-8', () => {
  expect(utf8Text(Uint8Array.of(0xc3))).toBeUndefined();
  expect(textIn(Uint8Array.of(0xc3))).toBeUndefined();
});

test('takes bytes with NUL for data, not for text', () => {
  expect(textIn(Uint8Array.of(0x61, 0))).toBeUndefined();
  expect(utf8Text(Uint8Array.of(0x61, 0))).toBe('a\0');
});
