/** Rounds until slow work fails. */
const mostRounds = 10;
/** Runs of the reference that are enough for work that is much faster than allowed. */
const fewRuns = 5;

/**
 * Fails if `work` takes longer than `reference` run `times` times in a row. Repeats the measurement, ten rounds at most, and
 * compares the shortest time of each. Both take about as long, so a slow or busy machine changes both alike. A short run can
 * fit between two pauses of the machine; a long one cannot.
 *
 * @param {number} times
 * @param {() => unknown} work awaited if it returns a promise
 * @param {() => unknown} reference
 * @returns {Promise<void>}
 * @throws Error with the measured factor
 */
export async function takesAtMost(times, work, reference) {
  const repeats = Math.ceil(times);
  let [longest, unit] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // The first run is slow until the code is compiled.
  await reference();
  // The shortest of a few single runs is no longer than a run in a long row, so work that passes here passes below too.
  for (let run = 0; run < fewRuns; run++) unit = Math.min(unit, await timeOf(reference, 1));
  longest = await timeOf(work, 1);
  if (longest <= times * unit) return;
  unit = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds; round++) {
    unit = Math.min(unit, (await timeOf(reference, repeats)) / repeats);
    longest = Math.min(longest, await timeOf(work, 1));
    if (longest <= times * unit) return;
    // A pause of the machine is shorter than that.
    if (longest > 50 * times * unit) break;
  }
  const [found, allowed] = [(longest / unit).toFixed(1), times];
  throw new Error(`takes ${found} times as long as its reference; at most ${allowed} times was expected`);
}

/**
 * Fails if the time of `work` grows faster than its size. Eight times the size takes about 8 times as long if the time is
 * proportional, and 64 times as long if it grows with the square. At most 24 times passes.
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

/**
 * @param {() => unknown} work
 * @param {number} repeats
 */
async function timeOf(work, repeats) {
  const start = performance.now();
  for (let time = 0; time < repeats; time++) await work();
  return performance.now() - start;
}
