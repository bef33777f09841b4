/**
 * What a promise gives, unless it takes too long.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {string} awaited in words
 * @returns {Promise<T>} rejects when the time is over
 */
export async function within(promise, ms, awaited) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s in vain for ${awaited}`)), ms);
  });
  try {
    return await Promise.race([promise, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}
