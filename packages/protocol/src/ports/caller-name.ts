import type { TransportFacts } from './connection.js';
import type { Principal } from './principal.js';

/** Returns the name that a caller is counted under: the principal, else the network address; undefined if neither is known. */
export function callerName(
  principal: Pick<Principal, 'id' | 'issuer'> | undefined,
  address: string | undefined,
): string | undefined {
  if (principal !== undefined) return JSON.stringify([principal.issuer ?? '', principal.id]);
  return address === undefined ? undefined : `@${address}`;
}

/**
 * Returns the name that the bytes of a caller in the state are counted under. All callers of which nothing is known are one. Undefined
 * for the only caller of a connection without authentication, such as stdio.
 */
export function stateCallerName({
  principal,
  remoteAddress,
  anonymous,
}: Pick<TransportFacts, 'principal' | 'remoteAddress' | 'anonymous'>): string | undefined {
  return callerName(principal, remoteAddress) ?? (anonymous === true ? unknownCaller : undefined);
}

/** The name of callers of which nothing is known. */
export const unknownCaller = '@';

/** True for the error of a write to the state beyond the share of its caller, which the state reports itself, once in a while. */
export function isOverQuota(error: unknown): boolean {
  // By its name: servers without shared state do not load the class.
  return (
    error instanceof Error && error.name === 'StateError' && 'reason' in error && error.reason === 'quota'
  );
}
