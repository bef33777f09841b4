import { everyPath, httpPaths } from './servers/server-paths.js';

/**
 * The limits of the server of a storm.
 *
 * @typedef {object} ServerLimits
 * @property {NonNullable<import('@tenon/mcp-server').ServerOptions['limits']>} limits
 * @property {NonNullable<import('@tenon/mcp-server/http').ServeHttpOptions['limits']>} httpLimits
 */

/**
 * The calls of each caller.
 *
 * @typedef {object} Load
 * @property {Record<import('./callers/calls.js').CallKind, number>} kinds the weights of kinds of calls
 * @property {number} spread milliseconds in which the callers start
 * @property {{ chance: number, most: number }} together the probability of several calls at the same time, and the most of them
 * @property {readonly [number, number]} pause milliseconds after calls
 * @property {readonly [number, number]} retry milliseconds after an attempt to connect
 * @property {number} attempts to get an answer after the storm
 * @property {import('@tenon/mcp-client').ClientOptions['reconnect']} reconnect
 */

/**
 * One kind of storm.
 *
 * @typedef {object} Scenario
 * @property {boolean} isApart true for the server and the callers in processes of their own, false for both in this process
 * @property {ServerLimits} server
 * @property {Load} load
 * @property {readonly import('./servers/server-paths.js').ServerPath[]} paths
 * @property {{ command: 'tick' | 'announce', ms: number }} beat a command for the server, and the milliseconds between two of them
 * @property {number} clearing milliseconds until the last timers of a closed server have fired and found nothing to do
 * @property {boolean} announcesAfter true to announce a change after the storm, which every caller must receive
 */

/** @typedef {'http' | 'soak'} ScenarioName */

/** @type {Readonly<Record<ScenarioName, Scenario>>} */
export const scenarios = {
  http: {
    isApart: true,
    // An input request without an answer ends soon, and so does a session that its client lost. Deadlines of handlers are
    // checked often, so that the last check follows the last handler soon.
    server: {
      limits: { requestTotal: 6_000, handlerTime: 20_000 },
      httpLimits: { keepAlive: 1_000, sessionIdle: 6_000, drain: 2_000 },
    },
    load: {
      kinds: { quick: 30, steps: 20, ask: 14, read: 10, list: 4, long: 6, large: 8, cancelled: 4, batch: 4 },
      spread: 1_000,
      together: { chance: 0.2, most: 4 },
      pause: [100, 500],
      retry: [100, 500],
      attempts: 2,
      reconnect: { delay: 100, maxDelay: 2_000, attempts: 8 },
    },
    paths: httpPaths,
    beat: { command: 'tick', ms: 400 },
    clearing: 3_000,
    announcesAfter: true,
  },
  soak: {
    isApart: false,
    server: {
      limits: { requestTotal: 3_000, handlerTime: 10_000, drain: 1_000 },
      httpLimits: { keepAlive: 1_000, sessionIdle: 3_000, drain: 1_000 },
    },
    load: {
      // Few of the calls take seconds.
      kinds: { quick: 40, steps: 8, ask: 14, read: 10, list: 5, long: 1, large: 6, cancelled: 8, batch: 8 },
      spread: 0,
      together: { chance: 0.3, most: 6 },
      pause: [5, 80],
      retry: [50, 200],
      attempts: 3,
      reconnect: { delay: 50, maxDelay: 1_000, attempts: 10 },
    },
    paths: everyPath,
    beat: { command: 'announce', ms: 250 },
    clearing: 12_000,
    announcesAfter: false,
  },
};
