import { contenders } from '../matrix/contenders.js';

/**
 * One contender in a number of processes.
 *
 * @typedef {object} ClusterEntrant
 * @property {'floor' | 'tenon' | 'tmcp'} contender
 * @property {'none' | 'memory' | 'redis'} state where the processes keep sessions; with `memory` each process serves its own
 * @property {number} processes
 *
 * @typedef {import('./rows.js').ClusterRow} ClusterRow
 */

/** @type {readonly ClusterEntrant[]} */
const entrants = [
  { contender: 'floor', state: 'none', processes: 1 },
  ...inProcesses('tenon', 'memory'),
  ...inProcesses('tenon', 'redis'),
  ...inProcesses('tmcp', 'redis'),
];

/**
 * Returns the entrants of a row. Calls of 2026-07-28 share nothing, so that only Tenon is measured with them.
 *
 * @param {Pick<ClusterRow, 'lifecycle'>} row
 */
export function clusterEntrantsOf({ lifecycle }) {
  return entrants.filter(({ contender }) => lifecycle !== 'stateless' || contender !== 'tmcp');
}

/** @param {ClusterEntrant} entrant */
export function labelOf({ contender, state, processes }) {
  const where = state === 'none' ? '' : `, ${state === 'redis' ? 'Redis' : 'memory'}`;
  return `${contenders[contender].label}${where}, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
}

/**
 * @param {'tenon' | 'tmcp'} contender
 * @param {'memory' | 'redis'} state
 * @returns {ClusterEntrant[]}
 */
function inProcesses(contender, state) {
  return [1, 2, 4].map((processes) => ({ contender, state, processes }));
}
