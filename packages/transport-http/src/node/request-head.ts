import type { IncomingMessage } from 'node:http';

/** What is read of the head of a request before anything else. */
export interface RequestHead {
  /** Path and query. */
  readonly url: string;
  /** The host that the request target names; it takes the place of the header. */
  readonly host: string | undefined;
  /** A header with one value that was sent more than once, in lower case. */
  readonly repeated: string | undefined;
}

/** Headers with one value. Of a second one Node drops some, and joins others to the first. */
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
  // Frameworks take the part of the path away that they mounted it at, and keep what the client wrote here.
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
 * Reads a request target such as `http://localhost/mcp?x=1`. What is neither that nor a path stays as it is.
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
