import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../children/child.js';
import { within } from '../children/waiting.js';
import { randomOf } from '../faults/random.js';
import { Nodes } from '../nodes/nodes.js';
import { Stage } from '../nodes/stage.js';
import { RoundRobinProxy } from '../proxy/round-robin-proxy.js';
import { churn } from './churn.js';

/**
 * @typedef {object} RunOptions
 * @property {number} seconds
 * @property {number} clients
 * @property {number} nodes
 * @property {import('../state/state-server.js').StateKind} state
 * @property {number} seed
 * @property {readonly string[]} only the scenarios to run; empty for all
 * @property {(line: string) => void} onProgress
 */

/**
 * The records of the callers of one side.
 *
 * @typedef {Omit<import('../callers/cluster-ledger.js').ClusterLedger, 'outcomes' | 'handling' | 'number'>
 *   & { found: Record<'unhandled' | 'untyped' | 'typed', import('../children/complaints.js').Complaints> }} Found
 */

/**
 * The result of a run.
 *
 * @typedef {object} Findings
 * @property {Record<'tenon' | 'official', Found>} sides
 * @property {number} began milliseconds since 1970
 * @property {import('../nodes/journal.js').Journals} journals
 * @property {readonly import('../nodes/nodes.js').Disturbance[]} disturbances
 * @property {readonly string[]} stuck
 * @property {RoundRobinProxy['counts']} proxy
 * @property {import('../nodes/nodes.js').RollingRestart} rolling
 * @property {{ before: number, after: number }} heap bytes of the node that lives through
 */

/** Milliseconds until callers must have ended, beyond the time of the run. */
const ending = 60_000;
/** Milliseconds until callers must be calm: they wait for tasks that they left, then try three times to call and to receive an update. */
const calming = 240_000;
/** Milliseconds in which sessions of closed clients end and their memory is released. */
const quiet = 2_000;
/** Seconds of calls in a rolling restart, repeated until all nodes are replaced. */
const rollingSlice = 2;
/** The first number of the calls of the official clients. */
const officialFirst = 2_000_000;

/**
 * Runs the cluster, its callers, and the disturbances.
 *
 * @param {RunOptions} options
 * @returns {Promise<Findings>}
 */
export async function runCluster(options) {
  const stage = await Stage.open(options);
  const proxy = new RoundRobinProxy();
  const url = `http://127.0.0.1:${await proxy.listen()}/mcp`;
  const nodes = new Nodes(() => stage.node({ url, rates: true }), proxy);
  const sides = /** @type {const} */ (['tenon', 'official']);
  const file = new URL('../callers/callers-process.js', import.meta.url);
  const callers = sides.map((side) => new Child(`${side} callers`, file, []));
  try {
    await Promise.all(Array.from({ length: options.nodes }, () => nodes.start()));
    const { seed, clients, only } = options;
    const begin = { url, seed, clients, only };
    await Promise.all(
      callers.map((child, index) =>
        child.call('begin', { ...begin, side: sides[index], first: index * officialFirst }),
      ),
    );
    const began = Date.now();
    const before = await warm({ ...options, nodes, callers });
    await storm({ ...options, nodes, callers, server: stage.state });
    const after = await nodes.heap();
    const rolling = await roll({ ...options, nodes, callers });
    await within(Promise.all(callers.map((child) => child.call('close'))), ending, 'closing clients');
    await nodes.close();
    const [tenon, official] = await Promise.all(callers.map((child) => child.call('found')));
    await Promise.all(callers.map((child) => child.release(5_000)));
    const { disturbances, stuck } = nodes;
    return {
      sides: { tenon, official },
      began,
      ...{
        disturbances,
        stuck,
        journals: stage.journals,
        rolling,
        proxy: proxy.counts,
        heap: { before, after },
      },
    };
  } finally {
    for (const child of callers) child.kill();
    await proxy.close();
    await stage.close();
  }
}

/** @typedef {Omit<RunOptions, 'nodes'> & { nodes: Nodes, callers: readonly Child[] }} Run */

/**
 * Opens all clients, and runs the same load without disturbances. Returns the heap after it.
 *
 * @param {Run} run
 */
async function warm({ callers, nodes, seconds, onProgress }) {
  onProgress('clients connect');
  await within(Promise.all(callers.map((child) => child.call('open'))), ending, 'connecting');
  onProgress('warm-up');
  const warmUp = Math.max(3, Math.min(30, Math.ceil(seconds / 4)));
  await runCallers(callers, warmUp);
  await pause(quiet);
  return nodes.heap();
}

/** @param {Run & { server: import('../state/state-server.js').StateServer }} run */
async function storm({ callers, nodes, server, seconds, seed, onProgress }) {
  const watching = setInterval(async () => {
    const calls = await Promise.all(callers.map((child) => child.call('calls'))).catch(() => [0, 0]);
    onProgress(
      `${calls[0]} calls of our clients, ${calls[1]} of official ones, ${nodes.disturbances.length} disturbances`,
    );
  }, 1_000);
  try {
    const random = randomOf(seed, 1);
    const churned = churn({ nodes, state: server, random, seconds });
    await Promise.all([runCallers(callers, seconds), churned]);
    onProgress('recovery');
    await within(
      Promise.all(callers.map((child) => child.call('calm'))),
      calming,
      'the calls after the storm',
    );
    await pause(quiet);
  } finally {
    clearInterval(watching);
  }
}

/**
 * Replaces all nodes in turn while callers call.
 *
 * @param {Run} run
 */
async function roll({ callers, nodes, onProgress }) {
  onProgress('rolling restart');
  let isOver = false;
  const rolled = nodes.roll().finally(() => {
    isOver = true;
  });
  while (!isOver) await runCallers(callers, rollingSlice, { floods: false });
  return rolled;
}

/**
 * @param {readonly Child[]} callers
 * @param {number} seconds
 * @param {{ floods?: boolean }} [options]
 */
function runCallers(callers, seconds, { floods = true } = {}) {
  const ran = Promise.all(callers.map((child) => child.call('run', { seconds, floods })));
  return within(ran, seconds * 1_000 + ending, 'the last call');
}
