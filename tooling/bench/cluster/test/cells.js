// Cells like those of a run, for the tests of clusters.
import { clusterRows } from '../rows.js';

/**
 * Returns a cell with this CPU time per request, in microseconds, for each round. The latencies are 1 to 100 times the CPU time.
 *
 * @param {`${'floor' | 'tenon' | 'tmcp'} ${'none' | 'memory' | 'redis'} ${number}`} entrant
 * @param {readonly number[]} costs
 * @param {{ target?: number, error?: string, commands?: number }} [given] `commands` of Redis per request
 * @returns {import('../runner.js').ClusterCell}
 */
export function clusterCell(entrant, costs, { target, error, commands = 0 } = {}) {
  const [contender, state, processes] = /** @type {['tenon', 'redis', string]} */ (entrant.split(' '));
  const { target: _, ...row } = /** @type {import('../rows.js').ClusterRow} */ (clusterRows[0]);
  return {
    row: target === undefined ? row : { ...row, target },
    entrant: { contender, state, processes: Number(processes) },
    samples: costs.map((cost) => ({
      count: 100,
      cpu: cost * 100,
      ms: cost,
      commands,
      latencies: Array.from({ length: 100 }, (_, index) => (index + 1) * cost),
    })),
    ...(error !== undefined && { error }),
  };
}
