import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { duplexPair } from 'node:stream';
import type { Server } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { FrameQueue } from './frame-queue.js';
import type { Peer } from './replay.js';

/** Serves a server over byte streams in this process, one frame per line, as over standard input and output. */
export async function streamPeer(server: Server): Promise<Peer> {
  const [near, far] = duplexPair();
  const serving = await serveStdio(server, { stream: far });
  const frames = new FrameQueue();
  createInterface({ input: near }).on('line', (line) => frames.put(JSON.parse(line)));
  const over = once(near, 'end').then(() => frames.end());
  return {
    send(texts) {
      if (texts.length > 0) near.write(`${texts.join('\n')}\n`);
    },
    next: () => frames.next(),
    async end() {
      near.end();
      await Promise.all([serving.closed, over]);
      return { how: 'closes', unread: frames.rest() };
    },
  };
}
