import { duplexPair } from 'node:stream';
import type { Dialer } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { sseTarget } from '@tenon/mcp-client/sse';
import type { Contract } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { streamConnection } from '@tenon/mcp-transport-stdio/client';

/** The transports of the stories. */
export type TransportName = 'memory' | 'stdio' | 'http' | 'sse';

/** A server that accepts connections. */
export interface Reachable {
  readonly target: Dialer;
  close(): Promise<void>;
}

interface Transport {
  serve<C extends Contract>(server: Server<C>): Reachable | Promise<Reachable>;
  /** True if a revision defines the transport; a transport that is not in the specification supports all. */
  carries(revision: string): boolean;
}

const everything = () => true;

const memory: Transport = {
  carries: everything,
  serve: (server) => ({ target: memoryTarget(server), close: async () => {} }),
};

const stdio: Transport = {
  carries: everything,
  serve(server) {
    const open = async () => {
      const [near, far] = duplexPair();
      await serveStdio(server, { stream: far });
      return streamConnection(near);
    };
    return { target: { open, restartable: false }, close: async () => {} };
  },
};

const http: Transport = {
  carries: (revision) => revision !== '2024-11-05',
  async serve(server) {
    const serving = await serveHttp(server);
    return { target: httpTarget(serving.url), close: () => serving.close() };
  },
};

const sse: Transport = {
  carries: (revision) => revision === '2024-11-05',
  async serve(server) {
    const serving = await serveHttp(server, { mounts: [sseMount(server)] });
    return { target: sseTarget(new URL('/sse', serving.url)), close: () => serving.close() };
  },
};

/** All transports by name. */
export const transports: ReadonlyMap<TransportName, Transport> = new Map([
  ['memory', memory],
  ['stdio', stdio],
  ['http', http],
  ['sse', sse],
]);
