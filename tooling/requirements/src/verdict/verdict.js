import { originOf } from '../rows/alike.js';
import { elsewhere, evidenceOf, storiesById, untold } from './evidence.js';

/** @import { PageFile, Row } from '../rows/row.js' */
/** @import { Results } from './evidence.js' */

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
 * @param {(page: PageFile) => boolean} [chosen] which pages are judged
 * @returns {Verdict}
 */
export function verdictOf(pages, results, chosen = () => true) {
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row])));
  const stories = storiesById(results);
  const judged = pages.filter(chosen).flatMap(({ document, rows: own }) =>
    own.map((row) => {
      const origin = originOf(row, rows);
      if (origin.later !== undefined) return { document, row, status: origin.later, complaints: [] };
      const { passed, complaints } = evidenceOf(origin, results, stories);
      if (passed > 0) complaints.push(...untold(row, origin, stories), ...elsewhere(row, origin, stories));
      if (passed > 0 && complaints.length === 0) return { document, row, status: 'shown', complaints };
      return {
        document,
        row,
        status: open,
        complaints: complaints.length > 0 ? complaints : [gap(row, origin)],
      };
    }),
  );
  const strays = [...stories]
    .filter(([id]) => !rows.has(id))
    .map(([id, [story]]) => `${story?.name}: no row has the id ${id}`);
  const unread = [...results].flatMap(([file, { failure }]) =>
    failure === undefined ? [] : [`${file}: it did not load: ${failure}`],
  );
  return { rows: judged, strays: [...strays, ...unread] };
}

/**
 * @param {Row} row
 * @param {Row} origin
 */
function gap(row, origin) {
  const by = origin === row ? '' : `, nor ${origin.id}, which it is like`;
  const note = origin.note === undefined ? '' : ` (${origin.note})`;
  return `no test shows it, no story names it, and no later work is named${by}${note}`;
}
