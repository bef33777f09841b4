import type { Server } from '@tenon/mcp-server';
import { fetchFace, nodeFace } from '../http/face.js';
import { httpPeer } from '../transcripts/http-peer.js';
import { memoryPeer } from '../transcripts/memory-peer.js';
import type { Peer } from '../transcripts/replay.js';
import { ssePeer } from '../transcripts/sse-peer.js';
import { streamPeer } from '../transcripts/stream-peer.js';

/** One way between a client and a server. */
export interface Transport {
  /** Serves a server this way, with a client that sends the frames of a story. */
  peer(server: Server): Peer | Promise<Peer>;
  /** Why a revision is not spoken this way; undefined when it is. */
  absent(revision: string): string | undefined;
}

const everywhere = () => undefined;
const streamable = (revision: string) =>
  revision < '2025-03-26' ? 'Streamable HTTP came with 2025-03-26' : undefined;
const events = (revision: string) =>
  revision < '2026-07-28' ? undefined : 'HTTP+SSE carries sessions, which this revision has not';

/** Every way there is, by name. */
export const transports: ReadonlyMap<string, Transport> = new Map<string, Transport>([
  ['memory', { peer: memoryPeer, absent: everywhere }],
  ['stdio', { peer: streamPeer, absent: everywhere }],
  ['http', { peer: (server) => httpPeer(server, nodeFace), absent: streamable }],
  ['fetch', { peer: (server) => httpPeer(server, fetchFace), absent: streamable }],
  ['sse', { peer: ssePeer, absent: events }],
]);
