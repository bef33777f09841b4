import { describe, expect, it } from 'vitest';
import { shortened } from './documents/document-source.js';
import { packageFacts } from './package-facts.js';

describe('packageFacts', () => {
  it.each([
    ['github:ann/weather'],
    ['ann/weather'],
    ['https://github.com/ann/weather.git'],
    ['git+https://github.com/ann/weather.git'],
    ['git@github.com:ann/weather.git'],
    ['git+ssh://git@github.com/ann/weather.git'],
    [{ type: 'git', url: 'git://github.com/ann/weather.git' }],
  ])('reads the repository %j', (repository) => {
    expect(packageFacts({ repository }).repository).toMatchObject({
      url: 'https://github.com/ann/weather',
      source: 'github',
      owner: 'ann',
    });
  });

  it.each([
    [
      'Ann <ann@example.com> (https://example.com)',
      { name: 'Ann', email: 'ann@example.com', url: 'https://example.com' },
    ],
    ['Ann', { name: 'Ann' }],
    [
      { name: 'Ann', email: 'ann@example.com' },
      { name: 'Ann', email: 'ann@example.com' },
    ],
  ])('reads the author %j', (author, expected) => {
    expect(packageFacts({ author }).author).toEqual(expected);
  });

  it.each([
    ['dist/main.js', 'dist/main.js'],
    [{ other: 'other.js', weather: 'main.js' }, 'main.js'],
    [{ other: 'other.js' }, 'other.js'],
  ])('reads the program %j', (bin, expected) => {
    expect(packageFacts({ name: '@ann/weather', bin }).program).toBe(expected);
  });

  it.each([[null], [5], ['text'], [[]], [{ name: 5, bin: [], author: {}, repository: 'no url' }]])(
    'leaves out what %j does not have',
    (manifest) => {
      expect(packageFacts(manifest)).toMatchObject({ name: undefined, author: undefined, isPrivate: false });
    },
  );
});

describe('shortened', () => {
  it('keeps whole sentences, or else whole words', () => {
    expect(shortened('Forecasts.  For any place.')).toBe('Forecasts. For any place.');
    expect(shortened(`Forecasts for any place. ${'x'.repeat(100)}`)).toBe('Forecasts for any place.');
    expect(shortened(`${'word '.repeat(40)}`)).toMatch(/^(word )+word…$/);
    expect(shortened('x'.repeat(200))).toHaveLength(100);
  });
});
