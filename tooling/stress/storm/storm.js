import { setTimeout as pause } from 'node:timers/promises';
import { isSuspension } from '@tenon/mcp-server';
import { Child } from '../children/child.js';
import { sortedComplaints } from '../children/complaints.js';
import { CountedClock } from '../children/counted-clock.js';
import { Local } from '../children/local.js';
import { lookUntil, within } from '../children/waiting.js';
import { FaultProxy } from '../faults/fault-proxy.js';
import { callerCommands } from './callers/caller-commands.js';
import { scenarios } from './scenarios.js';
import { serverCommands } from './servers/server-commands.js';

/**
 * The length of a storm, and its callers.
 *
 * @typedef {object} StormOptions
 * @property {import('./scenarios.js').ScenarioName} scenario
 * @property {number} seconds
 * @property {number} warmUp seconds of the same load before the heap is measured
 * @property {Readonly<Record<string, number>>} [counts] callers by the name of their path; default one for each revision of it
 * @property {number} seed
 * @property {AbortSignal} [signal] ends the storm early
 * @property {(line: string) => void} onProgress
 */

/**
 * @typedef {import('../children/holdings.js').Holdings
 *   & { readonly timers: readonly number[], readonly found: import('../children/complaints.js').SortedComplaints }} Left
 */

/**
 * The holdings of one process before and after the storm, and its end: null if it had to be killed, absent for this process.
 *
 * @typedef {{ name: string, before: Left, after: Left, end?: import('../children/child.js').ChildEnd | null }} Held
 */

/**
 * The result of a storm.
 *
 * @typedef {object} Findings
 * @property {import('./scenarios.js').ScenarioName} scenario
 * @property {any} ledger the outcomes that the callers recorded
 * @property {Uint8Array} handled how often the server answered each number
 * @property {{ replays: number, replayed: number, incomplete: number }} server
 * @property {import('../faults/fault-proxy.js').ProxyCounts} proxy
 * @property {readonly Held[]} processes
 * @property {{ sessions: number, sockets: number }} open sessions and sockets of the server after all callers have closed
 * @property {readonly string[]} unnotified callers that received no list change after the storm
 * @property {number} seconds
 */

/** Milliseconds until callers must have ended, beyond their own limits. */
const ending = 90_000;
/** Milliseconds that all callers have to reconnect after the storm. */
const recovery = 45_000;
/** Milliseconds that the server has to end the sessions of its callers. */
const tidying = 30_000;
/** Milliseconds that a released process has to end by itself. */
const releaseTime = 5_000;

/**
 * Runs a storm.
 *
 * @param {StormOptions} options
 * @returns {Promise<Findings>}
 */
export async function storm(options) {
  const { scenario, seed, warmUp } = options;
  const { server: limits, isApart, clearing } = scenarios[scenario];
  const rig = isApart ? apart() : together(scenario);
  const { server, callers } = rig;
  try {
    const { url } = await server.call('begin', limits);
    const run = { ...options, server, callers, url };
    await round({ ...run, seconds: warmUp, seed: seed + 1_000 }, { name: 'warm-up', first: 0 });
    await callers.call('forget', { errors: true });
    const before = await eachOf(rig.processes, (one) => one.call('left'));
    const began = performance.now();
    const { ledger, ...found } = await round(run, { name: 'storm', first: 1_000_000 });
    const seconds = Math.min(options.seconds, (performance.now() - began) / 1_000);
    const handled = await server.call('handled', { last: ledger.last });
    await callers.call('forget');
    const after = await eachOf(rig.processes, (one) => one.call('left'));
    const served = await server.call('close');
    const last = await eachOf(rig.processes, (one) => cleared(one, one === server ? clearing : 0));
    const ends = await eachOf(rig.processes, async (one) => one.release(releaseTime));
    const processes = Object.keys(rig.processes).map((name) => ({
      name,
      before: before[name],
      after: { ...last[name], heap: after[name].heap },
      // This process goes on.
      ...(isApart && { end: ends[name] ?? null }),
    }));
    return { scenario, ledger, handled, ...found, server: served, processes, seconds };
  } finally {
    server.kill();
    callers.kill();
  }
}

/** The server and its callers in processes of their own. */
function apart() {
  const server = new Child('server', new URL('./servers/server-process.js', import.meta.url));
  const callers = new Child('callers', new URL('./callers/callers-process.js', import.meta.url));
  return { server, callers, processes: { server, callers } };
}

