// The attacked HTTP server, in a process of its own, with a small heap.
import process from 'node:process';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { serveCommands } from '../children/commands.js';
import { complain } from '../children/complaints.js';
import { liveHeap, sockets } from '../children/holdings.js';
import { createVictim } from './victim.js';

/** @type {import('../children/complaints.js').Complaints} */
const errors = {};
const server = createVictim((error, where) => complain(errors, error, where));
/** @type {import('@tenon/mcp-server/http').HttpServing | undefined} */
let serving;
let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};

serveCommands({
  begin: async () => {
    serving = await serveHttp(server, { mounts: [sseMount(server)] });
    setInterval(look, 50).unref();
    return { url: serving.url };
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
  close: async () => {
    await serving?.close();
    return errors;
  },
});
