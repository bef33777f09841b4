import { complain } from '../../children/complaints.js';
import { holdings } from '../../children/holdings.js';
import { randomOf } from '../../faults/random.js';
import { familyOf } from '../findings/known-errors.js';
import { Ledger } from '../findings/ledger.js';
import { scenarios } from '../scenarios.js';
import { Caller } from './caller.js';

/**
 * The callers of one round.
 *
 * @typedef {object} Begin
 * @property {import('../scenarios.js').ScenarioName} scenario
 * @property {string} url of the proxy
 * @property {number} seed
 * @property {Readonly<Record<string, number>>} counts callers by the name of their path, in place of one for each revision
 * @property {number} first the number before the first call
 */

/**
 * Returns the commands for the callers of a storm.
 *
 * @param {import('../servers/server-commands.js').Shared} shared
 * @param {() => import('@tenon/mcp-server').Server | undefined} [serverHere] returns the server if it is in the same process
 */
export function callerCommands({ clock, found }, serverHere = () => undefined) {
  let ledger = new Ledger();
  /** @type {Caller[]} */
  let callers = [];
  let until = 0;
  const isOver = () => performance.now() >= until;
  const onError = (/** @type {unknown} */ error, /** @type {string} */ where) =>
    complain(familyOf(error) === undefined ? found.untyped : found.typed, error, where);
  return {
    /** @param {Begin} given */
    begin({ scenario, url, seed, counts, first }) {
      ledger = new Ledger();
      ledger.first = first;
      ledger.last = first;
      const { load, paths } = scenarios[scenario];
      const setup = { url, server: serverHere(), ledger, clock, onError, load, isOver };
      callers = paths.flatMap((path, at) => {
        const { revisions, name } = path;
        return Array.from({ length: counts[name] ?? revisions.length }, (_, index) => {
          const own = { revision: revisions[index % revisions.length], random: randomOf(seed, at, index) };
          return new Caller(setup, path, own);
        });
      });
    },
    async run(/** @type {{ seconds: number }} */ { seconds }) {
      until = performance.now() + seconds * 1_000;
      await Promise.all(callers.map((caller) => caller.run()));
    },
    stop() {
      until = 0;
    },
    calls: () => ledger.last,
    async calm() {
      await Promise.all(callers.map((caller) => caller.calm()));
    },
    changesReceived: () => callers.map((caller) => caller.changesReceived),
    standings: (/** @type {{ indexes: number[] }} */ { indexes }) =>
      indexes.map((index) => callers[index]?.standing),
    async close() {
      await Promise.all(callers.map((caller) => caller.close()));
      const messageFaults = callers.reduce((sum, caller) => sum + caller.faults, 0);
      callers = [];
      const { outcomes, handling, last, ...counts } = ledger;
      const end = last + 1;
      return {
        ...{ ...counts, last, messageFaults },
        ...{ outcomes: outcomes.slice(0, end), handling: handling.slice(0, end) },
      };
    },
    /** Drops recorded calls, and errors as well, because they use heap that is measured next. */
    forget(/** @type {{ errors?: boolean }} */ { errors = false }) {
      ledger = new Ledger();
      if (!errors) return;
      for (const key of Object.keys(found.typed)) Reflect.deleteProperty(found.typed, key);
    },
    left: async () => ({ ...(await holdings()), timers: clock.waiting, found }),
  };
}
