import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../children/child.js';
import { FaultProxy } from '../faults/fault-proxy.js';

/**
 * The length of a storm, and its callers.
 *
 * @typedef {object} StormOptions
 * @property {number} seconds
 * @property {number} warmUp seconds of the same load before the heap is measured
 * @property {number} sessions callers in revisions with sessions
 * @property {number} stateless callers in the stateless revision
 * @property {number} seed
 * @property {(line: string) => void} onProgress
 */

/** @typedef {import('../children/holdings.js').Holdings & { readonly timers: readonly number[] }} Left */
/** @typedef {Record<'unhandled' | 'untyped' | 'typed', import('../children/complaints.js').Complaints>} Complained */

/**
 * The result of a storm.
 *
 * @typedef {object} Findings
 * @property {any} ledger the outcomes that the callers recorded
 * @property {Uint8Array} handled how often the server answered each number
 * @property {{ found: Complained, replays: number, replayed: number, incomplete: number }} server
 * @property {Complained} callersFound
 * @property {import('../faults/fault-proxy.js').ProxyCounts} proxy
 * @property {Record<'server' | 'callers', { before: Left, after: Left }>} holdings
 * @property {{ sessions: number, sockets: number }} open sessions and sockets of the server after all callers have closed
 * @property {readonly string[]} unnotified callers that received no list change after the storm
 * @property {{ server: import('../children/child.js').ChildEnd | undefined,
 *   callers: import('../children/child.js').ChildEnd | undefined }} ends
 */

/** Milliseconds until callers must have ended, beyond their own limits. */
const ending = 90_000;
/** Milliseconds that all callers have to reconnect after the storm. */
const recovery = 45_000;
/** Milliseconds that the server has to end the sessions of its callers. */
const tidying = 30_000;
/** Milliseconds until the last timers have fired and found nothing to do. */
const lastLook = 3_000;
/** Milliseconds that a released process has to end by itself. */
const releaseTime = 5_000;

/**
 * Runs a storm.
 *
 * @param {StormOptions} options
 * @returns {Promise<Findings>}
 */
export async function storm(options) {
  const server = new Child('server', new URL('./server-process.js', import.meta.url));
  const callers = new Child('callers', new URL('./callers-process.js', import.meta.url));
  try {
    const { url } = await server.call('begin');
    const run = { ...options, server, callers, url };
    await round(
      { ...run, seconds: options.warmUp, seed: options.seed + 1_000 },
      { name: 'warm-up', first: 0 },
    );
    await callers.call('forget');
    const before = { server: await server.call('left'), callers: await callers.call('left') };
    const { ledger, proxy, open, unnotified } = await round(run, { name: 'storm', first: 1_000_000 });
    const handled = await server.call('handled', { last: ledger.last });
    await callers.call('forget');
    const after = { server: await server.call('left'), callers: await callers.call('left') };
    const served = await server.call('close');
    const closed = await cleared(server);
    const [serverEnd, callersEnd] = await Promise.all([
      server.release(releaseTime),
      callers.release(releaseTime),
    ]);
    return {
      ...{ ledger, handled, proxy, open, unnotified },
      server: served,
      callersFound: after.callers.found,
      holdings: {
        server: { before: before.server, after: { ...closed, heap: after.server.heap } },
        callers: { before: before.callers, after: after.callers },
      },
      ends: { server: serverEnd, callers: callersEnd },
    };
  } finally {
    server.kill();
    callers.kill();
  }
}

/** @typedef {StormOptions & { server: Child, callers: Child, url: string }} Run */

/**
 * Runs one storm, from the first caller to the last session.
 *
 * @param {Run} run
 * @param {{ name: string, first: number }} phase `first` is the number before the first call
 */
async function round(run, { name, first }) {
  const { server, callers, url, seed, seconds, sessions, stateless, onProgress } = run;
  const target = new URL(url);
  const proxy = new FaultProxy(Number(target.port), seed);
  target.port = String(await proxy.listen());
  await callers.call('begin', { url: target.href, seed, sessions, stateless, first });
  const ticking = tick(server);
  const watching = setInterval(() => {
    callers.call('calls').then(
      ({ calls }) =>
        onProgress(`${name}: ${calls - first} calls, ${proxy.open} connections, ${faultsOf(proxy)} faults`),
      () => {},
    );
  }, 1_000);
  try {
    proxy.storm();
    const ran = within(callers.call('run', { seconds }), seconds * 1_000 + ending, 'the last call');
    await Promise.race([pause(seconds * 1_000), ran]);
    proxy.calm();
    await ran;
    clearInterval(watching);
    onProgress(`${name}: everybody is to be there again`);
    await within(callers.call('calm'), ending, 'the calls after the storm');
    const unnotified = await unnotifiedCallers(run);
    ticking.abort();
    onProgress(`${name}: everybody goes`);
    const ledger = await within(callers.call('close'), ending, 'closing');
    onProgress(`${name}: the server tidies up`);
    return { ledger, proxy: proxy.counts, unnotified, open: await emptied(server) };
  } finally {
    clearInterval(watching);
    ticking.abort();
    await proxy.close();
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @param {string} what
 * @returns {Promise<T>}
 */
async function within(promise, ms, what) {
  const limit = new AbortController();
  const late = pause(ms, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`Waited ${ms} ms for ${what} of the callers, which does not come to an end.`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    limit.abort();
    late.catch(() => {});
  }
}

/** @param {FaultProxy} proxy */
function faultsOf({ counts }) {
  return Object.values(counts.faults).reduce((sum, count) => sum + count, 0);
}

/**
 * Sends numbers in order to all sessions, until it is stopped.
 *
 * @param {Child} server
 */
function tick(server) {
  const controller = new AbortController();
  let number = 0;
  const timer = setInterval(() => server.call('tick', { tick: ++number }).catch(() => {}), 400);
  controller.signal.addEventListener('abort', () => clearInterval(timer));
  return controller;
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
  for (const until = performance.now() + recovery; ; ) {
    await server.call('announce');
    await pause(500);
    /** @type {number[]} */
    const counts = await callers.call('changesReceived');
    const unnotified = counts.flatMap((count, index) => (count <= (before[index] ?? 0) ? [index] : []));
    if (unnotified.length === 0 || performance.now() > until)
      return callers.call('standings', { indexes: unnotified });
  }
}

/**
 * Returns what the server still holds: when it holds nothing any more, or when the time is over.
 *
 * @param {Child} server
 * @returns {Promise<{ sessions: number, sockets: number }>}
 */
async function emptied(server) {
  for (const until = performance.now() + tidying; ; ) {
    const open = await server.call('open');
    if ((open.sessions === 0 && open.sockets === 0) || performance.now() > until) return open;
    await pause(250);
  }
}

/**
 * Returns what a closed server still holds: when its timers have fired, or when the time is over.
 *
 * @param {Child} server
 * @returns {Promise<Left>}
 */
async function cleared(server) {
  for (const until = performance.now() + lastLook; ; ) {
    const left = await server.call('left');
    if (left.timers.length === 0 || performance.now() > until) return left;
    await pause(100);
  }
}
