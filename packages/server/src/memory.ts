import { type Connection, type Contract, serverPort } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { memoryPair } from '@tenon/mcp-session/memory';
import type { Server } from './server.js';

/** Serves one in-memory connection and returns the client's end of it. */
export function serveMemory<C extends Contract>(server: Server<C>): Connection {
  requireServer('serveMemory', server);
  const [ours, theirs] = memoryPair();
  server[serverPort].accept(ours);
  return theirs;
}
