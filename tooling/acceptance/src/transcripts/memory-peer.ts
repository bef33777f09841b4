import { setImmediate as turn } from 'node:timers/promises';
import type { Server } from '@tenon/mcp-server';
import { serveMemory } from '@tenon/mcp-server/memory';
import { FrameQueue } from './frame-queue.js';
import type { Peer } from './replay.js';

/** Serves a server in this process. */
export function memoryPeer(server: Server): Peer {
  const frames = new FrameQueue();
  const connection = serveMemory(server);
  connection.start({
    receive(value) {
      frames.put(value);
      return undefined;
    },
    malformed(reason) {
      frames.put(reason);
      return undefined;
    },
    closed: () => frames.end(),
  });
  return {
    send(texts) {
      for (const text of texts) void connection.send(text);
    },
    next: () => frames.next(),
    async end() {
      // Reads the messages the server has started to send.
      await turn();
      await connection.close();
      return { how: 'closes', unread: frames.rest() };
    },
  };
}
