import { clusterEntrantsOf } from './entrants.js';
import { Nodes } from './nodes.js';
import { clusterRows } from './rows.js';
import { ClusterRunner, patience, turnsOf, warmUps } from './runner.js';

/**
 * @typedef {import('./entrants.js').ClusterEntrant} ClusterEntrant
 * @typedef {import('./rows.js').ClusterRow} ClusterRow
 * @typedef {import('./runner.js').ClusterCell} ClusterCell
 *
 * @typedef {object} ClusterWish
 * @property {import('../rounds/plan.js').Plan} plan
 * @property {(row: ClusterRow) => boolean} wants
 * @property {(text: string) => void} onProgress
 */

/**
 * Measures servers in one and in several processes, row by row. The processes are kept through all rows, and are measured in turn.
 *
 * @param {ClusterWish} wish
 * @returns {AsyncGenerator<{ row: ClusterRow, cells: ClusterCell[] }>}
 */
export async function* measureCluster({ plan, wants, onProgress }) {
  /** @type {Map<string, { nodes: Nodes, started: Promise<void> }>} */
  const all = new Map();
  try {
    for (const row of clusterRows.filter(wants)) {
      const runners = clusterEntrantsOf(row).map((entrant) => {
        const { nodes, started } = nodesFor(all, { entrant, row, plan });
        return { started, runner: new ClusterRunner(row, entrant, { nodes, plan }) };
      });
      onProgress(`${row.title}: starting and warming up`);
      const time = timeToPrepare(row, plan);
      await Promise.all(
        runners.map(({ runner, started }) =>
          runner.attempt(() => started.then(() => runner.prepare()), time),
        ),
      );
      const cells = await playRounds(
        runners.map(({ runner }) => runner),
        { plan, turns: turnsOf(row, plan), onProgress: (step) => onProgress(`${row.title}: ${step}`) },
      );
      yield { row, cells };
    }
  } finally {
    await Promise.all([...all.values()].map(({ nodes }) => nodes.close()));
  }
}

/**
 * Returns the milliseconds that starting and warming up may take. All processes do so at the same time, on a machine that may be busy.
 *
 * @param {ClusterRow} row
 * @param {import('../rounds/plan.js').Plan} plan
 */
function timeToPrepare(row, plan) {
  const processes = clusterEntrantsOf(row).reduce((sum, entrant) => sum + entrant.processes, 0);
  return patience + 10 * processes * warmUps(plan) * plan.cluster.warmUp.most;
}

/**
 * Returns the processes of an entrant, and starts them for its first row. The answers of the floor depend on the revision, so it has a
 * process for each lifecycle.
 *
 * @param {Map<string, { nodes: Nodes, started: Promise<void> }>} all
 * @param {{ entrant: ClusterEntrant, row: ClusterRow, plan: import('../rounds/plan.js').Plan }} which
 */
function nodesFor(all, { entrant, row, plan }) {
  const { contender, state, processes } = entrant;
  const lifecycle = contender === 'floor' ? row.lifecycle : 'session';
  const key = [contender, state, processes, lifecycle].join('-');
  const found = all.get(key);
  if (found !== undefined) return found;
  const nodes = new Nodes(entrant, { lifecycle, plan });
  const added = { nodes, started: nodes.start() };
  added.started.catch(() => {});
  all.set(key, added);
  return added;
}

/**
 * Measures every entrant in several short turns, so that other load on the machine affects all of them. The first entrant changes from turn
 * to turn.
 *
 * @param {readonly ClusterRunner[]} runners
 * @param {{ plan: import('../rounds/plan.js').Plan, turns: number, onProgress: (step: string) => void }} options
 */
async function playRounds(runners, { plan, turns, onProgress }) {
  try {
    for (let round = 0; round < plan.rounds; round++) {
      onProgress(`round ${round + 1} of ${plan.rounds}`);
      for (let turn = 0; turn < turns; turn++) {
        const first = (round * turns + turn) % runners.length;
        const order = [...runners.slice(first), ...runners.slice(0, first)];
        for (const runner of order) await runner.attempt(() => runner.sample(round));
      }
    }
    for (const runner of runners) await runner.attempt(() => runner.check());
    return runners.map(({ cell }) => cell);
  } finally {
    await Promise.all(runners.map((runner) => runner.close()));
  }
}
