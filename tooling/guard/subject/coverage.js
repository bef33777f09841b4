import { Session } from 'node:inspector';
import { FunctionNames } from './function-names.js';

/**
 * @typedef {object} FunctionCalls
 * @property {string} owner `tenon`, `node`, `generated`, or the name of an npm package
 * @property {string} name such as `session/dispatch.ts dispatch`
 * @property {number} calls
 *
 * @typedef {import('node:inspector').Profiler.ScriptCoverage} ScriptCoverage
 */

/** Counts the calls of every function of this process, by V8's precise coverage. */
export class Coverage {
  #session = new Session();
  #names;

  constructor() {
    this.#session.connect();
    this.#names = new FunctionNames((scriptId) => this.#source(scriptId));
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** The coverage since the last call, as V8 reports it. @returns {ScriptCoverage[]} */
  take() {
    const { result } = this.#post('Profiler.takePreciseCoverage');
    for (const script of result) this.#names.add(script);
    return result;
  }

  /**
   * Returns the named functions of recorded coverage. Call it after the last batch.
   *
   * @param {readonly ScriptCoverage[]} taken
   * @returns {FunctionCalls[]}
   */
  named(taken) {
    /** @type {Map<string, FunctionCalls>} */
    const found = new Map();
    for (const script of taken) {
      for (const one of script.functions) {
        const calls = one.ranges[0]?.count ?? 0;
        if (calls === 0) continue;
        const named = this.#names.nameOf(script, one);
        if (named === undefined) continue;
        const key = `${named.owner} ${named.name}`;
        const known = found.get(key);
        if (known === undefined) found.set(key, { ...named, calls });
        else known.calls += calls;
      }
    }
    return [...found.values()];
  }

  /** @param {string} scriptId */
  #source(scriptId) {
    this.#post('Debugger.enable');
    return /** @type {string} */ (this.#post('Debugger.getScriptSource', { scriptId }).scriptSource);
  }

  /**
   * @param {string} method
   * @param {object} [given]
   * @returns {any}
   */
  #post(method, given) {
    /** @type {any} */
    let answer;
    // An inspector session in the same thread answers before `post` returns.
    this.#session.post(method, given, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  }
}
