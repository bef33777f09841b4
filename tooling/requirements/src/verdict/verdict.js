import { originOf } from '../rows/alike.js';
import { leftOut, notPassed, notShown, testsById } from './evidence.js';

/** @import { PageFile, Row } from '../rows/row.js' */
/** @import { Named, Results } from './evidence.js' */

/**
 * A row and how it stands: `shown`, the later work that will show it, or `open` when something is missing.
 *
 * @typedef {object} Judged
 * @property {string} document
 * @property {Row} row
 * @property {string} status
 * @property {readonly string[]} complaints
 */

/**
 * Every row judged, and what is wrong beside the rows.
 *
 * @typedef {object} Verdict
 * @property {readonly Judged[]} rows
 * @property {readonly string[]} strays
 */

/** The status of a row that nothing shows, or not all that is said to. */
export const open = 'open';

/**
 * Judges rows by what ran.
 *
 * @param {readonly PageFile[]} pages every page there is
 * @param {Results} results
 * @param {{ chosen?: (page: PageFile) => boolean, named?: Named }} [scope] which pages are judged, and which files with them
 * @returns {Verdict}
 */
export function verdictOf(pages, results, { chosen = () => true, named = new Map() } = {}) {
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row])));
  const byId = testsById(results);
  const judged = pages.filter(chosen).flatMap(({ document, rows: own }) =>
    own.map((row) => {
      const origin = originOf(row, rows);
      if (origin.later !== undefined) return { document, row, status: origin.later, complaints: [] };
      const tests = byId.get(origin.id) ?? [];
      const complaints =
        tests.length === 0 ? [gap(row, origin)] : [...notPassed(tests), ...leftOut(row, origin, tests)];
      return { document, row, status: complaints.length === 0 ? 'shown' : open, complaints };
    }),
  );
  const strays = [...byId]
    .filter(([id]) => !rows.has(id))
    .map(([id, [test]]) => `${test?.name}: no row has the id ${id}`);
  const unread = [...results].flatMap(([file, { failure }]) =>
    failure === undefined ? [] : [`${file}: it did not load: ${failure}`],
  );
  return { rows: judged, strays: [...strays, ...unread, ...notShown(named, results)] };
}

/**
 * @param {Row} row
 * @param {Row} origin
 */
function gap(row, origin) {
  const by = origin === row ? '' : `, nor ${origin.id}, which it is like`;
  const note = origin.note === undefined ? '' : ` (${origin.note})`;
  return `no test shows it, and no later work is named${by}${note}`;
}
