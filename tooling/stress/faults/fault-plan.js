/** @typedef {import('./random.js').Random} Random */

/**
 * A fault of one TCP connection.
 *
 * - `refuse`: the proxy resets the connection immediately
 * - `disconnect`: the proxy closes both sides
 * - `reset`: the proxy sends an RST to both sides
 * - `halfCloseClient`: the client sees an end; the server sees it later
 * - `halfCloseServer`: the server sees an end; its output goes through for a while
 * - `stall`: the proxy holds bytes for a while, in one direction or both
 * - `truncate`: a part of the next chunk goes through, then both sides see an end
 *
 * @typedef {'refuse' | 'disconnect' | 'reset' | 'halfCloseClient' | 'halfCloseServer' | 'stall' | 'truncate'} FaultKind
 */

/** @typedef {'toServer' | 'toClient'} Direction */

/**
 * The next fault of one connection, and its trigger: a chunk, or time.
 *
 * @typedef {object} Fault
 * @property {FaultKind} kind
 * @property {Direction} direction the direction of the fault, and of the chunks that are counted
 * @property {number} [chunk] occurs at this chunk in that direction, counted from 1
 * @property {number} [afterMs] occurs after this time
 * @property {number} lastsMs how long a stall or a half-closed socket lasts
 * @property {number} share of a truncated chunk that goes through
 */

const refused = 0.03;
/** Milliseconds until the first fault of a connection, on average. */
const mean = 5_000;

const weights = Object.freeze({
  disconnect: 18,
  reset: 18,
  halfCloseClient: 12,
  halfCloseServer: 12,
  stall: 26,
  truncate: 14,
});

/** All kinds, in the order of the report. */
export const faultKinds = /** @type {readonly FaultKind[]} */ (['refuse', ...Object.keys(weights)]);

/**
 * Plans the next fault of a connection.
 *
 * @param {Random} random
 * @param {boolean} isNew true until the connection has its first fault
 * @returns {Fault}
 */
export function nextFault(random, isNew) {
  const direction = random.chance(0.6) ? 'toClient' : 'toServer';
  const lastsMs = random.between(100, 3_000);
  const share = random.next();
  if (isNew && random.chance(refused)) return { kind: 'refuse', direction, afterMs: 0, lastsMs, share };
  const kind = random.pick(weights);
  // Half of the faults occur while bytes are on their way, the others mostly on an idle connection.
  if (kind === 'truncate' || random.chance(0.4)) {
    return { kind, direction, chunk: random.whole(1, 16), lastsMs, share };
  }
  return { kind, direction, afterMs: -Math.log(1 - random.next()) * mean, lastsMs, share };
}
