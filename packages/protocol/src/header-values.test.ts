import { describe, expect, it } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.js';

describe('texts as header values', () => {
  // The table of the specification, and its edges.
  it.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['a', 'a'],
    ['in between', 'in between'],
    ['a\tb', '=?base64?YQli?='],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?', '=?base64?'],
    ['=?BASE64?x?=', '=?BASE64?x?='],
    ['x\r\nX-Evil: 1', '=?base64?eA0KWC1FdmlsOiAx?='],
    ['\u0000', '=?base64?AA==?='],
    ['\u007f', '=?base64?fw==?='],
    ['é', '=?base64?w6k=?='],
    ['\ufeffx', '=?base64?77u/eA==?='],
  ])('%j is written as %s, and read back', (text, value) => {
    expect(encodeHeaderValue(text)).toBe(value);
    expect(decodeHeaderValue(value)).toBe(text);
  });

  it('hold for texts of any length and letters', () => {
    const text = '😀é\u0001 '.repeat(20_000);
    expect(decodeHeaderValue(encodeHeaderValue(text))).toBe(text);
  });
});

describe('header values that stand for nothing', () => {
  it.each([
    ['no padding', '=?base64?SGVsbG8?='],
    ['too much padding', '=?base64?SGVsbG8==?='],
    ['padding in the middle', '=?base64?SGVs=bG8=?='],
    ['another alphabet', '=?base64?_-8=?='],
    ['a space', '=?base64?SGVs bG8=?='],
    ['a line feed', '=?base64?SGVs\nbG8=?='],
    ['bytes that are no UTF-8', '=?base64?/w==?='],
    ['a letter outside ASCII', 'Münster'],
    ['a control character', 'a\u0001'],
    ['a byte past ASCII', '\u00ff'],
    ['an unwrapped line feed', 'a\nb'],
  ])('%s', (_title, value) => {
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  it('what is not wholly wrapped stands for itself', () => {
    for (const value of ['=?base64?SGVsbG8=', 'base64?SGVsbG8=?=', '=?Base64?SGVsbG8=?=', '=?base64?=']) {
      expect(decodeHeaderValue(value)).toBe(value);
    }
  });

  it('a wrapped nothing is the empty text', () => {
    expect(decodeHeaderValue('=?base64??=')).toBe('');
  });
});
