import type { GuardedRequest } from '@tenon/mcp-protocol';

/** The token of a request. */
export interface Presented {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

/** The reason why the token of a request is malformed. */
export interface Malformed {
  /** One sentence that says what to do. */
  readonly problem: string;
}

const schemes: ReadonlyMap<string, Presented['scheme']> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);

/**
 * Returns the token of a request; undefined if it has none. Several `Authorization` headers count as one header with all their
 * values, which is malformed.
 * https://www.rfc-editor.org/rfc/rfc6750#section-2
 * @param longest - characters of a token, at most.
 */
export function presentedIn(request: GuardedRequest, longest: number): Presented | Malformed | undefined {
  if (hasToken(request.url)) {
    return { problem: 'A token must not be in the URL; send it in the Authorization header.' };
  }
  const header = request.header('authorization');
  if (header === undefined) return undefined;
  const gap = header.indexOf(' ');
  const scheme = schemes.get((gap < 0 ? header : header.slice(0, gap)).toLowerCase());
  if (scheme === undefined) return undefined;
  const token = gap < 0 ? '' : header.slice(gap).trim();
  if (token.length > longest) return { problem: `The token is longer than ${longest} characters.` };
  return /^[\w.~+/-]+=*$/.test(token)
    ? { scheme, token }
    : { problem: `The Authorization header must contain the word ${scheme} and one token.` };
}

/** True if the query contains a token, which logs and browser histories would record. */
function hasToken(url: string): boolean {
  const query = url.indexOf('?');
  return query >= 0 && new URLSearchParams(url.slice(query)).has('access_token');
}
