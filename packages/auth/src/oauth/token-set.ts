import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject, isScope } from '@tenon/mcp-protocol/internal';
import type { JWK } from 'jose';

/** The tokens of one client for one server, from one issuer. Plain JSON, as the store contains it. */
export interface TokenSet {
  readonly accessToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  /** Expiry of the access token, in milliseconds since 1970; undefined if unknown. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** Granted scopes; undefined if the authorization server did not list them. */
  readonly scopes?: readonly string[] | undefined;
  /** Requested scopes; later requests include them. */
  readonly requested?: readonly string[] | undefined;
  /** The issuer of the tokens. They are never used with another issuer or client id. */
  readonly issuer: string;
  readonly clientId: string;
  /** The private key that the tokens are bound to; undefined for bearer tokens. */
  readonly dpopKey?: JWK | undefined;
}

/** The issuer, client and resource that tokens belong to. */
export interface TokenOwner {
  readonly issuer: string;
  readonly clientId: string;
  /** Identifier of the server that the tokens are for. */
  readonly resource: string;
  /** True if the issuer has no metadata. */
  readonly assumed: boolean;
}

export function jsonOf(tokens: TokenSet): JsonObject {
  return JSON.parse(JSON.stringify(tokens)) as JsonObject;
}

/** Returns undefined if the entry of a store is not the owner of tokens. */
export function readOwner(value: JsonObject): TokenOwner | undefined {
  const { issuer, clientId, resource, assumed } = value;
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof resource !== 'string')
    return undefined;
  return { issuer, clientId, resource, assumed: assumed === true };
}

/** Returns undefined if the entry of a store is not a set of tokens of this issuer and client. */
export function tokensOf(owner: TokenOwner, value: JsonObject | undefined): TokenSet | undefined {
  const tokens = value && readTokens(value);
  return tokens?.issuer === owner.issuer && tokens.clientId === owner.clientId ? tokens : undefined;
}

function readTokens(value: JsonObject): TokenSet | undefined {
  const { accessToken, tokenType, expiresAt, refreshToken, issuer, clientId, dpopKey } = value;
  if (typeof accessToken !== 'string' || typeof issuer !== 'string' || typeof clientId !== 'string')
    return undefined;
  // The token is going to be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  const key = isObject(dpopKey) ? (dpopKey as JWK) : undefined;
  if (tokenType !== 'Bearer' && (tokenType !== 'DPoP' || key === undefined)) return undefined;
  return {
    accessToken,
    tokenType,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    scopes: readScopes(value.scopes),
    requested: readScopes(value.requested),
    issuer,
    clientId,
    dpopKey: key,
  };
}

function readScopes(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter(isScope) : undefined;
}
