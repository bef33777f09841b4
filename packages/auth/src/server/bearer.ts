import type { GuardedRequest } from '@tenon/mcp-protocol';

/** A token as a request shows it. */
export interface Presented {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

/** A request that shows a token in a way that is not allowed. */
export interface Malformed {
  /** One sentence that says what to do. */
  readonly flaw: string;
}

const schemes: ReadonlyMap<string, Presented['scheme']> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);

/**
 * The token of a request; undefined where it shows none. Several headers of the name count as one whose values stand in a
 * row, which is no token.
 * https://www.rfc-editor.org/rfc/rfc6750#section-2
 * @param longest - characters of a token.
 */
export function presentedIn(request: GuardedRequest, longest: number): Presented | Malformed | undefined {
  if (hasToken(request.url)) {
    return { flaw: 'A token must not stand in the URL; send it in the Authorization header.' };
  }
  const header = request.header('authorization');
  if (header === undefined) return undefined;
  const gap = header.indexOf(' ');
  const scheme = schemes.get((gap < 0 ? header : header.slice(0, gap)).toLowerCase());
  if (scheme === undefined) return undefined;
  const token = gap < 0 ? '' : header.slice(gap).trim();
  if (token.length > longest) return { flaw: `The token is longer than ${longest} characters.` };
  return /^[\w.~+/-]+=*$/.test(token)
    ? { scheme, token }
    : { flaw: `The Authorization header must hold the word ${scheme} and one token.` };
}

/** True for a query that holds a token, where logs and histories would keep it. */
function hasToken(url: string): boolean {
  const query = url.indexOf('?');
  return query >= 0 && new URLSearchParams(url.slice(query)).has('access_token');
}
