import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds for which the state does not answer. */
const stopped = 3_000;

/**
 * @typedef {object} Churning
 * @property {import('../nodes/nodes.js').Nodes} nodes
 * @property {import('../state/state-server.js').StateServer} state
 * @property {import('../faults/random.js').Random} random
 * @property {number} seconds
 */

/**
 * Kills, drains and replaces nodes until most of the time is over. Stops the state once, and restarts it once.
 *
 * @param {Churning} run
 */
export async function churn(run) {
  const until = performance.now() + run.seconds * 900;
  await Promise.all([replaceNodes(run, until), disturbState(run)]);
}

/**
 * @param {Churning} run
 * @param {number} until
 */
async function replaceNodes({ nodes, random }, until) {
  for (let count = 0; performance.now() < until; count++) {
    await pause(random.between(300, 1_500));
    const index = random.whole(1, nodes.count - 1);
    if (count % 2 === 0) await nodes.kill(index);
    else await nodes.drain(index, { isWarned: count % 4 === 1 });
  }
}

/** @param {Churning} run */
async function disturbState(run) {
  await pause(run.seconds * 300);
  await stopState(run);
  await pause(run.seconds * 300);
  await restartState(run);
}

/**
 * Stops the state from answering while its connections stay open, as a partition does.
 *
 * @param {Churning} run
 */
async function stopState({ state, nodes }) {
  const from = Date.now();
  await state.freeze();
  await pause(stopped);
  await state.thaw();
  nodes.disturbances.push({ kind: 'state stopped', node: undefined, from, to: Date.now() });
}

/** @param {Churning} run */
async function restartState({ state, nodes }) {
  const from = Date.now();
  await state.restart();
  nodes.disturbances.push({ kind: 'state restarted', node: undefined, from, to: Date.now() });
}
