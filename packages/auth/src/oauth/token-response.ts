import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { maxScopes } from '../discovery/scopes.js';

/** The checked response of a token endpoint. */
export interface TokenResponse {
  readonly token: string;
  /** Exactly as the server wrote it. */
  readonly tokenType: string;
  /** Milliseconds until the token expires; undefined if unknown. */
  readonly lifetime: number | undefined;
  readonly refreshToken: string | undefined;
  /** Undefined if the response has none: then the requested scopes are granted. */
  readonly scopes: readonly string[] | undefined;
  readonly issuedTokenType: string | undefined;
}

/** Characters of one token, and of a list of scopes, at most. A longer token does not fit into a header. */
const longest = 16_384;
/** Seconds until a token expires, at most: ten years. */
const longestLife = 315_360_000;

/**
 * Reads a token response. Null members count as absent, and unknown members are ignored. So are an unreadable lifetime and
 * unreadable scopes: the token can be used without them.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 * @param origin - the server, for errors.
 * @throws AuthError `unreachable` if the response is unusable; its text contains no part of the response.
 */
export function readTokenResponse(body: unknown, origin: string): TokenResponse {
  if (!isObject(body)) throw unusable(origin, 'it is not a JSON object');
  const token = checkedText(body, 'access_token', origin);
  const tokenType = checkedText(body, 'token_type', origin);
  if (token === undefined) throw unusable(origin, 'access_token is missing');
  // Characters that are allowed after the scheme in a header; a token has no spaces.
  if (!/^[!-~]+$/.test(token))
    throw unusable(origin, 'access_token has characters that a header cannot contain');
  if (tokenType === undefined) throw unusable(origin, 'token_type is missing');
  const refreshToken = checkedText(body, 'refresh_token', origin);
  if (refreshToken !== undefined && !/^[ -~]+$/.test(refreshToken)) {
    throw unusable(origin, 'refresh_token has characters that are not allowed');
  }
  return {
    token,
    tokenType,
    lifetime: lifetimeOf(body.expires_in),
    refreshToken,
    scopes: scopesOf(body),
    issuedTokenType: checkedText(body, 'issued_token_type', origin),
  };
}

function checkedText(body: UnknownObject, name: string, origin: string): string | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw unusable(origin, `${name} is not a string`);
  if (value.length > longest) throw unusable(origin, `${name} is longer than ${longest} characters`);
  return value;
}

/** Returns a number of seconds in milliseconds; undefined if it is not a positive number. */
export function lifetimeOf(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' && /^\d{1,20}(?:\.\d{1,20})?$/.test(value);
  const seconds = isNumeric ? Number(value) : value;
  // Servers with tokens that do not expire send zero or less; otherwise the token would be useless.
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined;
  return Math.floor(Math.min(seconds, longestLife) * 1_000);
}

/** Reads scopes from a string or, as some servers send them, from an array. */
function scopesOf({ scope: value }: UnknownObject): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length <= maxScopes;
  const text = isList ? value.filter((one) => typeof one === 'string').join(' ') : value;
  if (typeof text !== 'string' || text.length > longest) return undefined;
  return [...new Set(text.split(' ').filter(isScope))];
}

function unusable(origin: string, why: string): AuthError {
  return new AuthError('unreachable', `${origin} sent an unusable token response: ${why}.`, {
    answerStatus: 200,
  });
}
