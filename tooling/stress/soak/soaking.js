import { setTimeout as pause } from 'node:timers/promises';
import { complain, unhandled } from '../children/complaints.js';
import { CountedClock } from '../children/counted-clock.js';
import { holdings } from '../children/holdings.js';
import { randomOf } from '../faults/random.js';
import { mostCalls } from '../storm/answers.js';
import { familyOf } from '../storm/known-errors.js';
import { Ledger } from '../storm/ledger.js';
import { serverPaths } from './server-paths.js';
import { SoakCaller } from './soak-caller.js';
import { SoakServers } from './soak-servers.js';

/** @typedef {import('../children/holdings.js').Holdings & { readonly timers: readonly number[] }} Left */

/**
 * @typedef {object} SoakOptions
 * @property {number} seconds
 * @property {number} warmUp seconds of the same load before the heap is first measured
 * @property {number} seed
 * @property {AbortSignal} signal ends the soak early
 * @property {(line: string) => void} onProgress
 */

/**
 * The result of one round.
 *
 * @typedef {object} Round
 * @property {Omit<Ledger, 'number' | 'isRight' | 'isError' | 'note' | 'recordFault'>} ledger
 * @property {import('../faults/fault-proxy.js').ProxyCounts} proxy
 * @property {number} messageFaults faults on messages, and killed servers
 * @property {number} endpoints conversations that are still open after all clients have closed
 */

/**
 * The result of a soak.
 *
 * @typedef {Round & { handled: Uint8Array, before: Left, after: Left, seconds: number,
 *   found: Record<'unhandled' | 'untyped' | 'typed', import('../children/complaints.js').Complaints> }} Findings
 */

/** Milliseconds until all resources must be free after closing. */
const tidying = 12_000;
/** Milliseconds until the last calls must have ended. */
const ending = 60_000;

/**
 * Runs a soak.
 *
 * @param {SoakOptions} options
 * @returns {Promise<Findings>}
 */
export async function soak(options) {
  const clock = new CountedClock();
  const found = { unhandled: unhandled(), untyped: {}, typed: {} };
  const handled = new Uint8Array(mostCalls);
  const onError = (/** @type {unknown} */ error, /** @type {string} */ where) =>
    complain(familyOf(error) === undefined ? found.untyped : found.typed, error, where);
  const { seed, seconds, warmUp } = options;
  await round({
    ...options,
    handled,
    clock,
    onError,
    seed: seed + 1,
    seconds: warmUp,
    name: 'warm-up',
    first: 0,
  });
  // Recorded errors use heap, so they are dropped before the next round is measured.
  for (const complaints of Object.values(found)) forget(complaints);
  const before = await left(clock);
  const began = performance.now();
  const own = await round({ ...options, handled, clock, onError, name: 'soak', first: 1_000_000 });
  const took = (performance.now() - began) / 1_000;
  const after = await left(clock, before);
  return { ...own, handled, before, after, found, seconds: Math.min(took, seconds) };
}

/** @param {import('../children/complaints.js').Complaints} complaints */
function forget(complaints) {
  for (const key of Object.keys(complaints)) Reflect.deleteProperty(complaints, key);
}

/**
 * @typedef {import('./soak-servers.js').RoundSetup & SoakOptions & { name: string, first: number }} RoundOptions
 */

/**
 * @param {RoundOptions} options
 * @returns {Promise<Round>}
 */
async function round(options) {
  const { seed, clock, onError, seconds, signal, first } = options;
  const ledger = new Ledger();
  ledger.first = first;
  ledger.last = first;
  const servers = await SoakServers.open(options);
  const setup = { servers, ledger, clock, onError };
  const callers = serverPaths.flatMap((path, at) =>
    path.revisions.map(
      (revision, index) => new SoakCaller(setup, path, { revision, random: randomOf(seed, at, index) }),
    ),
  );
  const working = work(options, ledger, servers);
  try {
    const ran = Promise.all(callers.map((caller) => caller.run()));
    await Promise.race([pause(seconds * 1_000, undefined, { signal }).catch(() => {}), ran]);
    for (const caller of callers) caller.leave();
    servers.calm();
    await within(ran, ledger);
    await Promise.all(callers.map((caller) => caller.calm()));
    await Promise.all(callers.map((caller) => caller.close()));
    const messageFaults = callers.reduce((sum, caller) => sum + caller.faults, 0);
    await settled(() => servers.endpoints === 0);
    return { ledger: kept(ledger), messageFaults, proxy: servers.proxy.counts, endpoints: servers.endpoints };
  } finally {
    clearInterval(working);
    await servers.close();
  }
}

/**
 * Announces list changes, and reports progress.
 *
 * @param {RoundOptions} options
 * @param {Ledger} ledger
 * @param {SoakServers} servers
 */
function work({ name, first, seconds, onProgress }, ledger, servers) {
  const began = performance.now();
  let beat = 0;
  return setInterval(() => {
    servers.server.resourceListChanged();
    if (++beat % 4 > 0) return;
    const faults = Object.values(servers.proxy.counts.faults).reduce((sum, count) => sum + count, 0);
    const passed = Math.round((performance.now() - began) / 1_000);
    onProgress(
      `${name}: ${passed} of ${seconds} s, ${ledger.last - first} calls, ${faults} broken connections`,
    );
  }, 250);
}

/**
 * Returns the part of a ledger that is kept after a round.
 *
 * @param {Ledger} ledger
 */
function kept({ outcomes, handling, last, ...counts }) {
  return { ...counts, last, outcomes: outcomes.slice(0, last + 1), handling: handling.slice(0, last + 1) };
}

/**
 * @param {Promise<unknown>} ran
 * @param {Ledger} ledger
 */
async function within(ran, ledger) {
  const limit = new AbortController();
  const late = pause(ending, 'late', { signal: limit.signal }).catch(() => 'in time');
  if ((await Promise.race([ran, late])) === 'late')
    ledger.recordFault('no end', `callers are not done after ${ending} ms`);
  limit.abort();
}

/** @param {() => boolean} isSo */
async function settled(isSo) {
  for (const until = performance.now() + tidying; !isSo() && performance.now() < until; ) await pause(100);
}

/**
 * Returns the resources of this process, when they are back to the earlier level or the time is over.
 *
 * @param {CountedClock} clock
 * @param {Left} [before]
 * @returns {Promise<Left>}
 */
async function left(clock, before) {
  /** @type {Left | undefined} */
  let found;
  for (const until = performance.now() + tidying; ; await pause(250)) {
    found = { ...(await holdings()), timers: clock.waiting };
    if (isBack(found, before) || performance.now() > until) return found;
  }
}

/**
 * @param {Left} now
 * @param {Left} [before]
 */
function isBack({ timers, sockets, resources }, before) {
  if (timers.length > 0 || sockets > 0) return false;
  return before === undefined || Object.keys(grown(before.resources, resources)).length === 0;
}

/**
 * Returns the kinds of handles that grew, with their counts.
 *
 * @param {Readonly<Record<string, number>>} before
 * @param {Readonly<Record<string, number>>} after
 */
export function grown(before, after) {
  const more = Object.entries(after).filter(
    ([kind, count]) => !passing.has(kind) && count > (before[kind] ?? 0),
  );
  return Object.fromEntries(more.map(([kind, count]) => [kind, count - (before[kind] ?? 0)]));
}

/** Handles that measuring and printing create. */
const passing = new Set(['Immediate', 'Timeout', 'FSReqPromise', 'TTYWrap']);
