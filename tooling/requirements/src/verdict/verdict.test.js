import { describe, expect, it } from 'vitest';
import { readReport } from '../running/report.js';
import { complaintsOf, laterList } from './complaints.js';
import { countsOf, tableOf } from './counts.js';
import { verdictOf } from './verdict.js';

/** @import { Row } from '../rows/row.js' */

const file = 'packages/a.test.ts';
const one = 'draft-tools/tools/one';

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
 * @param {readonly (readonly [names: string, status: string, ...ids: string[]])[]} tests
 * @param {string} [message]
 */
function ran(tests, message = '') {
  const assertionResults = tests.map(([names, status, ...requirements]) => {
    const titles = names.split(' > ');
    const meta = requirements.length === 0 ? {} : { requirements };
    return { ancestorTitles: titles.slice(0, -1), title: titles.at(-1) ?? '', status, meta };
  });
  return { name: `/root/${file}`, message, assertionResults };
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

describe('the status of a row', () => {
  it('changes to shown when a test of the row passed', () => {
    expect(judge([row('one', {})], ran([['group > one', 'passed', one]]))).toMatchObject({
      statuses: ['shown'],
      complaints: [],
    });
  });

  it("stays open when one of the row's tests failed or did not run", () => {
    const ends = /** @type {const} */ ({ failed: 'failed', skipped: 'did not run (skipped)' });
    for (const [status, said] of Object.entries(ends)) {
      const tests = ran([
        ['group > case 1', 'passed', 'draft-tools/tools/zero', one],
        ['group > case 2', status, one],
      ]);
      const { statuses, complaints } = judge([row('zero', {}), row('one', {})], tests);
      expect(statuses).toEqual(['shown', 'open']);
      expect(complaints).toEqual([`${one}: ${file} > group > case 2: ${said}`]);
    }
  });

  it('stays open when one of two tests with the same name failed', () => {
    const tests = ran([
      ['one', 'failed', one],
      ['one', 'passed', one],
    ]);
    expect(judge([row('one', {})], tests).statuses).toEqual(['open']);
  });

  it('stays open when the tests leave out a revision of the row', () => {
    const both = row('one', { revisions: ['2026-07-28', '2025-11-25'] });
    const newer = /** @type {const} */ (["holds > '2026-07-28' over 'http'", 'passed', one]);
    const { statuses, complaints } = judge([both], ran([newer]));
    expect(statuses).toEqual(['open']);
    expect(complaints).toEqual([`${one}: no test of ${one} is of 2025-11-25`]);
    const older = /** @type {const} */ (["holds > '2025-11-25' over 'http'", 'passed', one]);
    expect(judge([both], ran([newer, older])).statuses).toEqual(['shown']);
    expect(judge([both], ran([newer, ['holds in all', 'passed', one]])).statuses).toEqual(['shown']);
  });

  it('stays open when the tests of the row it is like name other revisions', () => {
    const origin = row('one', { revisions: ['2024-11-05'] });
    const alike = row('two', { like: origin.id });
    const older = /** @type {const} */ (["in '2024-11-05' > one", 'passed', one]);
    const { statuses, complaints } = judge([origin, alike], ran([older]));
    expect(statuses).toEqual(['shown', 'open']);
    expect(complaints).toEqual([`draft-tools/tools/two: no test of ${one} is of 2026-07-28`]);
    const newer = /** @type {const} */ (["in '2026-07-28' > one", 'passed', one]);
    expect(judge([origin, alike], ran([older, newer])).statuses).toEqual(['shown', 'shown']);
  });

  it('follows the tests of the row it is like', () => {
    const origin = row('one', {});
    const alike = [row('two', { like: origin.id }), row('three', { like: 'draft-tools/tools/two' }), origin];
    expect(judge(alike, ran([['one', 'passed', one]])).statuses).toEqual(['shown', 'shown', 'shown']);
    expect(judge([row('two', { like: origin.id }), origin]).complaints).toContain(
      `draft-tools/tools/two: no test shows it, and no later work is named, nor ${one}, which it is like`,
    );
  });

  it('is the later work, if the row names it', () => {
    const later = [row('one', { later: 'host' }), row('two', { like: 'draft-tools/tools/one' })];
    const { verdict, statuses, complaints } = judge(later);
    expect({ statuses, complaints }).toEqual({ statuses: ['host', 'host'], complaints: [] });
    expect(laterList(verdict)).toBe('host: 2\n  draft-tools/tools/one: one.\n  draft-tools/tools/two: two.');
  });

  it('stays open when no test names the row, with the note repeated', () => {
    const { statuses, complaints } = judge(
      [row('one', { note: 'waiting: icons' })],
      ran([['one', 'passed']]),
    );
    expect(statuses).toEqual(['open']);
    expect(complaints).toEqual([`${one}: no test shows it, and no later work is named (waiting: icons)`]);
  });
});

describe('complaints about tests', () => {
  it('list a test with an unknown id', () => {
    expect(judge([], ran([['group > one', 'failed', one]])).complaints).toEqual([
      `${file} > group > one: no row has the id ${one}`,
    ]);
  });

  it('list a file that does not load', () => {
    expect(judge([], ran([], 'SyntaxError')).complaints).toEqual([`${file}: it did not load: SyntaxError`]);
  });

  it('list a file that names ids and did not run, or ended before it showed them', () => {
    const named = new Map([[file, new Set([one])]]);
    /** @param {...ReturnType<typeof ran>} testResults */
    const strays = (...testResults) => verdictOf([], readReport({ testResults }, '/root/'), { named }).strays;
    expect(strays()).toEqual([`${file}: it did not run`]);
    expect(strays(ran([['one', 'passed']]))).toEqual([
      `${file}: it names ${one}, and no test that ran shows it`,
    ]);
    expect(strays(ran([['one', 'failed']]))).toContain(`${file} > one: failed`);
  });
});

describe('the counts', () => {
  it('group by document, level and status', () => {
    const rows = [row('one', { later: 'host' }), row('two', { level: 'MAY' }), row('three', {})];
    expect(tableOf(countsOf(judge(rows).verdict.rows))).toBe(
      [
        'document     level  rows  shown  host  open',
        'draft-tools  MUST      2      0     1     1',
        'draft-tools  MAY       1      0     0     1',
        'draft-tools  all       3      0     1     2',
        'all          all       3      0     1     2',
      ].join('\n'),
    );
  });
});
