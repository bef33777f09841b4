/** @import { Row } from './row.js' */

/**
 * The row that a row is like in the end, which is itself where it has evidence of its own.
 *
 * @param {Row} row
 * @param {ReadonlyMap<string, Row>} rows by id
 * @returns {Row} the last row that could be reached, where the way leads nowhere or in a circle
 */
export function originOf(row, rows) {
  const seen = new Set([row]);
  let at = row;
  for (;;) {
    const next = at.like === undefined ? undefined : rows.get(at.like);
    if (next === undefined || seen.has(next)) return at;
    seen.add(next);
    at = next;
  }
}
