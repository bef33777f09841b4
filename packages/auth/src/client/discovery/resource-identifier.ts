import { isUrl } from '@tenon/mcp-protocol/internal';

/** Returns the identifier of a server without metadata: its URL without a trailing slash that has no meaning. */
export function canonicalResource(server: URL): string {
  const { origin, pathname, search } = server;
  return pathname === '/' && search === '' ? origin : `${origin}${pathname}${search}`;
}

/**
 * Returns the reason why an identifier does not belong to a server, as the end of a sentence; undefined if it does.
 *
 * RFC 9728 requires the identifier to be identical to the URL that was looked up. Many servers use their origin, or a path
 * above their own, and issue their tokens for that. So an identical identifier (with or without a trailing slash) is
 * accepted wherever it was read. One that covers more than the server is accepted only from a well-known URL of that origin,
 * which only the operator of the whole origin can serve: otherwise one of several servers at an origin could obtain tokens
 * that all of them accept.
 * https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 * @param source - the URL that the identifier was read from.
 */
export function resourceProblem(resource: string, server: URL, source: URL): string | undefined {
  const url = isUrl(resource) ? new URL(resource) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || resource.includes('#')) {
    return 'it is not a plain URL';
  }
  if (!isWrittenAsRead(resource, url)) return 'it is changed by URL parsers';
  if (url.origin !== server.origin) return 'it has another origin';
  const path = withSlash(url.pathname);
  const served = withSlash(server.pathname);
  if (path === served && url.search === server.search) return undefined;
  if (url.search !== '' || !served.startsWith(path)) return 'it has another path';
  return isWellKnown(source, server)
    ? undefined
    : 'it covers more than the server, which is allowed only at a well-known URL';
}

/** True if the URL parser leaves the text unchanged: it resolves dots, and converts backslashes and spaces. */
function isWrittenAsRead(text: string, { pathname, search }: URL): boolean {
  const [, rest] = /^https?:\/\/[^/?#\s\\]+(.*)$/is.exec(text) ?? [];
  return rest === `${pathname}${search}` || (rest === '' && pathname === '/');
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function isWellKnown(source: URL, server: URL): boolean {
  return source.origin === server.origin && withSlash(source.pathname).startsWith(`${wellKnownResource}/`);
}

/** The path of the metadata of a resource. */
export const wellKnownResource = '/.well-known/oauth-protected-resource';
