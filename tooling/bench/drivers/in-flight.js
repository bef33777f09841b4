/**
 * The length of a measurement.
 *
 * @typedef {object} Length
 * @property {number} ms
 * @property {number} [least] requests, however long they take
 * @property {number} [most] requests, even if there is time left
 * @property {number} depth requests in flight
 *
 * @typedef {{ count: number, ms: number }} Driven answered requests, and the time they took
 *
 * @typedef {(problem: string | undefined) => void} OnEnd to be called once, when a request has ended
 */

/**
 * Keeps a number of requests in flight until the time is over. Rejects with the first problem of an answer.
 *
 * @param {Length} length
 * @param {(onEnd: OnEnd) => void} send sends one request
 * @returns {Promise<Driven>}
 */
export function keepInFlight({ ms, least = 1, most = Number.POSITIVE_INFINITY, depth }, send) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let sent = 0;
    let count = 0;
    const next = () => {
      sent++;
      send(onEnd);
    };
    const onEnd = (/** @type {string | undefined} */ problem) => {
      if (problem !== undefined) return reject(new Error(problem));
      count++;
      const elapsed = performance.now() - start;
      if (sent < most && (elapsed < ms || count < least)) next();
      else if (count === sent) resolve({ count, ms: elapsed });
    };
    for (let n = 0; n < Math.min(depth, most); n++) next();
  });
}
