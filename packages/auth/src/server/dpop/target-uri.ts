import { isUrl } from '@tenon/mcp-protocol/internal';

/**
 * Returns a URL in the form in which proofs compare it: scheme and host in lower case, without default port, query, fragment and
 * unnecessary escapes; undefined if it is not a web address.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 */
export function targetUri(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > longest || !isUrl(address)) return undefined;
  const { protocol, username, password, origin, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return username === '' && password === '' ? origin + pathname.replace(escaped, plain) : undefined;
}

/** Characters of a URL, at most. */
const longest = 8_192;

const escaped = /%[0-9a-f]{2}/gi;

/** https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2 */
function plain(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
}
