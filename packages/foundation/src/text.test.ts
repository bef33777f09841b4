import { expect, test } from 'vitest';
import { textIn, utf8Text, withoutControls } from './text.js';

test.each([
  ['a colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a cleared screen', '\u001b[2J\u001b[Hgone', 'gone'],
  ['a title', '\u001b]0;title\u0007text', 'text'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['an escape of nothing', 'a\u001bb\u009bc', 'abc'],
  ['NUL and backspace', 'a\u0000b\u0008c\u007f', 'abc'],
  ['changes of direction', 'user\u202egnp.exe\u2066x\u2069', 'usergnp.exex'],
  ['invisible instructions', 'hello\u{e0068}\u{e0069}', 'hello'],
])('%s goes', (_, text, clean) => expect(withoutControls(text)).toBe(clean));

test('what people read stays: lines, tabs, every script, joined emoji', () => {
  const text = 'a\tb\r\nc\n\u{1f469}\u200d\u{1f4bb} \u0646\u200f é \u65e5';
  expect(withoutControls(text)).toBe(text);
});

test.each(['\u001b[', '\u001b]', '\u001b', '\u001b]a'])('a megabyte of %j is done at once', (piece) => {
  expect(withoutControls(piece.repeat(1_048_576 / piece.length)).length).toBeLessThan(1_048_577);
});

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
