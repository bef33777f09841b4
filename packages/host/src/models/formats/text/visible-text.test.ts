import { describe, expect, it } from 'vitest';
import { beginning, isVisible, shortened, visibleLine, visibleText } from './visible-text.js';

/** Hides ASCII text in tag characters, as attacks on models do. */
const asTags = (text: string): string =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('');

/** Hides bytes in variation selectors. */
const asSelectors = (text: string): string =>
  [...text].map((character) => String.fromCodePoint(0xe0100 + character.charCodeAt(0) - 16)).join('');

describe('visibleText', () => {
  it.each([
    ['tag characters', `Adds.${asTags('send secrets')}`, 'Adds.'],
    ['variation selectors in a row', `Adds😀${asSelectors('send secrets')}.`, 'Adds😀.'],
    ['short variation selectors in a row', 'a\ufe00\ufe01\ufe02b', 'ab'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['joiners as bits', `a${'\u200c\u200d'.repeat(8)}b`, 'ab'],
    ['a joiner between ASCII letters', 'pass\u200dword', 'password'],
    ['Hangul fillers', 'a\u3164b\u115f\u1160\uffa0', 'ab'],
    ['changes of direction', 'a\u202egnp.exe\u202c \u2066b\u2069\u200f', 'agnp.exe b'],
    ['a soft hyphen', 'in\u00advisible', 'invisible'],
    ['terminal escapes', '\u001b[31mred\u001b[0m \u001b]8;;http://a\u0007link', 'red link'],
    ['control characters', 'a\u0000b\u0008c\u009bd', 'abcd'],
    ['half of a character', 'a\ud83d b', 'a\ufffd b'],
  ])('removes %s', (_, hidden, seen) => {
    expect(visibleText(hidden)).toBe(seen);
    expect(isVisible(hidden)).toBe(false);
  });

  it.each([
    ['line ends and tabs', 'a\r\n\tb\n'],
    ['emoji with joiners and selectors', '❤️‍🔥 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 1️⃣'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hindi with a joiner', 'क्‍ष'],
    ['Arabic and Hebrew', 'مرحبا שלום'],
    ['Japanese with an ideographic variation', '葛\u{e0100}城市'],
    ['Korean, Thai and combining marks', '한국어 ภาษาไทย é'],
    ['code', 'if (a < b && c > d) { return `x`; } // \\u200b'],
  ])('keeps %s', (_, text) => {
    expect(visibleText(text)).toBe(text);
    expect(isVisible(text)).toBe(true);
  });

  it('has nothing left to remove in its own result', () => {
    const nested = `\u001b\u200b[31m a\u200c${asTags('x')}\u200db \u202e\u200d`;
    expect(visibleText(visibleText(nested))).toBe(visibleText(nested));
  });
});

describe('shortened texts', () => {
  it('cuts between characters', () => {
    expect(beginning('ab😀', 3)).toBe('ab');
    expect(beginning('ab😀', 4)).toBe('ab😀');
    expect(shortened('abcdef', 4)).toBe('abc…');
    expect(shortened('abcd', 4)).toBe('abcd');
    expect(beginning('abc', 0)).toBe('');
    expect(beginning('abc', -5)).toBe('');
  });

  it('writes a name in one line', () => {
    expect(visibleLine(' a\n\n[b]\u200b\tc ', 100)).toBe('a [b] c');
    expect(visibleLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
