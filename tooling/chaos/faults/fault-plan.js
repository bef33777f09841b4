/** @typedef {import('./random.js').Random} Random */

/**
 * What can happen to one TCP connection.
 *
 * - `refuse`: it is reset as soon as it is made
 * - `disconnect`: both sides are closed
 * - `reset`: both sides get an RST
 * - `halfCloseClient`: the client sees an end, the server does not, for a while
 * - `halfCloseServer`: the server sees an end, and what it still says goes through, for a while
 * - `stall`: bytes are held for a while, in one direction or both
 * - `truncate`: a part of what comes next goes through, then an end
 *
 * @typedef {'refuse' | 'disconnect' | 'reset' | 'halfCloseClient' | 'halfCloseServer' | 'stall' | 'truncate'} FaultKind
 */

/** @typedef {'toServer' | 'toClient'} Lane */

/**
 * The next fault of one connection, and what brings it about: a chunk on its way, or time.
 *
 * @typedef {object} Fault
 * @property {FaultKind} kind
 * @property {Lane} lane where it strikes, or where chunks are counted
 * @property {number} [chunk] strikes at this chunk of the lane, counted from 1
 * @property {number} [afterMs] strikes after this time
 * @property {number} lastsMs how long a stall or a half-closed socket lasts
 * @property {number} share of the chunk that goes through, where it is cut
 */

const refused = 0.03;
/** Milliseconds a connection lasts, on average, before something happens to it. */
const mean = 5_000;

const weights = Object.freeze({
  disconnect: 18,
  reset: 18,
  halfCloseClient: 12,
  halfCloseServer: 12,
  stall: 26,
  truncate: 14,
});

/** Every kind, in the order of the report. */
export const faultKinds = /** @type {readonly FaultKind[]} */ (['refuse', ...Object.keys(weights)]);

/**
 * What happens next to a connection.
 *
 * @param {Random} random
 * @param {boolean} isNew nothing has happened to it so far
 * @returns {Fault}
 */
export function nextFault(random, isNew) {
  const lane = random.chance(0.6) ? 'toClient' : 'toServer';
  const lastsMs = random.between(100, 3_000);
  const share = random.next();
  if (isNew && random.chance(refused)) return { kind: 'refuse', lane, afterMs: 0, lastsMs, share };
  const kind = random.pick(weights);
  // Half strike while something is on its way, the rest mostly a connection that waits.
  if (kind === 'truncate' || random.chance(0.4)) {
    return { kind, lane, chunk: random.whole(1, 16), lastsMs, share };
  }
  return { kind, lane, afterMs: -Math.log(1 - random.next()) * mean, lastsMs, share };
}
