// The memory that a server keeps for a session after the handshake, idle and without a connection.
import { contenders } from '../matrix/contenders.js';
import { Handshakes } from './handshakes.js';
import { heapLanes, withServer } from './heap-process.js';
import { inLanes } from './lanes.js';
import { failureOf, quartiles, resultOf } from './results.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */

/** @type {import('./results.js').FootprintRow} */
const row = { id: 'idle-sessions', title: 'Heap per idle session', unit: 'bytes' };
const target = 1_024;
const sessions = 1_000;
/**
 * Rounds of sessions that are opened and ended first, so that loaded code does not count as a cost of sessions; fewer if a
 * session takes so much memory that code does not matter.
 */
const warmUps = { usual: [1_000, 1_000], heavy: [250] };

/** The slowest first, so that concurrent processes end together. */
const names = /** @type {const} */ (['fastmcp', 'official-1', 'official-2', 'tenon', 'tmcp', 'mcp-lite']);
const heavy = new Set(/** @type {readonly ContenderName[]} */ (names.slice(0, 3)));

/** @type {import('./results.js').FootprintPart} */
export const idleSessions = {
  rows: [row],
  async measure({ full, onProgress }) {
    const runs = names.flatMap((name) =>
      Array.from({ length: full || name === 'tenon' ? 3 : 1 }, () => name),
    );
    const found = await inLanes(runs, heapLanes.length, async (name, lane) => {
      onProgress(`1,000 idle sessions of ${contenders[name].label}`);
      return { name, outcome: await bytesPerSession(name, lane).catch((error) => error) };
    });
    return names.map((name) =>
      conclude(
        name,
        found.filter((run) => run.name === name).map(({ outcome }) => outcome),
      ),
    );
  },
};

/**
 * @param {ContenderName} contender
 * @param {number} lane
 * @returns {Promise<number>}
 */
function bytesPerSession(contender, lane) {
  return withServer({ contender, lifecycle: 'session', lane }, async (url, liveBytes) => {
    const client = new Handshakes(url);
    try {
      for (const count of heavy.has(contender) ? warmUps.heavy : warmUps.usual) {
        const passing = await client.open(count);
        await client.disconnect();
        await liveBytes();
        await client.end(passing);
        await client.disconnect();
      }
      const before = await liveBytes();
      const open = await client.open(sessions);
      await client.disconnect();
      const after = await liveBytes();
      for (const session of [open[0], open.at(-1)]) {
        const problem = await client.problem(session);
        if (problem !== undefined) throw new Error(`An idle session no longer works: ${problem}`);
      }
      return (after - before) / sessions;
    } finally {
      await client.close();
    }
  });
}

/**
 * @param {ContenderName} contender
 * @param {(number | Error)[]} outcomes
 */
function conclude(contender, outcomes) {
  const goal = contender === 'tenon' ? { target } : {};
  const error = outcomes.find((outcome) => typeof outcome !== 'number');
  if (error !== undefined) return failureOf(row, { contender, ...goal }, error);
  const { median } = quartiles(/** @type {number[]} */ (outcomes));
  const all = /** @type {number[]} */ (outcomes);
  const spread = /** @type {[number, number]} */ ([Math.min(...all), Math.max(...all)]);
  return resultOf(row, { contender, value: median, ...(all.length > 1 && { spread }), ...goal });
}
