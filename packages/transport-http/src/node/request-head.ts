import type { IncomingMessage } from 'node:http';

/** The parts of a request head that are checked before anything else. */
export interface RequestHead {
  /** Path and query. */
  readonly url: string;
  /** The host in the request target, which replaces the Host header. */
  readonly host: string | undefined;
  /** The lower-case name of a single-value header that was sent more than once. */
  readonly repeated: string | undefined;
}

/** Headers with a single value. If one is repeated, Node drops the second value of some, and joins others. */
const single = new Set([
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
]);

export function headOf(request: IncomingMessage): RequestHead {
  // Frameworks remove their mount path from `url`, and keep the client's value in `originalUrl`.
  const { originalUrl, url = '/' } = request as IncomingMessage & { readonly originalUrl?: unknown };
  const target = typeof originalUrl === 'string' ? originalUrl : url;
  const { rawHeaders, headers } = request;
  // As many names as lines: none was sent twice.
  const isDistinct = rawHeaders === undefined || rawHeaders.length === 2 * Object.keys(headers).length;
  const repeated = isDistinct ? undefined : repeatedIn(rawHeaders);
  if (target.startsWith('/')) return { url: target, host: undefined, repeated };
  return { ...absolute(target), repeated };
}

/**
 * Reads a request target such as `http://localhost/mcp?x=1`. A target that is neither a URL nor a path is returned
 * unchanged.
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
function absolute(target: string): Pick<RequestHead, 'url' | 'host'> {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (host === undefined) return { url: target, host };
  return { url: rest.startsWith('/') ? rest : `/${rest}`, host };
}

function repeatedIn(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name)) return name;
    if (single.has(name)) seen.add(name);
  }
  return undefined;
}
