/** Rounds after which work that is still too slow counts as too slow. */
const mostRounds = 10;

/**
 * Fails if `work` takes more than `times` as long as `reference`. Both run in turn until it does not, for ten rounds at most,
 * and the shortest time of each counts: a slow or busy machine changes both alike.
 *
 * @param {number} times
 * @param {() => unknown} work awaited if it returns a promise
 * @param {() => unknown} reference
 * @returns {Promise<void>}
 * @throws Error that says how many times as long it takes
 */
export async function takesAtMost(times, work, reference) {
  let [longest, unit] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < mostRounds; round++) {
    // Several times: the first ones warm up, and a pause of the machine must not make the reference look slow.
    for (let time = 0; time < 4; time++) unit = Math.min(unit, await timeOf(reference));
    longest = Math.min(longest, await timeOf(work));
    if (longest <= times * unit) return;
    // No pause of the machine is that long.
    if (longest > 50 * times * unit) break;
  }
  const [found, allowed] = [(longest / unit).toFixed(1), times];
  throw new Error(`takes ${found} times as long as its reference; at most ${allowed} times was expected`);
}

/**
 * Fails if the time of `work` grows faster than its size: eight times the size takes about 8 times as long in proportion,
 * and 64 times as long by the square. At most 24 times passes.
 *
 * @param {number} size large enough for a tenth of a millisecond
 * @param {(size: number) => unknown} work
 * @returns {Promise<void>}
 */
export function growsInProportion(size, work) {
  return takesAtMost(
    24,
    () => work(8 * size),
    () => work(size),
  );
}

/** @param {() => unknown} work */
async function timeOf(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
