import { readCitation } from '../rows/citation.js';
import { idsInTitle, revisionInTitle } from '../running/story-titles.js';

/** @import { Row } from '../rows/row.js' */
/** @import { FileResult } from '../running/report.js' */

/**
 * What the tests say for one row.
 *
 * @typedef {object} Evidence
 * @property {number} passed how many tests show it
 * @property {string[]} complaints what is wrong with the rest
 */

/** @typedef {ReadonlyMap<string, FileResult>} Results */

/**
 * The results of matrix stories, by the id they name.
 *
 * @param {Results} results
 * @returns {Map<string, { name: string, status: string }[]>}
 */
export function storiesById(results) {
  /** @type {Map<string, { name: string, status: string }[]>} */
  const stories = new Map();
  for (const [file, { statuses }] of results) {
    for (const [full, status] of statuses) {
      for (const id of idsInTitle(full)) {
        const name = `${file} > ${full}`;
        stories.set(id, [...(stories.get(id) ?? []), { name, status }]);
      }
    }
  }
  return stories;
}

/**
 * Joins what a row cites, and the stories that name it, with what ran.
 *
 * @param {Row} row the row that has the evidence
 * @param {Results} results
 * @param {ReturnType<typeof storiesById>} stories
 * @returns {Evidence}
 */
export function evidenceOf(row, results, stories) {
  const found = [...(stories.get(row.id) ?? [])];
  const complaints = [];
  for (const text of row.tests ?? []) {
    const matching = matches(text, results);
    if (typeof matching === 'string') complaints.push(`cites ${text}: ${matching}`);
    else found.push(...matching);
  }
  const bad = found.filter(({ status }) => status !== 'passed');
  complaints.push(...bad.map(({ name, status }) => `${name}: ${howItEnded(status)}`));
  return { passed: found.length - bad.length, complaints };
}

/**
 * The revisions of a row that is shown by stories alone in which none was told.
 *
 * @param {Row} row
 * @param {Row} origin the row that has the evidence
 * @param {ReturnType<typeof storiesById>} stories
 * @returns {string[]} a complaint for each
 */
export function untold(row, origin, stories) {
  if (origin.tests !== undefined && origin.tests.length > 0) return [];
  const told = new Set((stories.get(origin.id) ?? []).map(({ name }) => revisionInTitle(name)));
  return row.revisions
    .filter((revision) => !told.has(revision))
    .map((revision) => `no story of ${origin.id} is told in ${revision}`);
}

/**
 * The revisions of a row that the row it is like is not shown in: its tests all name other revisions, and no story is told in them.
 *
 * @param {Row} row
 * @param {Row} origin the row that has the evidence
 * @param {ReturnType<typeof storiesById>} stories
 * @returns {string[]} a complaint for each
 */
export function elsewhere(row, origin, stories) {
  if (row === origin || origin.tests === undefined) return [];
  const named = origin.tests.map((text) =>
    [...text.matchAll(/'(\d{4}-\d{2}-\d{2})'/g)].map(([, one]) => one),
  );
  if (named.length === 0 || named.some((revisions) => revisions.length === 0)) return [];
  const told = (stories.get(origin.id) ?? []).map(({ name }) => revisionInTitle(name));
  const shown = new Set([...named.flat(), ...told]);
  return row.revisions
    .filter((revision) => !shown.has(revision))
    .map((revision) => `the tests of ${origin.id} are of other revisions than ${revision}`);
}

/**
 * @param {string} text
 * @param {Results} results
 * @returns {{ name: string, status: string }[] | string} what is wrong, where no test is meant
 */
function matches(text, results) {
  const citation = readCitation(text);
  if (citation === undefined) return 'it is not "path > full name of a test"';
  const { file, name, rest } = citation;
  const result = results.get(file);
  if (result === undefined) return 'the file did not run';
  if (result.failure !== undefined) return `the file did not load: ${result.failure}`;
  const named = [...result.statuses].filter(([full]) => (rest ? full.startsWith(name) : full === name));
  if (named.length === 0) return 'there is no such test';
  return named.map(([full, status]) => ({ name: `${file} > ${full}`, status }));
}

/** @param {string} status */
function howItEnded(status) {
  return status === 'failed' ? 'failed' : `did not run (${status})`;
}
