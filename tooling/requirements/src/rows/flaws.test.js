import { existsSync, readFileSync } from 'node:fs';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { readCitation } from './citation.js';
import { flawsOf } from './flaws.js';
import { readPages, root } from './read-pages.js';

/** @import { PageFile, Row } from './row.js' */

const known = {
  revisions: new Set(revisions.map(({ id }) => id)),
  exists: (/** @type {string} */ file) => file === 'packages/a.test.ts',
};

const good = {
  id: 'draft-tools/tools/one',
  section: 'Capabilities',
  level: 'MUST',
  revisions: ['2026-07-28'],
  sentence: 'One holds.',
  tests: ['packages/a.test.ts > one > holds'],
};

/**
 * @param {readonly object[]} rows
 * @param {Partial<PageFile>} [page]
 */
function flaws(rows, page = {}) {
  const file = 'tooling/requirements/rows/draft-tools/tools.json';
  const typed = /** @type {readonly Row[]} */ (rows);
  const given = { file, document: 'draft-tools', page: 'tools', rows: typed, ...page };
  return flawsOf([given], known).map(({ text }) => text);
}

describe('the rows of this repository', () => {
  it('have no flaw, and cite files that are there', () => {
    const exists = (/** @type {string} */ file) => existsSync(root + file);
    expect(flawsOf(readPages(), { ...known, exists }).map(({ text }) => text)).toEqual([]);
  });

  it('cite no file with tests that do not run everywhere', () => {
    const cited = readPages()
      .flatMap(({ rows }) => rows)
      .flatMap(({ tests }) => tests ?? [])
      .flatMap((text) => readCitation(text)?.file ?? []);
    const partial = [...new Set(cited)].filter((file) =>
      /\.(runIf|skipIf)\(/.test(readFileSync(root + file, 'utf8')),
    );
    expect(partial).toEqual([]);
  });
});

describe('flaws of rows', () => {
  it('are none where all is well', () => {
    const two = { ...good, id: 'draft-tools/tools/two', tests: undefined, like: good.id };
    expect(flaws([good, two])).toEqual([]);
    expect(flaws([{ ...good, tests: undefined, later: 'host', note: 'a dialogue' }])).toEqual([]);
  });

  it.each([
    [{ id: 'draft-tools/tools/One' }, 'the id must be draft-tools/tools/ and a name in kebab-case'],
    [{ id: '2026-07-28/tools/one' }, 'the id must be draft-tools/tools/ and a name in kebab-case'],
    [{ section: '' }, 'the section is missing'],
    [{ sentence: undefined }, 'the sentence is missing'],
    [{ level: 'WILL' }, 'the level is "WILL", and there are MUST, MUST NOT, SHOULD, SHOULD NOT, MAY'],
    [{ revisions: [] }, 'it holds in no revision'],
    [{ revisions: ['2023-01-01'] }, '"2023-01-01" is no revision'],
    [{ tests: undefined, later: 'soon' }, 'later is "soon", and there are host, tasks'],
    [{ later: 'host' }, 'it has tests and later, and only one of them can be meant'],
    [{ like: 'draft-tools/tools/one' }, 'it has tests and like, and only one of them can be meant'],
    [{ tests: 'packages/a.test.ts > one' }, 'tests must be a list'],
    [{ tests: ['packages/a.test.ts'] }, '"packages/a.test.ts" is not "path > full name of a test"'],
    [{ tests: ['packages/a.test.ts > *'] }, '"packages/a.test.ts > *" is not "path > full name of a test"'],
    [{ tests: ['packages/b.test.ts > one'] }, 'it cites packages/b.test.ts, which is not there'],
    [{ tests: [1, 2, 3, 4].map((n) => `packages/a.test.ts > ${n}`) }, 'it cites 4 tests: keep the best 3'],
    [{ tests: ['packages/a.test.ts > 1', 'packages/a.test.ts > 1'] }, 'it cites a test twice'],
    [{ comment: 'hm' }, 'a row has no member "comment"'],
  ])('%j: %s', (change, flaw) => {
    const texts = flaws([{ ...good, ...change }]);
    expect(texts.some((text) => text.endsWith(`: ${flaw}`))).toBe(true);
  });

  it('include an id that two rows have', () => {
    expect(flaws([good, good])).toEqual([`${good.id}: two rows have this id`]);
  });

  it('include a likeness that leads nowhere, or in a circle', () => {
    const alike = (/** @type {string} */ name, /** @type {string} */ like) => ({
      ...good,
      tests: undefined,
      id: `draft-tools/tools/${name}`,
      like: `draft-tools/tools/${like}`,
    });
    expect(flaws([alike('a', 'gone')])).toEqual([
      'draft-tools/tools/a: it is like "draft-tools/tools/gone", which is no row',
    ]);
    expect(flaws([alike('a', 'b'), alike('b', 'a')])).toEqual([
      'draft-tools/tools/a: it is like itself, by way of draft-tools/tools/a, draft-tools/tools/b',
      'draft-tools/tools/b: it is like itself, by way of draft-tools/tools/b, draft-tools/tools/a',
    ]);
  });

  it('include a page that is not where it belongs, and one without rows', () => {
    const file = 'tooling/requirements/rows/draft-tools/tools.json';
    const [unknown] = flaws([good], { document: 'draft' });
    expect(unknown).toContain(`${file}: the document is "draft", and there are 2024-11-05,`);
    expect(flaws([{ ...good, id: 'draft-tools/page/one' }], { page: 'page' })).toEqual([
      `${file}: this is not where the page "page" of "draft-tools" belongs`,
    ]);
    expect(flaws([])).toEqual([`${file}: there are no rows`]);
  });
});
