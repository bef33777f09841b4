import { describe, expect, it } from 'vitest';
import { globBase, globTest } from './glob.js';

describe('globTest', () => {
  it.each([
    ['data/**', 'data/a/b.csv', true],
    ['data/**', 'other/a', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'a/b/c.md', true],
    ['*.md', 'a/b.md', false],
    ['a?.{ts,js}', 'ab.js', true],
    ['a?.{ts,js}', 'ab.jsx', false],
    ['a.b+(c)', 'a.b+(c)', true],
    ['a.b', 'axb', false],
    ['{a', '{a', false],
  ])('%s with %s is %s', (pattern, path, matches) => {
    expect(globTest(pattern)(path)).toBe(matches);
  });
});

describe('globBase', () => {
  it.each([
    ['data/**', 'data'],
    ['a/b/*.md', 'a/b'],
    ['*.md', ''],
    ['a/{b,c}/d', 'a'],
  ])('of %s is %s', (pattern, base) => {
    expect(globBase(pattern)).toBe(base);
  });
});
