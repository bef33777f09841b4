import { expect, test } from 'vitest';
import { toBase64Url } from './base64url.js';

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
