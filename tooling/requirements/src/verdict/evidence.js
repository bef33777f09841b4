/** @import { Row } from '../rows/row.js' */
/** @import { FileResult } from '../running/report.js' */

/** @typedef {ReadonlyMap<string, FileResult>} Results by file */
/** @typedef {ReadonlyMap<string, ReadonlySet<string>>} Named the ids that a file names, by file */
/** @typedef {{ name: string, status: string }} Shown a test that shows a requirement, named with its file */

/**
 * Sorts tests by the ids they show.
 *
 * @param {Results} results
 * @returns {Map<string, Shown[]>}
 */
export function testsById(results) {
  /** @type {Map<string, Shown[]>} */
  const byId = new Map();
  for (const [file, { tests }] of results) {
    for (const { name, status, ids } of tests) {
      for (const id of ids) byId.set(id, [...(byId.get(id) ?? []), { name: `${file} > ${name}`, status }]);
    }
  }
  return byId;
}

/**
 * Lists tests that failed or did not run.
 *
 * @param {readonly Shown[]} tests
 * @returns {string[]} a complaint for each
 */
export function notPassed(tests) {
  return tests
    .filter(({ status }) => status !== 'passed')
    .map(({ name, status }) => `${name}: ${status === 'failed' ? 'failed' : `did not run (${status})`}`);
}

/**
 * Lists the revisions of a row that its tests leave out. A test that names revisions, in quotes as a case of a table does,
 * counts for those alone.
 *
 * @param {Row} row
 * @param {Row} origin the row with the tests that count
 * @param {readonly Shown[]} tests
 * @returns {string[]} a complaint for each
 */
export function leftOut(row, origin, tests) {
  const named = tests.map(({ name }) => [...name.matchAll(/'(\d{4}-\d{2}-\d{2})'/g)].map(([, one]) => one));
  if (named.some((revisions) => revisions.length === 0)) return [];
  const shown = new Set(named.flat());
  return row.revisions
    .filter((revision) => !shown.has(revision))
    .map((revision) => `no test of ${origin.id} is of ${revision}`);
}

/**
 * Compares the ids that test files name with the ids that their tests showed.
 *
 * @param {Named} named
 * @param {Results} results
 * @returns {string[]} a complaint for each file that did not run, id that no test of its file showed, and other test that
 *   did not pass
 */
export function notShown(named, results) {
  return [...named].flatMap(([file, ids]) => {
    const result = results.get(file);
    if (result === undefined) return [`${file}: it did not run`];
    if (result.failure !== undefined) return [];
    const shown = new Set(result.tests.flatMap((test) => test.ids));
    const missing = [...ids].filter((id) => !shown.has(id));
    const others = result.tests.filter((test) => test.ids.length === 0);
    return [
      ...missing.map((id) => `${file}: it names ${id}, and no test that ran shows it`),
      ...notPassed(others.map(({ name, status }) => ({ name: `${file} > ${name}`, status }))),
    ];
  });
}
