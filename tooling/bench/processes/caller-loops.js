import { workloads } from '../matrix/wires.js';

/** @typedef {import('../contenders/base/raw-caller.js').Caller} Caller */
/** @typedef {{ ms: number, depth: number }} Order */

/**
 * Returns the loop that keeps a caller calling.
 *
 * @param {Caller} caller
 * @param {boolean} inTurn true for one call at a time
 * @returns {(order: Order) => number | Promise<number>}
 */
export function runOf(caller, inTurn) {
  const { run } = caller;
  if (run !== undefined) return (order) => run({ ...order, check: requireShape });
  return (order) => (inTurn ? callInTurn(caller, order) : callTogether(caller, order));
}

/**
 * @param {Caller} caller
 * @param {Order} order
 */
async function callInTurn(caller, { ms }) {
  const end = performance.now() + ms;
  let count = 0;
  do {
    for (let n = 0; n < 64; n++) requireShape(await caller.call());
    count += 64;
  } while (performance.now() < end);
  return count;
}

/**
 * @param {Caller} caller
 * @param {Order} order
 */
async function callTogether(caller, { ms, depth }) {
  const end = performance.now() + ms;
  let count = 0;
  const one = async () => {
    do {
      requireShape(await caller.call());
      count++;
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: depth }, one));
  return count;
}

/** @param {any} result */
function requireShape(result) {
  if (result?.content?.length === 1 && result.isError !== true) return;
  throw new Error(workloads.call.problem(result) ?? `wrong answer: ${JSON.stringify(result)?.slice(0, 300)}`);
}
