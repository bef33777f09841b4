// What a server keeps in memory for a session whose client has done its handshake and keeps still, without a connection.
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
 * Rounds of sessions that are opened, counted and ended before, so that what code itself takes is no cost of a session;
 * shorter where a session takes so much that code does not show.
 */
const warmUps = { usual: [1_000, 1_000], heavy: [250] };

/** Those that take longest come first, so that the processes side by side end together. */
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
        const flaw = await client.flaw(session);
        if (flaw !== undefined) throw new Error(`an idle session is of no use any more: ${flaw}`);
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
