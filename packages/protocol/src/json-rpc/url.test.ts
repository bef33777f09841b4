import { expect, it } from 'vitest';
import { isUrl } from './url.js';

it('accepts a URL however often it is called', () => {
  const rejected = Array.from({ length: 20_000 }, () => isUrl('https://b\u00e4nk.example')).filter(
    (is) => !is,
  );
  expect(rejected).toEqual([]);
});

it('needs a base for a relative reference, and rejects malformed URLs', () => {
  expect(isUrl('/a', 'https://a.example/')).toBe(true);
  expect(isUrl('/a')).toBe(false);
  expect(isUrl('https://')).toBe(false);
});
