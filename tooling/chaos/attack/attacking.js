import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../children/child.js';
import { httpAttacks } from './http-attacks.js';
import { Neighbour } from './neighbour.js';
import { stdioAttacks } from './stdio-attacks.js';
import { attackStdio } from './stdio-peer.js';

/**
 * What one attack did.
 *
 * @typedef {object} Finding
 * @property {string} name
 * @property {string} about
 * @property {string | undefined} ended why the server is no longer there
 * @property {{ before: number, after: number, peak: number }} [memory] bytes held before and after the attack, and the most
 *   memory the process occupied meanwhile
 * @property {{ calls: number, slowest: number, failures: readonly string[] }} [neighbour] calls of another client
 * @property {string} [failed] why the attack could not be made
 */

/**
 * @typedef {object} Options
 * @property {number} seconds how long an attacker holds on to what it has
 * @property {number} heap MiB of heap the server has
 * @property {readonly string[]} only names; all attacks when empty
 * @property {AbortSignal} signal
 * @property {(line: string) => void} onProgress
 */

/** Every attack by name, with a line about it. */
export const attacks = [...httpAttacks, ...stdioAttacks].map(({ name, about }) => ({ name, about }));

/** Milliseconds in which memory has to return. */
const settling = 20_000;
/** By how much of what was held before it may have grown. */
export const growth = 0.1;

/**
 * Plays the attacks one after another: those over HTTP against one server, which has to live through all of them.
 *
 * @param {Options} options
 * @returns {AsyncGenerator<Finding>}
 */
export async function* attacking(options) {
  const chosen = (/** @type {{ name: string }} */ { name }) =>
    options.only.length === 0 || options.only.includes(name);
  const overHttp = httpAttacks.filter(chosen);
  let target = overHttp.length === 0 ? undefined : await Target.begin(options);
  try {
    for (const attack of overHttp) {
      if (options.signal.aborted) return;
      options.onProgress(`${attack.name}: ${attack.about}`);
      target ??= await Target.begin(options);
      const finding = await target.endure(attack);
      yield finding;
      if (finding.ended !== undefined) {
        target.kill();
        target = undefined;
      }
    }
  } finally {
    target?.kill();
  }
  for (const attack of stdioAttacks.filter(chosen)) {
    if (options.signal.aborted) return;
    options.onProgress(`${attack.name}: ${attack.about}`);
    const { name, about } = attack;
    yield { name, about, ended: await attackStdio(attack, options) };
  }
}

/** A server, an attacker and a neighbour, each in a process of its own; the neighbour in this one. */
class Target {
  #seconds;
  #server;
  #url = '';
  /** @type {Neighbour | undefined} */
  #neighbour;

  /** @param {Options} options */
  constructor({ seconds, heap }) {
    this.#seconds = seconds;
    const execArgv = ['--expose-gc', `--max-old-space-size=${heap}`];
    this.#server = new Child('server', new URL('./server-process.js', import.meta.url), execArgv);
  }

  /** @param {Options} options */
  static async begin(options) {
    const target = new Target(options);
    const { url } = await target.#server.call('begin');
    target.#url = url;
    target.#neighbour = new Neighbour(url);
    await target.#neighbour.open();
    return target;
  }

  /**
   * @param {import('./http-attacks.js').Attack} attack
   * @returns {Promise<Finding>}
   */
  async endure({ name, about }) {
    try {
      // Code that runs for the first time stays: what an attack leaves is looked for in its second run.
      await this.#play(name, 0);
      const before = await this.#held(0);
      await this.#server.call('peak');
      this.#neighbour?.start();
      const failed = await this.#play(name, this.#seconds);
      const neighbour = await this.#neighbour?.stop();
      const peak = await this.#server.call('peak');
      const after = await this.#held(before.bytes * (1 + growth));
      return {
        name,
        about,
        ended: undefined,
        memory: { before: before.bytes, after: after.bytes, peak },
        ...(neighbour !== undefined && { neighbour }),
        ...(failed !== undefined && { failed }),
      };
    } catch (error) {
      return { name, about, ended: error instanceof Error ? error.message : String(error) };
    }
  }

  kill() {
    this.#neighbour?.close();
    this.#server.kill();
  }

  /**
   * @param {string} name
   * @param {number} seconds
   * @returns {Promise<string | undefined>} why the attack could not be made
   */
  async #play(name, seconds) {
    const attacker = new Child('attacker', new URL('./attacker-process.js', import.meta.url), []);
    try {
      const attack = attacker.call('attack', { name, url: this.#url, seconds }).then(
        () => undefined,
        (error) => String(error),
      );
      const gone = this.#server.ended.then(({ code, signal }) => {
        throw new Error(`the server ended by itself (${code ?? signal})`);
      });
      const failed = await Promise.race([attack, gone]);
      await Promise.race([attacker.call('leave'), gone]);
      return failed;
    } finally {
      attacker.kill();
      await attacker.ended;
    }
  }

  /**
   * What the server holds once that is no more than so many bytes, or has had time enough to be.
   *
   * @param {number} bytes
   */
  async #held(bytes) {
    let least = await this.#server.call('held');
    for (let waited = 0; least.bytes > bytes && waited < (bytes === 0 ? 1_000 : settling); waited += 500) {
      await pause(500);
      const held = await this.#server.call('held');
      if (held.bytes < least.bytes) least = held;
    }
    return least;
  }
}
