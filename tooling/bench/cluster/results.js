import { wires } from '../matrix/wires.js';
import { figureOf, quantilesOf } from '../report/statistics.js';
import { labelOf } from './entrants.js';
import { depth } from './rows.js';

/** @typedef {import('./runner.js').ClusterCell} ClusterCell */
/** @typedef {import('./runner.js').ClusterSample} ClusterSample */
/** @typedef {import('../report/statistics.js').Figure} Figure */

/**
 * One entrant in one row, compared with others of the same round. Only `absolute` has times.
 *
 * @typedef {object} ClusterResult
 * @property {string} row id
 * @property {string} title of the row
 * @property {string} revision
 * @property {number} depth requests in flight, over all processes
 * @property {import('./entrants.js').ClusterEntrant['contender']} contender
 * @property {import('./entrants.js').ClusterEntrant['state']} state
 * @property {number} processes
 * @property {string} label of the entrant
 * @property {string} [error] the reason that there is no figure
 * @property {Figure} [cpu] of all processes per request, as a multiple of Tenon with state in memory in one process
 * @property {Figure} [throughput] the same
 * @property {Figure} [p50] of the latency; the same
 * @property {Figure} [p99] the same
 * @property {Figure} [commands] of Redis per request
 * @property {Figure} [overMemory] of Tenon with Redis: CPU per request as a multiple of as many processes with state in memory
 * @property {Figure} [overTenon] of a peer: CPU per request as a multiple of Tenon's with Redis in as many processes
 * @property {number} [target] of Tenon with Redis: the most that `overMemory.median` may be
 * @property {boolean} [met]
 * @property {Absolute} [absolute]
 *
 * @typedef {object} Absolute the medians of all rounds, on this machine
 * @property {number} cpu microseconds per request
 * @property {number} perSecond requests
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 */

/** @type {Record<'cpu' | 'throughput' | 'p50' | 'p99' | 'commands', (sample: ClusterSample) => number>} */
const measures = {
  cpu: ({ cpu, count }) => cpu / count,
  throughput: ({ count, ms }) => (1_000 * count) / ms,
  p50: ({ latencies }) => quantilesOf(latencies, [0.5])[0] ?? Number.NaN,
  p99: ({ latencies }) => quantilesOf(latencies, [0.99])[0] ?? Number.NaN,
  commands: ({ commands }) => commands,
};

/**
 * @param {readonly ClusterCell[]} cells of one row
 * @returns {ClusterResult[]}
 */
export function clusterResultsOf(cells) {
  return cells.map((cell) => {
    const { row, entrant } = cell;
    const { contender, state, processes } = entrant;
    const base = {
      row: row.id,
      title: row.title,
      revision: wires[row.lifecycle].revision,
      depth,
      contender,
      state,
      processes,
      label: labelOf(entrant),
    };
    const one = beside(cells, { contender: 'tenon', state: 'memory', processes: 1 });
    const error = cell.error ?? (one?.error && `one process is void: ${one.error}`);
    if (error !== undefined || one === undefined) return { ...base, error: String(error) };
    return {
      ...base,
      cpu: ratio(cell, one, measures.cpu),
      throughput: ratio(cell, one, measures.throughput),
      p50: ratio(cell, one, measures.p50),
      p99: ratio(cell, one, measures.p99),
      commands: figureOf(cell.samples.map(measures.commands)),
      absolute: absoluteOf(cell),
      ...comparedWithTenon(cells, cell),
    };
  });
}

/**
 * Compares Tenon with Redis with as many processes with state in memory, and peers with Tenon.
 *
 * @param {readonly ClusterCell[]} cells
 * @param {ClusterCell} cell
 */
function comparedWithTenon(cells, cell) {
  const { contender, state, processes } = cell.entrant;
  if (state !== 'redis') return {};
  const other = beside(cells, {
    contender: 'tenon',
    state: contender === 'tenon' ? 'memory' : 'redis',
    processes,
  });
  if (other === undefined || other.error !== undefined) return {};
  const figure = ratio(cell, other, measures.cpu);
  if (contender !== 'tenon') return { overTenon: figure };
  const { target } = cell.row;
  return { overMemory: figure, ...(target !== undefined && { target, met: figure.median <= target }) };
}

/**
 * @param {readonly ClusterCell[]} cells
 * @param {import('./entrants.js').ClusterEntrant} wanted
 */
function beside(cells, { contender, state, processes }) {
  return cells.find(
    ({ entrant }) =>
      entrant.contender === contender && entrant.state === state && entrant.processes === processes,
  );
}

/**
 * @param {ClusterCell} cell
 * @param {ClusterCell} base
 * @param {(sample: ClusterSample) => number} measure
 */
function ratio(cell, base, measure) {
  return figureOf(
    cell.samples.map((sample, round) => {
      const other = base.samples[round];
      return other === undefined ? Number.NaN : measure(sample) / measure(other);
    }),
  );
}

/**
 * @param {ClusterCell} cell
 * @returns {Absolute}
 */
function absoluteOf({ samples }) {
  const median = (/** @type {(sample: ClusterSample) => number} */ measure) =>
    figureOf(samples.map(measure)).median;
  return {
    cpu: median(measures.cpu),
    perSecond: median(measures.throughput),
    p50: median(measures.p50),
    p99: median(measures.p99),
  };
}
