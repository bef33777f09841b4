import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from './json.js';

const deeper = (text: string, limit: number) => isNestedDeeper(JSON.parse(text), text, limit);
const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('nesting', () => {
  it('is counted in levels of arrays and objects', () => {
    for (const nest of [arrays, objects]) {
      expect(deeper(nest(512), 512)).toBe(false);
      expect(deeper(nest(513), 512)).toBe(true);
    }
    expect(deeper(`[1,${objects(3)}]`, 4)).toBe(false);
    expect(deeper(`[1,${objects(4)}]`, 4)).toBe(true);
    expect(deeper('1', 1)).toBe(false);
  });

  it('is not width', () => {
    expect(deeper(JSON.stringify(Array.from({ length: 5000 }, () => ({ a: [] }))), 512)).toBe(false);
  });

  it('is not brackets in text', () => {
    expect(deeper(JSON.stringify({ text: '[{'.repeat(5000) }), 512)).toBe(false);
  });

  it('is found below a member that shadows one of every object', () => {
    expect(deeper(`{"__proto__":${arrays(600)}}`, 512)).toBe(true);
  });

  it('is found in a line of the largest size without a deep call stack', () => {
    expect(deeper(arrays(1 << 20), 512)).toBe(true);
  });
});
