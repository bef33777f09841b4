import { afterEach, describe, expect, test, vi } from 'vitest';
import { toBase64, toBase64Url } from './base64.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const lengths = [0, 1, 2, 3, 4, 255, 256, 257, 8_191, 8_192, 8_193, 20_000];
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 31) % 256);

describe.each([
  ['with Buffer', Buffer],
  ['without Buffer', undefined],
])('base64 %s', (_, platform) => {
  test.each(lengths)('encodes %i bytes', (length) => {
    const bytes = bytesOf(length);
    const expected = Buffer.from(bytes).toString('base64');
    vi.stubGlobal('Buffer', platform);
    expect(toBase64(bytes)).toBe(expected);
  });

  test('encodes the part of a buffer that a view shows', () => {
    const expected = Buffer.from([4, 5]).toString('base64');
    vi.stubGlobal('Buffer', platform);
    expect(toBase64(Uint8Array.from([3, 4, 5, 6]).subarray(1, 3))).toBe(expected);
  });
});

test.each([
  [[], ''],
  [[102], 'Zg'],
  [[102, 111], 'Zm8'],
  [[102, 111, 111], 'Zm9v'],
  [[251, 239, 190], '----'],
  [[255, 255, 255, 254], '_____g'],
])('encodes %j as %j', (bytes, text) => {
  expect(toBase64Url(new Uint8Array(bytes))).toBe(text);
});