/**
 * The server and its callers in this process.
 *
 * @param {string} name of the process
 */
function together(name) {
  const shared = { clock: new CountedClock(), found: sortedComplaints(isSuspension) };
  /** @type {import('@tenon/mcp-server').Server | undefined} */
  let served;
  const server = new Local(
    serverCommands(shared, (here) => {
      served = here;
    }),
  );
  const callers = new Local(callerCommands(shared, () => served));
  return { server, callers, processes: { [name]: server } };
}

/**
 * @param {Readonly<Record<string, Target>>} processes
 * @param {(process: Target) => Promise<any>} task
 * @returns {Promise<Record<string, any>>} the results by the name of the process
 */
async function eachOf(processes, task) {
  const results = Object.entries(processes).map(async ([name, one]) => [name, await task(one)]);
  return Object.fromEntries(await Promise.all(results));
}

/** @typedef {Child | Local} Target */
/** @typedef {StormOptions & { server: Target, callers: Target, url: string }} Run */

/**
 * Runs one storm, from the first caller to the last session.
 *
 * @param {Run} run
 * @param {{ name: string, first: number }} phase `first` is the number before the first call
 */
async function round(run, { name, first }) {
  const { server, callers, url, seed, seconds, scenario, counts = {}, signal, onProgress } = run;
  const { beat, announcesAfter } = scenarios[scenario];
  const target = new URL(url);
  const proxy = new FaultProxy(Number(target.port), seed);
  target.port = String(await proxy.listen());
  await callers.call('begin', { url: target.href, seed, scenario, counts, first });
  let beats = 0;
  const beating = setInterval(() => server.call(beat.command, { tick: ++beats }).catch(() => {}), beat.ms);
  const watching = setInterval(() => {
    callers.call('calls').then(
      (calls) =>
        onProgress(
          `${name}: ${calls - first} calls, ${proxy.open} connections, ${proxy.counts.broken} faults`,
        ),
      () => {},
    );
  }, 1_000);
  try {
    proxy.storm();
    const ran = within(callers.call('run', { seconds }), seconds * 1_000 + ending, 'the last call');
    await Promise.race([pause(seconds * 1_000, undefined, { signal }).catch(() => {}), ran]);
    await callers.call('stop');
    proxy.calm();
    await ran;
    clearInterval(watching);
    onProgress(`${name}: everybody is to be there again`);
    await within(callers.call('calm'), ending, 'the calls after the storm');
    const unnotified = announcesAfter ? await unnotifiedCallers(run) : [];
    clearInterval(beating);
    onProgress(`${name}: everybody goes`);
    const ledger = await within(callers.call('close'), ending, 'closing clients');
    onProgress(`${name}: the server tidies up`);
    const open = await lookUntil(
      () => server.call('open'),
      ({ sessions, sockets }) => sessions === 0 && sockets === 0,
      { ms: tidying, every: 250 },
    );
    return { ledger, proxy: proxy.counts, unnotified, open };
  } finally {
    clearInterval(watching);
    clearInterval(beating);
    await proxy.close();
  }
}

/**
 * Announces a change until every caller has received one. A caller that receives none has a dead stream and does not know
 * it.
 *
 * @param {Run} run
 * @returns {Promise<string[]>} the callers that received none
 */
async function unnotifiedCallers({ server, callers }) {
  /** @type {number[]} */
  const before = await callers.call('changesReceived');
  const look = async () => {
    await server.call('announce');
    await pause(500);
    /** @type {number[]} */
    const counts = await callers.call('changesReceived');
    return counts.flatMap((count, index) => (count <= (before[index] ?? 0) ? [index] : []));
  };
  const indexes = await lookUntil(look, ({ length }) => length === 0, { ms: recovery, every: 0 });
  return callers.call('standings', { indexes });
}

/**
 * Returns what a process still holds after the storm: when its last timers have fired, or when the time is over.
 *
 * @param {Target} target
 * @param {number} ms
 * @returns {Promise<Left>}
 */
function cleared(target, ms) {
  const isClear = (/** @type {Left} */ { timers, sockets }) => timers.length === 0 && sockets === 0;
  return lookUntil(() => target.call('left'), isClear, { ms, every: 100 });
}
