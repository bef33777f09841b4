import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { forwardedHeaders } from '../forwarding/pass-on.js';

/** The addresses of the two sides of a proxy. */
export interface ProxyAddresses {
  /** The URL of the server. */
  readonly upstream: URL;
  /** The URL of the proxy. */
  readonly local: URL;
}

/** Returns the path and query at the server for those at the proxy: the endpoint of the proxy is the endpoint of the server. */
export function upstreamUrl(requested: string, { upstream, local }: ProxyAddresses): URL {
  const asked = new URL(requested, local.origin);
  const url = new URL(upstream);
  if (asked.pathname !== local.pathname) {
    url.pathname = asked.pathname;
    url.search = asked.search;
  } else if (asked.search !== '') url.search = asked.search;
  return url;
}

/** Returns the address at the proxy for one at the server; undefined for another origin. */
export function localUrl(address: string, { upstream, local }: ProxyAddresses): string | undefined {
  if (!URL.canParse(address, upstream.href)) return undefined;
  const url = new URL(address, upstream);
  if (url.origin !== upstream.origin) return undefined;
  const path = url.pathname === upstream.pathname ? local.pathname : url.pathname;
  return path + url.search;
}

/** Returns the options of the request to the server. */
export function forwardedRequest(
  request: IncomingMessage,
  addresses: ProxyAddresses,
  { headers: own, body }: { headers: Readonly<Record<string, string>>; body: Buffer },
): RequestOptions {
  const { 'content-length': _, ...headers } = forwardedHeaders(request.headers);
  const { upstream, local } = addresses;
  if (headers.origin === local.origin) headers.origin = upstream.origin;
  Object.assign(headers, own);
  // The messages must be readable.
  headers['accept-encoding'] = 'identity';
  headers.host = upstream.host;
  if (body.length > 0 || request.method === 'POST') headers['content-length'] = String(body.length);
  return { method: request.method ?? 'GET', headers };
}

/** Returns the headers of a response for the client. */
export function forwardedResponse(
  headers: IncomingHttpHeaders,
  addresses: ProxyAddresses,
): OutgoingHttpHeaders {
  // The endpoint event may change the length.
  const { 'content-length': _, ...kept } = forwardedHeaders(headers);
  const { location } = headers;
  if (location !== undefined) kept.location = localUrl(location, addresses) ?? location;
  return kept;
}
