import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';

/** The addresses of the two sides of a proxy. */
export interface ProxyAddresses {
  /** The URL of the server. */
  readonly upstream: URL;
  /** The URL of the proxy. */
  readonly local: URL;
}

/** RFC 9110 section 7.6.1, and headers that the proxy sets. */
const notForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

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
  const headers: Record<string, string | string[]> = {};
  const named = connectionNames(request.headers);
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !notForwarded.has(name) && !named.has(name)) headers[name] = value;
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
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  const named = connectionNames(headers);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notForwarded.has(name) && !named.has(name)) kept[name] = value;
  const { location } = headers;
  if (location !== undefined) kept.location = localUrl(location, addresses) ?? location;
  return kept;
}

function connectionNames({ connection }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
