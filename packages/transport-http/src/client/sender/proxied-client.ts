import { TransportError } from '@tenon/mcp-protocol';
import type { EnvironmentProxy } from '@tenon/mcp-protocol/internal';
import type * as Undici from 'undici';
import type { SenderUse } from './http-sender.js';
import { transportFailure } from './transport-failure.js';

/** The connection of one request at a time: a client of undici, or one through a proxy. */
export type RequestClient = Pick<Undici.Client, 'dispatch' | 'destroy'>;

/** The server of a connection, and the proxy before it. */
export interface ProxiedServer {
  /** The origin of the server. */
  readonly origin: string;
  readonly proxy: EnvironmentProxy;
}

/**
 * Makes a client that reaches a server through a proxy: https servers through a tunnel (`CONNECT`), http servers by requests with
 * the whole URL, because many proxies allow tunnels to port 443 only.
 */
export function proxiedClient(
  { Client, Pool, ProxyAgent }: Pick<typeof Undici, 'Client' | 'Pool' | 'ProxyAgent'>,
  { origin, proxy }: ProxiedServer,
  { connectWaitMs: timeout }: SenderUse,
): RequestClient {
  const agent = new ProxyAgent({
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    proxyTunnel: false,
    proxyTls: { timeout },
    requestTls: { timeout },
    // The session sets the time limits of requests, and this one is for the response to CONNECT.
    clientFactory: (url, options) => new Pool(url, { ...options, headersTimeout: timeout }),
    factory: (url, options) => new Client(url, { ...options, headersTimeout: 0, bodyTimeout: 0 }),
  });
  return {
    dispatch: (request, handler) => agent.dispatch({ ...request, origin }, handler),
    destroy: () => agent.destroy(),
  } as RequestClient;
}

/** Returns the failure of a request through a proxy, which is named because the server may be reachable. */
export function proxyFailure(error: unknown, { origin, proxy }: ProxiedServer): TransportError {
  const status = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '')?.[1];
  const way = `${origin} through the proxy ${proxy.origin}`;
  if (status === undefined) return transportFailure(error, way);
  const hint = status === '407' ? '; write the user name and password into the variable of the proxy' : '';
  return new TransportError(`The request to ${way} failed: the proxy answered HTTP ${status}${hint}.`, {
    cause: error,
  });
}
