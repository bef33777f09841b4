import type { Server } from '@tenon/mcp-server';
import { fetchFace, nodeFace } from '../http/face.js';
import { httpPeer } from '../transcripts/http-peer.js';
import { memoryPeer } from '../transcripts/memory-peer.js';
import type { Peer } from '../transcripts/replay.js';
import { ssePeer } from '../transcripts/sse-peer.js';
import { streamPeer } from '../transcripts/stream-peer.js';

/** One transport between a client and a server. */
export interface Transport {
  /** Serves a server on this transport. Returns a client that sends the frames of a story. */
  peer(server: Server): Peer | Promise<Peer>;
  /** Returns the reason why a revision lacks this transport; undefined if it has it. */
  absent(revision: string): string | undefined;
}

const everywhere = () => undefined;
const streamable = (revision: string) =>
  revision < '2025-03-26' ? 'Streamable HTTP came with 2025-03-26' : undefined;
const events = (revision: string) =>
  revision < '2026-07-28' ? undefined : 'HTTP+SSE carries sessions, which this revision has not';

/** All transports by name. */
export const transports: ReadonlyMap<string, Transport> = new Map<string, Transport>([
  ['memory', { peer: memoryPeer, absent: everywhere }],
  ['stdio', { peer: streamPeer, absent: everywhere }],
  ['http', { peer: (server) => httpPeer(server, nodeFace), absent: streamable }],
  ['fetch', { peer: (server) => httpPeer(server, fetchFace), absent: streamable }],
  ['sse', { peer: ssePeer, absent: events }],
]);
