import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { maxScopes } from './scopes.js';

/** What a token endpoint granted, checked. */
export interface TokenResponse {
  readonly token: string;
  /** As it was written. */
  readonly tokenType: string;
  /** Milliseconds that the token is good for; undefined where nobody said. */
  readonly lifetime: number | undefined;
  readonly refreshToken: string | undefined;
  /** Undefined where nobody said: then what was asked for. */
  readonly scopes: readonly string[] | undefined;
  readonly issuedTokenType: string | undefined;
}

/** Characters of one token, and of a list of scopes. A longer one fits into no header. */
const longest = 16_384;
/** Longer than any token lives, in seconds: ten years. */
const longestLife = 315_360_000;

/**
 * The members of a token response; what is null is as if left out, and members nobody knows are ignored. So are a lifetime and
 * scopes that cannot be read: the token is as good as without them.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 * @param origin - whom an error names.
 * @throws AuthError `unreachable` for a response that cannot be used; its text holds nothing of the response.
 */
export function readTokenResponse(body: unknown, origin: string): TokenResponse {
  if (!isObject(body)) throw unusable(origin, 'it is no JSON object');
  const token = textOf(body, 'access_token', origin);
  const tokenType = textOf(body, 'token_type', origin);
  if (token === undefined) throw unusable(origin, 'access_token is missing');
  // What may stand after the scheme in a header, spaces apart.
  if (!/^[!-~]+$/.test(token)) throw unusable(origin, 'access_token has characters that fit into no header');
  if (tokenType === undefined) throw unusable(origin, 'token_type is missing');
  const refreshToken = textOf(body, 'refresh_token', origin);
  if (refreshToken !== undefined && !/^[ -~]+$/.test(refreshToken)) {
    throw unusable(origin, 'refresh_token has characters that no token has');
  }
  return {
    token,
    tokenType,
    lifetime: lifetimeOf(body),
    refreshToken,
    scopes: scopesOf(body),
    issuedTokenType: textOf(body, 'issued_token_type', origin),
  };
}

function textOf(body: UnknownObject, name: string, origin: string): string | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw unusable(origin, `${name} is no text`);
  if (value.length > longest) throw unusable(origin, `${name} is longer than ${longest} characters`);
  return value;
}

function lifetimeOf({ expires_in: value }: UnknownObject): number | undefined {
  const isNumeric = typeof value === 'string' && /^\d{1,20}(?:\.\d{1,20})?$/.test(value);
  const seconds = isNumeric ? Number(value) : value;
  // Zero, or less, is what servers say whose tokens do not expire: the token would be of no use otherwise.
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return Math.floor(Math.min(seconds, longestLife) * 1_000);
}

/** As one text, or as some servers have it, a list of them. */
function scopesOf({ scope: value }: UnknownObject): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length <= maxScopes;
  const text = isList ? value.filter((one) => typeof one === 'string').join(' ') : value;
  if (typeof text !== 'string' || text.length > longest) return undefined;
  return [...new Set(text.split(' ').filter(isScope))];
}

function unusable(origin: string, why: string): AuthError {
  return new AuthError(
    'unreachable',
    `${origin} answered the request for a token with what cannot be used: ${why}.`,
  );
}
