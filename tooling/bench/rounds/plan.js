/**
 * The amount and length of measurements.
 *
 * @typedef {object} Plan
 * @property {number} rounds
 * @property {number} turns of each contender per round, at each depth
 * @property {number} ms of measurement for the floor and Tenon, at each depth in each round, all turns together
 * @property {number} peerMs the same for the others, which need less precision
 * @property {Record<Workload, number>} least requests in a sample, however long they take
 * @property {Record<Workload, { enough: number, most: number }>} warmUp of each process before the first round: `enough` requests,
 *   but no more than `most` milliseconds of CPU
 * @property {ClusterPlan} cluster
 * @property {boolean} everyDepth true to measure peers and the newest Node at every depth instead of the deepest
 * @property {readonly import('../processes/nodes.js').NodeVersion[]} nodes this one first
 * @property {string} [profiles] the folder for CPU profiles
 *
 * @typedef {import('../matrix/rows.js').Row['workload']} Workload
 *
 * The amount and length of measurements of clusters.
 *
 * @typedef {object} ClusterPlan
 * @property {number} ms of measurement for each entrant in each round, all turns together
 * @property {number} single calls in each turn of the rows in which each session is for a single call; a multiple of 4
 * @property {{ enough: number, most: number }} warmUp for each process and round, up to three, and half of it for one: `enough` requests, but no more than `most`
 *   milliseconds of CPU; rows have shares of it
 */

/** @type {Omit<Plan, 'nodes'>} */
export const shortPlan = {
  rounds: 3,
  turns: 4,
  ms: 160,
  peerMs: 70,
  least: { call: 200, list: 16, payload: 48, progress: 8 },
  warmUp: {
    call: { enough: 25_000, most: 3_500 },
    list: { enough: 400, most: 800 },
    payload: { enough: 100, most: 800 },
    progress: { enough: 100, most: 800 },
  },
  cluster: { ms: 400, single: 800, warmUp: { enough: 10_000, most: 400 } },
  everyDepth: false,
};

/** @type {Omit<Plan, 'nodes'>} */
export const fullPlan = {
  rounds: 5,
  turns: 5,
  ms: 500,
  peerMs: 400,
  least: { call: 1_000, list: 50, payload: 30, progress: 10 },
  warmUp: {
    call: { enough: 50_000, most: 8_000 },
    list: { enough: 1_000, most: 4_000 },
    payload: { enough: 500, most: 4_000 },
    progress: { enough: 500, most: 4_000 },
  },
  cluster: { ms: 2_000, single: 2_000, warmUp: { enough: 20_000, most: 1_000 } },
  everyDepth: true,
};
