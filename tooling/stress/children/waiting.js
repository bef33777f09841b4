import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks again and again, until a look is good or the time is over. Returns the last look.
 *
 * @template T
 * @param {() => T | Promise<T>} look
 * @param {(seen: T) => boolean} isGood
 * @param {{ ms: number, every: number }} time milliseconds in all, and between two looks
 * @returns {Promise<T>}
 */
export async function lookUntil(look, isGood, { ms, every }) {
  for (const until = performance.now() + ms; ; ) {
    const seen = await look();
    if (isGood(seen) || performance.now() >= until) return seen;
    await pause(every);
  }
}

/**
 * Rejects if a promise does not settle in time.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {string} what for the message
 * @returns {Promise<T>}
 */
export async function within(promise, ms, what) {
  const late = Symbol('late');
  const first = await firstWithin(promise, ms, late);
  if (first === late) throw new Error(`Waited ${ms} ms for ${what} without an end.`);
  return /** @type {T} */ (first);
}

/**
 * Returns the value of a promise, or another value if the promise does not settle in time.
 *
 * @template T
 * @template Late
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {Late} late
 * @returns {Promise<T | Late>}
 */
export async function firstWithin(promise, ms, late) {
  const limit = new AbortController();
  const over = pause(ms, late, { signal: limit.signal });
  over.catch(() => {});
  try {
    return await Promise.race([promise, over]);
  } finally {
    limit.abort();
  }
}
