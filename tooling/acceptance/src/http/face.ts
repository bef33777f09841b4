import { Agent, request } from 'node:http';
import type { Server } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { type ServeHttpOptions, serveHttp } from '@tenon/mcp-server/http';
import { type HttpAsked, type Incoming, ScriptedExchange } from './exchange.js';

/** A server that accepts HTTP requests, on any runtime. */
export interface HttpFace {
  /** @param onPart - called when a part arrives */
  request(asked: HttpAsked, onPart?: () => void): ScriptedExchange;
  /** Stops the service gracefully; open streams end with it. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a face of a server. */
export type MakeFace = (server: Server, options?: ServeHttpOptions) => Promise<HttpFace>;

/** Serves on a port of this machine. */
export async function nodeFace(server: Server, options: ServeHttpOptions = {}): Promise<HttpFace> {
  const serving = await serveHttp(server, options);
  const remote = remoteFace(serving.url);
  return {
    request: remote.request,
    drain: () => serving.drain(),
    async close() {
      await remote.close();
      await serving.close();
    },
  };
}

/** Connects to a running server by the URL of its endpoint. */
export function remoteFace(url: string): HttpFace {
  const agent = new Agent({ keepAlive: true });
  return {
    request(asked, onPart) {
      const { method, path, headers, body } = asked;
      const sent = request(new URL(path, url), { method, headers, agent });
      const incoming = new Promise<Incoming>((resolve, reject) => {
        sent.on('error', reject);
        sent.on('response', (response) => {
          const status = response.statusCode ?? 0;
          const given = Object.entries(response.headers);
          resolve({
            status,
            headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
            chunks: response,
          });
        });
      });
      sent.end(body);
      return new ScriptedExchange(incoming, () => sent.destroy(), onPart);
    },
    drain: () => Promise.resolve(),
    async close() {
      agent.destroy();
    },
  };
}

/** Serves as a fetch handler, without a socket. */
export async function fetchFace(server: Server, options: ServeHttpOptions = {}): Promise<HttpFace> {
  const handle = toFetchHandler(server, options);
  return {
    request({ method, path, headers, body }, onPart) {
      const stop = new AbortController();
      const init = { method, headers, signal: stop.signal, ...(body !== undefined && { body }) };
      const incoming = handle(new Request(`http://127.0.0.1${path}`, init)).then((response) => ({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        chunks: untilAborted(response.body, stop.signal),
      }));
      return new ScriptedExchange(incoming, () => stop.abort(), onPart);
    },
    drain: () => handle.drain(),
    close: () => handle.drain(),
  };
}

/** Yields the chunks of a body; stops when the client aborts. */
async function* untilAborted(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const reader = body?.getReader();
  const stop = () => void reader?.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return;
    yield chunk.value;
  }
}
