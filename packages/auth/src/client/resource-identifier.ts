import { isUrl } from '@tenon/mcp-protocol/internal';
/** The identifier of a server that says of none: its address as one writes it, without a slash that means nothing. */
export function canonicalResource(server: URL): string {
  const { origin, pathname, search } = server;
  return pathname === '/' && search === '' ? origin : `${origin}${pathname}${search}`;
}

/**
 * What keeps an identifier from being that of a server, as the end of a sentence about it; undefined for one that is its own.
 *
 * RFC 9728 wants it identical to the address that was asked for, and many servers name their origin or a path above, for
 * which tokens are then meant. So: what is identical, but for a slash at the end, will do wherever it was read. What covers
 * more than the server will do only from one of the well-known places of that origin, which belong to whoever answers for
 * all of it: otherwise one of several servers at an origin could have tokens that all of them take.
 * https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 * @param place - where the identifier was read.
 */
export function resourceFlaw(resource: string, server: URL, place: URL): string | undefined {
  const url = isUrl(resource) ? new URL(resource) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || resource.includes('#')) {
    return 'it is no plain address';
  }
  if (!isWrittenAsRead(resource, url)) return 'it is not written as it is read';
  if (url.origin !== server.origin) return 'it is of another origin';
  const path = withSlash(url.pathname);
  const served = withSlash(server.pathname);
  if (path === served && url.search === server.search) return undefined;
  if (url.search !== '' || !served.startsWith(path)) return 'it is another path';
  return isWellKnown(place, server)
    ? undefined
    : 'it covers more than the server, and no well-known place says so';
}

/** Dots, backslashes and blanks make a URL another than its text. */
function isWrittenAsRead(text: string, { pathname, search }: URL): boolean {
  const [, rest] = /^https?:\/\/[^/?#\s\\]+(.*)$/is.exec(text) ?? [];
  return rest === `${pathname}${search}` || (rest === '' && pathname === '/');
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function isWellKnown(place: URL, server: URL): boolean {
  return place.origin === server.origin && withSlash(place.pathname).startsWith(`${wellKnownResource}/`);
}

/** Where the metadata of a resource is. */
export const wellKnownResource = '/.well-known/oauth-protected-resource';
