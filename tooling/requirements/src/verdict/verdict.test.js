import { describe, expect, it } from 'vitest';
import { readReport } from '../running/report.js';
import { storyTitle } from '../running/story-titles.js';
import { complaintsOf, laterList } from './complaints.js';
import { countsOf, tableOf } from './counts.js';
import { verdictOf } from './verdict.js';

/** @import { Row } from '../rows/row.js' */

const file = 'packages/a.test.ts';
const matrix = 'tooling/requirements/src/matrix/a.test.ts';

/**
 * @param {string} name
 * @param {Partial<Row>} evidence
 * @returns {Row}
 */
function row(name, evidence) {
  const id = `draft-tools/tools/${name}`;
  return { id, section: 'S', level: 'MUST', revisions: ['2026-07-28'], sentence: `${name}.`, ...evidence };
}

/** @param {readonly Row[]} rows */
function pagesOf(rows) {
  return [{ file: 'draft-tools/tools.json', document: 'draft-tools', page: 'tools', rows }];
}

/**
 * @param {string} path
 * @param {readonly (readonly [names: string, status: string])[]} tests
 * @param {string} [message]
 */
function ran(path, tests, message = '') {
  const assertionResults = tests.map(([names, status]) => {
    const titles = names.split(' > ');
    return { ancestorTitles: titles.slice(0, -1), title: titles.at(-1) ?? '', status };
  });
  return { name: `/root/${path}`, message, assertionResults };
}

/**
 * @param {readonly Row[]} rows
 * @param {...ReturnType<typeof ran>} testResults
 */
function judge(rows, ...testResults) {
  const verdict = verdictOf(pagesOf(rows), readReport({ testResults }, '/root/'));
  return {
    verdict,
    statuses: verdict.rows.map(({ status }) => status),
    complaints: complaintsOf([], verdict),
  };
}

