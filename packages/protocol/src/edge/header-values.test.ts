import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { decodeHeaderValue, encodeHeaderValue } from './header-values.js';

describe('texts as header values', () => {
  // The table of the specification, and its edges.
  it.each([
    ['us-west1', 'us-west1'],
    ['', ''],
    ['a', 'a'],
    ['in between', 'in between'],
    ['a\tb', '=?base64?YQli?='],
    [
      'Hello, 世界',
      '=?base64?SGVsbG8sIOS4lueVjA==?=',
      '2026-07-28/basic/transports/streamable-http/values-base64',
    ],
    [' padded ', '=?base64?IHBhZGRlZCA=?=', '2026-07-28/basic/transports/streamable-http/values-base64'],
    [
      'line1\nline2',
      '=?base64?bGluZTEKbGluZTI=?=',
      '2026-07-28/basic/transports/streamable-http/values-base64',
    ],
    [
      '=?base64?literal?=',
      '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=',
      '2026-07-28/basic/transports/streamable-http/sentinel-encoded',
    ],
    ['=?base64?', '=?base64?'],
    ['=?BASE64?x?=', '=?BASE64?x?=', '2026-07-28/basic/transports/streamable-http/markers-exact'],
    [
      'x\r\nX-Evil: 1',
      '=?base64?eA0KWC1FdmlsOiAx?=',
      '2026-07-28/basic/transports/streamable-http/values-encoded',
    ],
    ['\u0000', '=?base64?AA==?='],
    ['\u007f', '=?base64?fw==?='],
    ['é', '=?base64?w6k=?=', '2026-07-28/basic/transports/streamable-http/markers-exact'],
    ['\ufeffx', '=?base64?77u/eA==?='],
  ])('%j is written as %s, and read back', (text, value, ...ids) => {
    shows(...ids);
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
    ['bytes that are not UTF-8', '=?base64?/w==?='],
    ['a letter outside ASCII', 'Münster', '2026-07-28/basic/transports/streamable-http/invalid-characters'],
    ['a control character', 'a\u0001', '2026-07-28/basic/transports/streamable-http/invalid-characters'],
    ['a byte past ASCII', '\u00ff'],
    ['an unwrapped line feed', 'a\nb'],
  ])('%s', (_title, value, ...ids) => {
    shows(...ids);
    expect(decodeHeaderValue(value)).toBeUndefined();
  });

  it('returns a value unchanged if its base64 wrapper is incomplete', () => {
    for (const value of ['=?base64?SGVsbG8=', 'base64?SGVsbG8=?=', '=?Base64?SGVsbG8=?=', '=?base64?=']) {
      expect(decodeHeaderValue(value)).toBe(value);
    }
  });

  it('a wrapped nothing is the empty text', () => {
    shows('2026-07-28/basic/transports/streamable-http/values-decoded');
    expect(decodeHeaderValue('=?base64??=')).toBe('');
  });
});
