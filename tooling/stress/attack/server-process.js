// The attacked HTTP server, in a process of its own, with a small heap.
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { serveCommands } from '../children/commands.js';
import { complain } from '../children/complaints.js';
import { liveHeap, sockets } from '../children/holdings.js';
import { createStatefulVictim, createVictim } from './victim.js';

/** @type {import('../children/complaints.js').Complaints} */
const errors = {};
let reported = 0;
/** Handlers that have returned, by the number of their call. @type {Map<number, number>} */
const finished = new Map();
/** @type {import('@tenon/mcp-server/http').HttpServing | undefined} */
let serving;
let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};

serveCommands({
  begin: async (/** @type {{ state?: import('./victim.js').VictimState }} */ { state }) => {
    serving = await (state === undefined
      ? served(createVictim(onError))
      : served(createStatefulVictim(onError, state, onFinished)));
    setInterval(look, 50).unref();
    return { url: serving.url, largestParse: largestParse() };
  },
  /** The bytes of live objects, and the bytes outside the heap, after forced collections. */
  held: async () => {
    const heap = await liveHeap();
    const { external, rss } = process.memoryUsage();
    return { bytes: heap + external, rss, sockets: sockets() };
  },
  /** The most memory the process occupied since the last call. */
  peak: () => {
    look();
    const most = peak;
    peak = 0;
    return most;
  },
  /** The errors reported since the start, and the most times that the handler of one call has returned. */
  counts: () => ({ reported, runs: Math.max(0, ...finished.values()) }),
  close: async () => {
    await serving?.close();
    return errors;
  },
});

/** @param {Parameters<typeof serveHttp>[0] & Parameters<typeof sseMount>[0]} server */
function served(server) {
  return serveHttp(server, { mounts: [sseMount(server)] });
}

/**
 * Returns the milliseconds that this machine takes to parse the most expensive body a server accepts: the median of five times. No
 * other call can be served meanwhile, so waiting times are judged in this unit.
 */
function largestParse() {
  const body = JSON.stringify(Array(1_150_000).fill({}));
  const times = Array.from({ length: 5 }, () => {
    const since = performance.now();
    JSON.parse(body);
    return performance.now() - since;
  });
  return times.sort((one, other) => one - other)[2] ?? 0;
}

/**
 * @param {unknown} error
 * @param {string} where
 */
function onError(error, where) {
  reported++;
  complain(errors, error, where);
}

/** @param {number} number */
function onFinished(number) {
  finished.set(number, (finished.get(number) ?? 0) + 1);
}
