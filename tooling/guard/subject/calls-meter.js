import { countBuiltIns, takeTally, watchBuiltIns } from './built-ins.js';
import { Coverage } from './coverage.js';
import { namePlace, ownerOf } from './function-names.js';

/**
 * @typedef {import('./coverage.js').FunctionCalls} FunctionCalls
 * @typedef {import('./coverage.js').ScriptCoverage} ScriptCoverage
 * @typedef {import('./built-ins.js').Tally} Tally
 *
 * @typedef {object} CallsBatch
 * @property {FunctionCalls[]} functions
 * @property {Tally} tally
 *
 * @typedef {object} CallsReport
 * @property {CallsBatch[]} batches
 * @property {Record<string, Record<string, number>>} callers of built-ins in the watched batch, by count id
 */

countBuiltIns();

/** Counts calls of functions and built-ins, batch by batch. */
export class CallsMeter {
  #coverage = new Coverage();
  /** @type {{ scripts: ScriptCoverage[], tally: Tally }[]} */
  #batches = [];
  /** @type {{ id: string, url: string, line: number, column: number, name: string }[]} */
  #sites = [];

  begin() {
    this.#coverage.take();
    takeTally();
  }

  take() {
    const scripts = this.#coverage.take();
    this.#batches.push({ scripts, tally: takeTally() });
  }

  /** Records the callers of built-ins, from now on. */
  watch() {
    watchBuiltIns((id, own) => {
      const site = callSite(id, own);
      if (site !== undefined) this.#sites.push({ id, ...site });
    });
  }

  /** @returns {CallsReport} */
  report() {
    watchBuiltIns(undefined);
    /** @type {CallsReport['callers']} */
    const callers = {};
    for (const { id, url, ...place } of this.#sites) {
      const owner = ownerOf(url);
      if (owner === 'guard') continue;
      const name = owner === 'tenon' ? namePlace(url, place) : owner;
      callers[id] = { ...callers[id], [name]: (callers[id]?.[name] ?? 0) + 1 };
    }
    const batches = this.#batches.map(({ scripts, tally }) => ({
      functions: this.#coverage.named(scripts),
      tally,
    }));
    return { batches, callers };
  }
}

/**
 * Returns the place in the built code that called a replaced built-in. An error counts where its class is constructed first.
 *
 * @param {string} id
 * @param {Function} own
 */
function callSite(id, own) {
  const { prepareStackTrace } = Error;
  /** @type {{ stack: readonly NodeJS.CallSite[] }} */
  const holder = { stack: [] };
  Error.prepareStackTrace = (_, sites) => sites;
  Error.captureStackTrace(holder, own);
  const sites = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  const isMaker = (/** @type {NodeJS.CallSite} */ one) => id !== 'errors' || !one.isConstructor();
  const site = sites.find((one) => !one.getFileName()?.startsWith('node:') && isMaker(one));
  if (site === undefined) return undefined;
  return {
    url: site.getFileName() ?? '',
    line: (site.getLineNumber() ?? 1) - 1,
    column: (site.getColumnNumber() ?? 1) - 1,
    name: site.getFunctionName() ?? '(anonymous)',
  };
}
