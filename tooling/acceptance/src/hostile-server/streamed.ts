import { duplexPair } from 'node:stream';
import type { Revision } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { type ServeStdioOptions, type Serving, serveStdio } from '@tenon/mcp-server/stdio';
import { LinePeer } from './line-peer.js';

/** A peer of a server in this process, over a stream of bytes. */
export class StreamedPeer extends LinePeer {
  readonly serving: Serving;

  private constructor(revision: Revision, near: ReturnType<typeof duplexPair>[0], serving: Serving) {
    super(revision, { input: near, output: near });
    this.serving = serving;
  }

  static async connect(
    server: Server,
    revision: Revision,
    options: ServeStdioOptions = {},
  ): Promise<StreamedPeer> {
    const [near, far] = duplexPair();
    const serving = await serveStdio(server, { ...options, stream: far });
    return new StreamedPeer(revision, near, serving);
  }

  async close(): Promise<void> {
    this.input.end();
    this.output.resume();
    await this.serving.closed;
  }
}
