// Cells like those of a run, for the tests of the report.
import { rows } from '../../matrix/rows.js';

const own = { path: 'node', version: 'v20.20.2', own: true };
const newest = { path: 'node26', version: 'v26.10.0', own: false };

/**
 * Returns a cell with this CPU time per request, in microseconds, for each round.
 *
 * @param {import('../../matrix/contenders.js').ContenderName} contender
 * @param {readonly number[]} costs
 * @param {{ row?: string, depth?: number, newestNode?: boolean, error?: string }} [where]
 * @returns {import('../../rounds/row-rounds.js').Cell}
 */
export function cell(contender, costs, { row = 'http-session', depth = 64, newestNode = false, error } = {}) {
  return {
    row: /** @type {import('../../matrix/rows.js').Row} */ (rows.find(({ id }) => id === row)),
    entrant: { contender, node: newestNode ? newest : own, depths: [depth] },
    depth,
    samples: costs.map((cost) => ({ count: 100, cpu: cost * 100, ms: cost })),
    ...(error !== undefined && { error }),
  };
}
