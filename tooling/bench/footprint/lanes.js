/**
 * Runs tasks with a limit on concurrency, in the given order.
 *
 * @template T, R
 * @param {readonly T[]} tasks
 * @param {number} lanes the number of concurrent tasks
 * @param {(task: T, lane: number) => Promise<R>} run
 * @returns {Promise<R[]>} in the order of the tasks
 */
export async function inLanes(tasks, lanes, run) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const runLane = async (/** @type {unknown} */ _, /** @type {number} */ lane) => {
    for (let index = next++; index < tasks.length; index = next++) {
      results[index] = await run(/** @type {T} */ (tasks[index]), lane);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, tasks.length) }, runLane));
  return results;
}
