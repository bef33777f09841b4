import type { ServeHttpOptions } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { fetchFace, type HttpFace, nodeFace } from '../http/face.js';
import { Arrivals } from '../transcripts/arrivals.js';
import { HttpClient } from '../transcripts/http-peer.js';
import { SseClient } from '../transcripts/sse-peer.js';
import { benchServer } from './bench-server.js';

/** The caller. */
export type Who = 'ann' | 'bob';
/** A way to connect to a server: a port, a fetch handler, or HTTP+SSE. */
export type Way = 'http' | 'fetch' | 'sse';

/** One server, and a function to connect clients. */
export interface Bench {
  readonly face: HttpFace;
  client(who: Who | undefined): Promise<HttpClient | SseClient>;
}

/** Identifies callers by a header: its value is the principal. */
export const authenticate: NonNullable<ServeHttpOptions['authenticate']> = (credentials) => {
  const name = credentials.header('authorization');
  return name === undefined ? undefined : { id: name };
};

/** Serves one server to several clients. */
export async function openBench(way: Way): Promise<Bench> {
  const server = benchServer();
  const arrivals = new Arrivals(server);
  const mounts = way === 'sse' ? { mounts: [sseMount(server)] } : {};
  const face = await (way === 'fetch' ? fetchFace : nodeFace)(server, { authenticate, ...mounts });
  return {
    face,
    async client(who) {
      const headers = who === undefined ? {} : { authorization: who };
      return way === 'sse' ? SseClient.open(face, headers) : new HttpClient({ face, arrivals, headers });
    },
  };
}