describe('a row', () => {
  it('is shown by the tests it cites', () => {
    const shown = row('one', { tests: [`${file} > group > one`] });
    expect(judge([shown], ran(file, [['group > one', 'passed']]))).toMatchObject({
      statuses: ['shown'],
      complaints: [],
    });
  });

  it('is shown by every test that the beginning of a name means', () => {
    const table = row('one', { tests: [`${file} > group > row *`] });
    const first = /** @type {const} */ (['group > row 1', 'passed']);
    expect(judge([table], ran(file, [first, ['group > row 2', 'passed']])).statuses).toEqual(['shown']);
    expect(judge([table], ran(file, [first, ['group > row 2', 'failed']])).complaints).toEqual([
      `draft-tools/tools/one: ${file} > group > row 2: failed`,
    ]);
  });

  it('is shown by a story that names it, and left open when one of its places fails', () => {
    const told = row('one', { tests: [] });
    const title = storyTitle(['draft-tools/tools/zero', 'draft-tools/tools/one']);
    const zero = row('zero', {});
    const passed = /** @type {const} */ ([`${title} > holds > 2026-07-28 over http`, 'passed']);
    expect(judge([zero, told], ran(matrix, [passed])).statuses).toEqual(['shown', 'shown']);
    const failed = /** @type {const} */ ([`${title} > holds > 2026-07-28 over memory`, 'failed']);
    expect(judge([zero, told], ran(matrix, [passed, failed])).statuses).toEqual(['open', 'open']);
  });

  it('is open when its stories leave a revision out, though its like is not', () => {
    const origin = row('one', { revisions: ['2026-07-28'] });
    const alike = row('two', { like: origin.id, revisions: ['2026-07-28', '2025-11-25'] });
    const told = (/** @type {string} */ place) =>
      /** @type {const} */ ([`${storyTitle([origin.id])} > holds > ${place}`, 'passed']);
    const { statuses, complaints } = judge([origin, alike], ran(matrix, [told("'2026-07-28' over 'http'")]));
    expect(statuses).toEqual(['shown', 'open']);
    expect(complaints).toEqual([
      'draft-tools/tools/two: no story of draft-tools/tools/one is told in 2025-11-25',
    ]);
    const both = [told("'2026-07-28' over 'http'"), told('2025-11-25 over stdio')];
    expect(judge([origin, alike], ran(matrix, both)).statuses).toEqual(['shown', 'shown']);
  });

  it('is open when the tests of its like name other revisions, and no story is told in its own', () => {
    const origin = row('one', { tests: [`${file} > in '2024-11-05' > one`], revisions: ['2024-11-05'] });
    const alike = row('two', { like: origin.id });
    const shown = ran(file, [["in '2024-11-05' > one", 'passed']]);
    const { statuses, complaints } = judge([origin, alike], shown);
    expect(statuses).toEqual(['shown', 'open']);
    expect(complaints).toEqual([
      'draft-tools/tools/two: the tests of draft-tools/tools/one are of other revisions than 2026-07-28',
    ]);
    const story = ran(matrix, [[`${storyTitle([origin.id])} > one. > '2026-07-28' over 'http'`, 'passed']]);
    expect(judge([origin, alike], shown, story).statuses).toEqual(['shown', 'shown']);
  });

  it('takes the tests of the row it is like', () => {
    const origin = row('one', { tests: [`${file} > one`] });
    const alike = [row('two', { like: origin.id }), row('three', { like: 'draft-tools/tools/two' }), origin];
    expect(judge(alike, ran(file, [['one', 'passed']])).statuses).toEqual(['shown', 'shown', 'shown']);
    expect(judge([row('two', { like: origin.id }), row('one', { tests: [] })]).complaints).toContain(
      'draft-tools/tools/two: no test shows it, no story names it, and no later work is named, nor draft-tools/tools/one, which it is like',
    );
  });

  it('may be left to later work', () => {
    const later = [row('one', { later: 'host' }), row('two', { like: 'draft-tools/tools/one' })];
    const { verdict, statuses, complaints } = judge(later);
    expect({ statuses, complaints }).toEqual({ statuses: ['host', 'host'], complaints: [] });
    expect(laterList(verdict)).toBe(
      'host: 2\n  draft-tools/tools/one: one.\n  draft-tools/tools/two: two.\ntasks: 0',
    );
  });

  it.each([
    ['has no evidence', {}, 'no test shows it, no story names it, and no later work is named'],
    [
      'waits',
      { tests: [], note: 'waiting: icons' },
      'no test shows it, no story names it, and no later work is named (waiting: icons)',
    ],
    [
      'cites a test that is not there',
      { tests: [`${file} > two`] },
      `cites ${file} > two: there is no such test`,
    ],
    [
      'cites a beginning that no name has',
      { tests: [`${file} > two *`] },
      `cites ${file} > two *: there is no such test`,
    ],
    ['cites a test that failed', { tests: [`${file} > bad`] }, `${file} > bad: failed`],
    ['cites a test that was skipped', { tests: [`${file} > left`] }, `${file} > left: did not run (skipped)`],
    [
      'cites a file that did not run',
      { tests: ['packages/b.test.ts > one'] },
      'cites packages/b.test.ts > one: the file did not run',
    ],
  ])('is open when it %s', (_, evidence, complaint) => {
    const tests = ran(file, [
      ['one', 'passed'],
      ['bad', 'failed'],
      ['left', 'skipped'],
    ]);
    const { statuses, complaints } = judge([row('one', evidence)], tests);
    expect(statuses).toEqual(['open']);
    expect(complaints).toEqual([`draft-tools/tools/one: ${complaint}`]);
  });

  it('is open when one of two tests of the same name failed', () => {
    const tests = ran(file, [
      ['one', 'failed'],
      ['one', 'passed'],
    ]);
    expect(judge([row('one', { tests: [`${file} > one`] })], tests).statuses).toEqual(['open']);
  });
});

describe('what is wrong beside the rows', () => {
  it('is a story that names an id no row has', () => {
    const title = `${storyTitle(['draft-tools/tools/gone'])} > holds > 2026-07-28 over http`;
    expect(judge([], ran(matrix, [[title, 'failed']])).complaints).toEqual([
      `${matrix} > ${title}: no row has the id draft-tools/tools/gone`,
    ]);
  });

  it('is a file that does not load', () => {
    const { complaints } = judge([row('one', { tests: [`${file} > one`] })], ran(file, [], 'SyntaxError'));
    expect(complaints).toEqual([
      `draft-tools/tools/one: cites ${file} > one: the file did not load: SyntaxError`,
      `${file}: it did not load: SyntaxError`,
    ]);
  });
});

describe('the counts', () => {
  it('stand by document, level and status', () => {
    const rows = [row('one', { later: 'host' }), row('two', { level: 'MAY' }), row('three', {})];
    expect(tableOf(countsOf(judge(rows).verdict.rows))).toBe(
      [
        'document     level  rows  shown  host  tasks  open',
        'draft-tools  MUST      2      0     1      0     1',
        'draft-tools  MAY       1      0     0      0     1',
        'draft-tools  all       3      0     1      0     2',
        'all          all       3      0     1      0     2',
      ].join('\n'),
    );
  });
});
