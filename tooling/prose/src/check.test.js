import { expect, test } from 'vitest';
import { findingsIn, format } from './check.js';

/** @param {string} path @param {string} source */
const found = (path, source) =>
  findingsIn(path, source).map(({ kind, found: text, line }) => [kind, text, line]);

test('reports a word of the list in comments, doc comments, test titles and error texts, with its line', () => {
  const source = [
    '/**',
    ' * Hears of closed sessions.',
    ' * Nobody reads them.',
    ' */',
    '// mend this',
    "it('is told of a flaw', () => {});",
    "it.each([1])('whose %s', () => {});",
    'throw new TypeError(`no room` + (far ? " upon" : ""));',
  ].join('\n');
  expect(found('a.ts', source)).toEqual([
    ['doc', 'Hears of', 2],
    ['doc', 'Hears', 2],
    ['comment', 'Nobody', 3],
    ['comment', 'mend', 5],
    ['test title', 'flaw', 6],
    ['test title', 'is told', 6],
    ['test title', 'whose', 7],
    ['error text', 'room', 8],
    ['error text', 'upon', 8],
  ]);
});

test('ignores code, links, quotations, names and other texts', () => {
  const source = [
    '/** Returns `flaw` as {@link Flaw} says; see https://example.com/room and "nobody". */',
    'const whose = room("a flaw of nobody");',
    "describe('the input of a tool', () => {});",
  ].join('\n');
  expect(found('a.ts', source)).toEqual([]);
});

test('reports the clearest words in identifiers, once for each name, with its first line', () => {
  const source = [
    "import { describeFlaw } from './flaws.js';",
    'interface CarrierFacts { readonly asker: Desktop }',
    'class Page { #desk = describeFlaw; get asker() { return desktop; } }',
    'const SESSION_DESK = lifelines;',
  ].join('\n');
  expect(found('a.ts', source)).toEqual([
    ['identifier', 'Flaw', 1],
    ['identifier', 'Carrier', 2],
    ['identifier', 'asker', 2],
    ['identifier', 'desk', 3],
    ['identifier', 'DESK', 4],
    ['identifier', 'lifelines', 4],
  ]);
});

test('reads pages outside of code blocks', () => {
  const page = ['# A `carrier`', '', '```ts', '// nobody', '```', 'Nobody, and a room.', ''].join('\n');
  expect(found('a.md', page)).toEqual([
    ['page', 'room', 6],
    ['page', 'Nobody', 6],
  ]);
});

test('says where a word is, and what to write instead', () => {
  const [finding] = findingsIn('docs/a.md', 'A flaw.');
  expect(finding && format(finding)).toBe('docs/a.md:1 page: "flaw"; write: problem');
});
