import { isDeepStrictEqual } from 'node:util';

/**
 * One call that is made in every column, and its expected value.
 *
 * @typedef {object} Call
 * @property {string} name
 * @property {(scene: Scene) => unknown} run returns the value
 * @property {unknown} expected the value, or a function that returns it for a column
 * @property {(column: Column) => string | undefined} [unless] the reason that a column cannot make this call
 *
 * @typedef {import('./columns.js').Column} Column
 *
 * @typedef {object} Scene
 * @property {Peer} peer
 * @property {Application} application
 * @property {Column} column
 * @property {string | undefined} url of the server, unless the client started it
 * @property {(application: Application, url: string | undefined, signIn?: SignIn) => Promise<Peer>} reach connects another
 *   client of the same framework to the same server; over HTTP by any URL that leads there
 *
 * @typedef {import('../peers/peer.js').Peer} Peer
 * @typedef {import('../peers/application.js').Application} Application
 * @typedef {import('../peers/sign-in.js').SignIn} SignIn
 *
 * @typedef {{ state: 'ok' } | { state: 'n/a', reason: string } | { state: 'blank' }
 *   | { state: 'red', expected: unknown, actual: unknown }} Cell
 */

const cellTimeout = 5_000;

/**
 * Makes one call and compares its value.
 *
 * @param {Call} call
 * @param {Scene} scene
 * @returns {Promise<Cell>}
 */
export async function fillCell(call, scene) {
  const reason = call.unless?.(scene.column);
  if (reason !== undefined) return { state: 'n/a', reason };
  const expected = typeof call.expected === 'function' ? call.expected(scene.column) : call.expected;
  try {
    const actual = plain(await withinTime(Promise.resolve(call.run(scene)), cellTimeout));
    return isDeepStrictEqual(actual, plain(expected)) ? { state: 'ok' } : { state: 'red', expected, actual };
  } catch (error) {
    return {
      state: 'red',
      expected,
      actual: String(error instanceof Error ? (error.stack ?? error) : error),
    };
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
export async function withinTime(promise, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no value within ${ms} ms`)), ms);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a value as JSON represents it, without the members that the stateless revision adds to every result, because only
 * some clients show them. Calls about these members return them under other names.
 *
 * @param {unknown} value
 */
function plain(value) {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value), (_key, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const { ttlMs, cacheScope, resultType, isError, _meta, ...rest } = part;
    const { 'io.modelcontextprotocol/serverInfo': _, ...meta } = _meta ?? {};
    return {
      ...rest,
      ...(isError !== undefined && isError !== false && { isError }),
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    };
  });
}

/**
 * Returns the error that a promise rejects with, as it was sent over the wire.
 *
 * @param {Promise<unknown>} promise
 * @returns {Promise<any>} `value` with the value if the promise fulfils
 */
export async function refusal(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    // Tenon's client puts the name of the call before the peer's text.
    const { code, message, peerMessage = message, data } = /** @type {any} */ (error);
    if (!Number.isInteger(code)) throw error;
    // The first generation of the official SDK writes the code into the message as well.
    const text = String(peerMessage).replace(/^(MCP error -?\d+: )+/, '');
    return { code, message: text, ...(data !== undefined && { data }) };
  }
}

/**
 * Returns a reason for columns of revisions before the first revision that has a feature.
 *
 * @param {string} first
 * @param {string} what
 * @returns {(column: Column) => string | undefined}
 */
export function since(first, what) {
  return ({ speaks }) => (speaks < first ? `${what} starts at ${first}` : undefined);
}

/**
 * Returns a reason for columns of revisions after the last revision that has a feature.
 *
 * @param {string} last
 * @param {string} what
 * @returns {(column: Column) => string | undefined}
 */
export function until(last, what) {
  return ({ speaks }) => (speaks > last ? `${what} ended with ${last}` : undefined);
}
