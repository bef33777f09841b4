/**
 * Resolves with the value of a promise, unless it takes too long.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {string} awaited describes what the promise waits for
 * @returns {Promise<T>} rejects when the time is over
 */
export async function within(promise, ms, awaited) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${ms / 1000} s for ${awaited}.`)), ms);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}
