import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { follow } from '@tenon/foundation';
import { type EnvironmentProxy, environmentProxy } from '@tenon/mcp-protocol/internal';

/**
 * Begins a request, through the proxy of the environment if there is one for the URL. The caller ends the request.
 * @throws TransportError if the variable of the proxy is malformed.
 */
export function sendRequest(
  url: URL,
  options: RequestOptions,
  onResponse?: (response: IncomingMessage) => void,
): ClientRequest {
  const proxy = environmentProxy(url);
  const isTls = url.protocol === 'https:';
  if (proxy === undefined) return (isTls ? httpsRequest : httpRequest)(url, options, onResponse);
  if (isTls) return httpsRequest(url, tunnelled(url, proxy, options), onResponse);
  const { authorization, origin } = proxy;
  const headers = {
    host: url.host,
    ...(options.headers as Record<string, string>),
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  };
  const path = url.origin + url.pathname + url.search;
  return requestOf(origin)(origin, { ...options, path, headers }, onResponse);
}

/**
 * Opens a tunnel through a proxy to the host of a URL (`CONNECT`).
 * @throws the error of the connection, also if the proxy refuses the tunnel.
 */
export function openTunnel(
  { hostname, port }: URL,
  { origin, authorization }: EnvironmentProxy,
  signal?: AbortSignal,
): Promise<Duplex> {
  const path = `${hostname}:${port || '443'}`;
  return new Promise((resolve, reject) => {
    const request = requestOf(origin)(origin, {
      ...{ method: 'CONNECT', path, agent: false },
      headers: { host: path, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      ...(signal !== undefined && { signal }),
    });
    request.once('error', reject);
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${origin} answered HTTP ${statusCode}`));
    });
    request.end();
  });
}

/** Returns the body of a request; undefined if it has more bytes. Rejects if the client leaves. */
export async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Returns a header of a message; its values as one text. */
export function headerIn({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function requestOf(origin: string): typeof httpRequest {
  return origin.startsWith('https:') ? httpsRequest : httpRequest;
}

function tunnelled(url: URL, proxy: EnvironmentProxy, options: RequestOptions): RequestOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  const { agent: _, ...rest } = options;
  return {
    ...rest,
    createConnection(_options, done) {
      const over = (socket: Duplex) =>
        done(null, connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] }));
      follow(openTunnel(url, proxy, options.signal), over, (error) =>
        done(error as Error, undefined as never),
      );
      return undefined;
    },
  };
}
