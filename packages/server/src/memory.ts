import type { Connection } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-transport-memory';
import type { Server } from './server.js';
import type { Contract } from '@tenon/mcp-protocol';

/** Serves one in-memory connection and returns the client's end of it. */
export function serveMemory<C extends Contract>(server: Server<C>): Connection {
  const [ours, theirs] = memoryPair();
  server.accept(ours);
  return theirs;
}
