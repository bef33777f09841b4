import { expect, test, vi } from 'vitest';
import { randomId } from './random-id.js';
import { redactThoroughly } from './thorough.js';

test('makes an id of as many bytes as required, another one each time', () => {
  expect(randomId()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomId(4)).toMatch(/^[0-9a-f]{8}$/);
  expect(new Set(Array.from({ length: 1_000 }, () => randomId())).size).toBe(1_000);
});

test('makes an id in a page without HTTPS, which has no randomUUID', () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
  try {
    expect(randomId()).toHaveLength(32);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('makes ids that are not masked as secrets', () => {
  const ids = Array.from({ length: 200 }, () => `{"id":"${randomId()}"}`).join();
  expect(redactThoroughly(ids)).toBe(ids);
});
