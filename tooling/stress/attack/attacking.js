import { Child } from '../children/child.js';
import { lookUntil } from '../children/waiting.js';
import { clientAttacks } from './client-attacks.js';
import { attackClient } from './client-peer.js';
import { httpAttacks } from './http-attacks.js';
import { Neighbour } from './neighbour.js';
import { stateAttacks } from './state-attacks.js';
import { stdioAttacks } from './stdio-attacks.js';
import { attackStdio } from './stdio-peer.js';

/**
 * The result of one attack.
 *
 * @typedef {object} Finding
 * @property {string} name
 * @property {string} about
 * @property {string | undefined} ended the reason that the server process ended
 * @property {{ before: number, after: number, peak: number, kept?: number }} [memory] bytes of live objects before and after the attack,
 *   the most memory the process occupied during it, and the bytes that its state may keep of the attack
 * @property {{ calls: number, slowest: number, largestParse: number, failures: readonly string[] }} [neighbour] calls of another client
 *   during the attack, and the milliseconds that the server's process takes to parse the most expensive body
 * @property {{ reported: number, runs: number }} [counts] errors that a server with state has reported, and the most times that one of its
 *   handlers has finished
 * @property {string} [failed] the reason that the attack could not run
 */

/**
 * @typedef {object} Options
 * @property {number} seconds how long an attacker keeps its connections open
 * @property {number} heap the server's heap, in MiB
 * @property {readonly string[]} only names of attacks; all attacks if empty
 * @property {AbortSignal} signal
 * @property {(line: string) => void} onProgress
 */

/** All attacks, with one line about each. */
export const attacks = [...httpAttacks, ...stateAttacks, ...stdioAttacks, ...clientAttacks].map(
  ({ name, about }) => ({ name, about }),
);

/** Milliseconds until memory must be freed. */
const settling = 20_000;
/** The accepted growth of the memory held, as a share of the memory held before. */
export const growth = 0.1;

/**
 * Runs the attacks one after another. Those over HTTP share one server, which must survive all of them, except those on the state of
 * a server.
 *
 * @param {Options} options
 * @returns {AsyncGenerator<Finding>}
 */
export async function* attacking(options) {
  const chosen = (/** @type {{ name: string }} */ { name }) =>
    options.only.length === 0 || options.only.includes(name);
  /** @type {Target | undefined} */
  let shared;
  const overHttp = async (/** @type {import('./http-attacks.js').Attack} */ attack) => {
    shared ??= await Target.begin(options);
    const finding = await shared.endure(attack);
    if (finding.ended !== undefined) {
      shared.kill();
      shared = undefined;
    }
    return finding;
  };
  const onStateChange = async (/** @type {import('./http-attacks.js').Attack} */ attack) => {
    shared?.kill();
    shared = undefined;
    const own = await Target.begin(options, attack.state);
    try {
      return await own.endure(attack);
    } finally {
      own.kill();
    }
  };
  const attempts = [
    ...attemptsOf(httpAttacks.filter(chosen), overHttp),
    ...attemptsOf(stateAttacks.filter(chosen), onStateChange),
    ...attemptsOf(stdioAttacks.filter(chosen), async (attack) =>
      ended(attack, await attackStdio(attack, options)),
    ),
    ...attemptsOf(clientAttacks.filter(chosen), async (attack) =>
      ended(attack, await attackClient(attack, options)),
    ),
  ];
  try {
    for (const { name, about, make } of attempts) {
      if (options.signal.aborted) return;
      options.onProgress(`${name}: ${about}`);
      yield await make();
    }
  } finally {
    shared?.kill();
  }
}

/**
 * @template {{ name: string, about: string }} Attack
 * @param {readonly Attack[]} attacks
 * @param {(attack: Attack) => Promise<Finding>} make
 */
function attemptsOf(attacks, make) {
  return attacks.map((attack) => ({ name: attack.name, about: attack.about, make: () => make(attack) }));
}

/**
 * @param {{ name: string, about: string }} attack
 * @param {string | undefined} reason
 * @returns {Finding}
 */
function ended({ name, about }, reason) {
  return { name, about, ended: reason };
}

/** A server and an attacker in processes of their own, and another client in this process. */
class Target {
  #seconds;
  #server;
  #url = '';
  /** Milliseconds the server's process takes to parse the most expensive body. */
  #largestParse = 0;
  /** @type {Neighbour | undefined} */
  #neighbour;

  /** @param {Options} options */
  constructor({ seconds, heap }) {
    this.#seconds = seconds;
    const execArgv = ['--expose-gc', `--max-old-space-size=${heap}`];
    this.#server = new Child('server', new URL('./server-process.js', import.meta.url), execArgv);
  }

  /**
   * @param {Options} options
   * @param {import('./victim.js').VictimState} [state] of a server with tasks
   */
  static async begin(options, state) {
    const target = new Target(options);
    const { url, largestParse } = await target.#server.call('begin', { state });
    target.#url = url;
    target.#largestParse = largestParse;
    target.#neighbour = new Neighbour(url, { hasTasks: state !== undefined });
    await target.#neighbour.open();
    return target;
  }

  /**
   * @param {import('./http-attacks.js').Attack} attack
   * @returns {Promise<Finding>}
   */
  async endure({ name, about, state, once }) {
    try {
      // The first run loads and compiles code that stays in memory: the second run is measured.
      if (once !== true) await this.#play(name, 0);
      const before = await this.#held(0);
      await this.#server.call('peak');
      this.#neighbour?.start();
      const failed = await this.#play(name, this.#seconds);
      const neighbour = await this.#neighbour?.stop();
      const peak = await this.#server.call('peak');
      const kept = once === true ? (state?.bytes ?? 0) : 0;
      const after = await this.#held(before * (1 + growth) + kept);
      return {
        name,
        about,
        ended: undefined,
        memory: { before: before, after: after, peak, kept },
        ...(neighbour !== undefined && { neighbour: { ...neighbour, largestParse: this.#largestParse } }),
        ...(state !== undefined && { counts: await this.#server.call('counts') }),
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
   * @returns {Promise<string | undefined>} the reason that the attack could not run
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
   * Returns the bytes that the server holds: as soon as they fall to a limit, or when the time to free them is over.
   *
   * @param {number} bytes
   */
  async #held(bytes) {
    let least = Number.POSITIVE_INFINITY;
    const look = async () => {
      const held = await this.#server.call('held');
      least = Math.min(least, held.bytes);
      return least;
    };
    const ms = bytes === 0 ? 1_000 : settling;
    return lookUntil(look, (held) => held <= bytes, { ms, every: 500 });
  }
}
