import type { JsonObject } from '../json-rpc/json.js';

/** The caller, as authenticated by the transport. Absent on transports without authentication, such as stdio. */
export interface Principal {
  /** Stable identifier of the caller, unique within its issuer. */
  readonly id: string;
  /** The issuer of the id, such as the issuer URL of an authorization server. */
  readonly issuer?: string;
  /** The program that calls on the caller's behalf, as its authorization server knows it. */
  readonly clientId?: string;
  /** The time at which the credentials expire, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Scopes granted to the call. */
  readonly scopes?: readonly string[];
  /** Further claims for handlers to read. */
  readonly claims?: JsonObject;
}

/** Returns the name that a caller is counted under: the principal, else the network address; undefined if neither is known. */
export function callerName(
  principal: Pick<Principal, 'id' | 'issuer'> | undefined,
  address: string | undefined,
): string | undefined {
  if (principal !== undefined) return JSON.stringify([principal.issuer ?? '', principal.id]);
  return address === undefined ? undefined : `@${address}`;
}

/** The name of callers of which nothing is known. */
export const unknownCaller = '@';
