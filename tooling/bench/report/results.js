import { contenders } from '../matrix/contenders.js';
import { wires } from '../matrix/wires.js';
import { isTenon } from '../rounds/entrants.js';
import { figureOf } from './statistics.js';

/** @typedef {import('../rounds/row-rounds.js').Cell} Cell */
/** @typedef {import('./statistics.js').Figure} Figure */

/**
 * One contender in one row, at one depth, on one Node, compared with others of the same round. Only ratios: absolute times mean
 * nothing on another machine.
 *
 * @typedef {object} Result
 * @property {string} row id
 * @property {string} title of the row
 * @property {string} revision
 * @property {number} depth requests in flight
 * @property {import('../matrix/contenders.js').ContenderName} contender
 * @property {string} label of the contender
 * @property {string} node version
 * @property {boolean} ownNode true on the Node that targets are judged on
 * @property {string} [error] the reason that there is no figure
 * @property {Figure} [cpu] per request, as a multiple of the floor's
 * @property {Figure} [throughput] as a multiple of the floor's
 * @property {Figure} [overTenon] of a peer: CPU per request as a multiple of Tenon's; of a host: as a multiple of the client in its process
 * @property {number} [target] of Tenon: the most that `cpu.median` may be
 * @property {boolean} [met]
 */

/**
 * @param {readonly Cell[]} cells of all rows
 * @returns {Result[]}
 */
export function resultsOf(cells) {
  return cells.map((cell) => {
    const { row, entrant, depth } = cell;
    const base = {
      row: row.id,
      title: row.title,
      revision: wires[row.lifecycle].revision,
      depth,
      contender: entrant.contender,
      label: contenders[entrant.contender].label,
      node: entrant.node.version,
      ownNode: entrant.node.own,
    };
    const floor = beside(cells, cell, 'floor');
    const error =
      cell.error ??
      (floor === undefined
        ? 'its floor was not measured'
        : floor.error && `its floor is void: ${floor.error}`);
    if (error !== undefined || floor === undefined) return { ...base, error: String(error) };
    const cpu = ratio(cell, floor, cpuPerRequest);
    return {
      ...base,
      cpu,
      throughput: ratio(cell, floor, throughput),
      ...overTenon(cells, cell),
      ...verdict(cell, cpu),
    };
  });
}

/**
 * Returns the cell of another contender under the same conditions.
 *
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 * @param {Cell['entrant']['contender']} contender
 */
function beside(cells, { row, entrant: { node }, depth }, contender) {
  return cells.find(
    (one) =>
      one.row === row &&
      one.depth === depth &&
      one.entrant.contender === contender &&
      one.entrant.node.version === node.version,
  );
}

/**
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 */
function overTenon(cells, cell) {
  const { contender } = cell.entrant;
  const own = cell.samples.flatMap((sample) => sample.beside ?? []);
  if (own.length > 0) return { overTenon: ratio(cell, { samples: own }, cpuPerRequest) };
  const tenon = beside(cells, cell, 'tenon');
  if (contender === 'floor' || isTenon(contender) || tenon === undefined || tenon.error !== undefined)
    return {};
  return { overTenon: ratio(cell, tenon, cpuPerRequest) };
}

/**
 * @param {Cell} cell
 * @param {Figure} cpu
 */
function verdict({ row: { target }, entrant: { contender, node } }, { median }) {
  return node.own && isTenon(contender) ? { target, met: median <= target } : {};
}

/**
 * @param {Cell} cell
 * @param {Pick<Cell, 'samples'>} base
 * @param {(sample: import('../rounds/sample.js').Sample) => number} measure
 */
function ratio(cell, base, measure) {
  return figureOf(
    cell.samples.map((sample, round) => {
      const other = base.samples[round];
      return other === undefined ? Number.NaN : measure(sample) / measure(other);
    }),
  );
}

/** @param {import('../rounds/sample.js').Sample} sample */
function cpuPerRequest({ cpu, count }) {
  return cpu / count;
}

/** @param {import('../rounds/sample.js').Sample} sample */
function throughput({ count, ms }) {
  return count / ms;
}
