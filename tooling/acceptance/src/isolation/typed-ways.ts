import { type Client, type ClientOptions, connect } from '@tenon/mcp-client';
import { sseTarget } from '@tenon/mcp-client/sse';
import type { Server } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { authenticate, type Way, type Who } from './bench.js';

/** One server, and typed clients of it. */
export interface TypedBench {
  connect(who: Who, options: Omit<ClientOptions, 'info'>): Promise<Client>;
  close(): Promise<void>;
}

/** Serves one server to several clients. */
export async function openTypedBench(way: Way, server: Server): Promise<TypedBench> {
  const info = (name: string) => ({ info: { name, version: '1.0.0' } });
  if (way === 'fetch') {
    const handle = toFetchHandler(server, { authenticate });
    const fetch = (input: string, init: RequestInit) => handle(new Request(input, init));
    return {
      connect: (who, options) =>
        connect('http://127.0.0.1/mcp', { ...info(who), ...options, fetch, headers: { authorization: who } }),
      close: () => handle.drain(),
    };
  }
  const serving = await serveHttp(server, { authenticate, mounts: [sseMount(server)] });
  const stream = new URL('/sse', serving.url);
  return {
    connect(who, options) {
      const headers = { authorization: who };
      if (way === 'sse') return connect(sseTarget(stream, { headers }), { ...info(who), ...options });
      return connect(serving.url, { ...info(who), ...options, headers });
    },
    close: () => serving.close(),
  };
}
