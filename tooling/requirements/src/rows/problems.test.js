import { readFileSync } from 'node:fs';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { namedIds } from '../running/named-ids.js';
import { problemsOf } from './problems.js';
import { readPages, root } from './read-pages.js';

/** @import { PageFile, Row } from './row.js' */

const published = new Set(revisions.map(({ id }) => id));

const good = {
  id: 'draft-tools/tools/one',
  section: 'Capabilities',
  level: 'MUST',
  revisions: ['2026-07-28'],
  sentence: 'One holds.',
};

/**
 * @param {readonly object[]} rows
 * @param {Partial<PageFile>} [page]
 */
function problems(rows, page = {}) {
  const file = 'tooling/requirements/rows/draft-tools/tools.json';
  const typed = /** @type {readonly Row[]} */ (rows);
  const given = { file, document: 'draft-tools', page: 'tools', rows: typed, ...page };
  return problemsOf([given], published).map(({ text }) => text);
}

describe('the rows of this repository', () => {
  it('have no problem', () => {
    expect(problemsOf(readPages(), published).map(({ text }) => text)).toEqual([]);
  });

  it('are named in no file with tests that are skipped on some systems', () => {
    const partial = [...namedIds(root).keys()].filter((file) =>
      /\.(runIf|skipIf)\(/.test(readFileSync(root + file, 'utf8')),
    );
    expect(partial).toEqual([]);
  });
});

describe('problems of rows', () => {
  it('are none for valid rows', () => {
    const two = { ...good, id: 'draft-tools/tools/two', like: good.id };
    expect(problems([good, two])).toEqual([]);
    expect(problems([{ ...good, later: 'host', note: 'a dialogue' }])).toEqual([]);
  });

  it.each([
    [{ id: 'draft-tools/tools/One' }, 'the id must be draft-tools/tools/ and a name in kebab-case'],
    [{ id: '2026-07-28/tools/one' }, 'the id must be draft-tools/tools/ and a name in kebab-case'],
    [{ section: '' }, 'the section is missing'],
    [{ sentence: undefined }, 'the sentence is missing'],
    [{ level: 'WILL' }, 'the level is "WILL", and there are MUST, MUST NOT, SHOULD, SHOULD NOT, MAY'],
    [{ revisions: [] }, 'it holds in no revision'],
    [{ revisions: ['2023-01-01'] }, '"2023-01-01" is not a revision'],
    [{ later: 'soon' }, 'later is "soon", and there are host'],
    [
      { like: 'draft-tools/tools/one', later: 'host' },
      'it has like and later, and only one of them can be meant',
    ],
    [{ tests: ['packages/a.test.ts > one'] }, 'a row has no member "tests"'],
  ])('%j: %s', (change, problem) => {
    const texts = problems([{ ...good, ...change }]);
    expect(texts.some((text) => text.endsWith(`: ${problem}`))).toBe(true);
  });

  it('include an id of two rows', () => {
    expect(problems([good, good])).toEqual([`${good.id}: two rows have this id`]);
  });

  it('include a `like` with an unknown id, or a circle', () => {
    const alike = (/** @type {string} */ name, /** @type {string} */ like) => ({
      ...good,
      id: `draft-tools/tools/${name}`,
      like: `draft-tools/tools/${like}`,
    });
    expect(problems([alike('a', 'gone')])).toEqual([
      'draft-tools/tools/a: it is like "draft-tools/tools/gone", which is not a row',
    ]);
    expect(problems([alike('a', 'b'), alike('b', 'a')])).toEqual([
      'draft-tools/tools/a: it is like itself, through draft-tools/tools/a, draft-tools/tools/b',
      'draft-tools/tools/b: it is like itself, through draft-tools/tools/b, draft-tools/tools/a',
    ]);
  });

  it('include a page in the wrong place, and one without rows', () => {
    const file = 'tooling/requirements/rows/draft-tools/tools.json';
    const [unknown] = problems([good], { document: 'draft' });
    expect(unknown).toContain(`${file}: the document is "draft", and there are 2024-11-05,`);
    expect(problems([{ ...good, id: 'draft-tools/page/one' }], { page: 'page' })).toEqual([
      `${file}: this is not where the page "page" of "draft-tools" belongs`,
    ]);
    expect(problems([])).toEqual([`${file}: there are no rows`]);
  });
});
