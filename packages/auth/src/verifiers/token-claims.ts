import { isRecord } from '@tenon/foundation';
import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { longestName, type Verified } from './verify.js';

/** The rules for the claims of a token. */
export interface ClaimRules {
  readonly issuer: string;
  /** `aud` must contain one of these, exactly. */
  readonly audiences: readonly string[];
  /** Milliseconds that clocks may differ. */
  readonly clockTolerance: number;
  /** Claims that the token must have in addition. */
  readonly requiredClaims: readonly string[];
  /** Names of the claim with the scopes; the first that the token has is used. */
  readonly scopeClaims: readonly string[];
  /** Claims that may be missing, because introspection endpoints leave them out; none for JWTs. */
  readonly optional: ReadonlySet<'iss' | 'aud' | 'exp'>;
}

/**
 * Checks the claims of a token. Returns the reason for a rejection as one sentence without any part of the token; undefined if
 * they are valid.
 * https://www.rfc-editor.org/rfc/rfc7519#section-4.1
 * @param now - milliseconds since 1970.
 */
export function claimsProblem(claims: JsonObject, rules: ClaimRules, now: number): string | undefined {
  const missing = rules.requiredClaims.find((name) => !Object.hasOwn(claims, name));
  return (
    issuerProblem(claims.iss, rules) ??
    audienceProblem(claims.aud, rules) ??
    timeProblem(claims, rules, now) ??
    callerProblem(callerOf(claims)) ??
    confirmationProblem(claims.cnf) ??
    (missing === undefined ? undefined : `The token lacks the claim ${missing}.`)
  );
}

/** Returns the content of a token with checked claims and signature. Frozen, because the cache shares it. */
export function verifiedOf(claims: JsonObject, rules: ClaimRules): Verified {
  const { issuer, scopeClaims, clockTolerance } = rules;
  const client = claims.client_id ?? claims.azp;
  const boundKey = isRecord(claims.cnf) ? claims.cnf.jkt : undefined;
  const scopes = scopeClaims.map((name) => claims[name]).find((value) => value !== undefined);
  return {
    id: callerOf(claims) ?? '',
    issuer,
    scopes: Object.freeze(scopesOf(scopes)),
    claims: Object.freeze(claims),
    ...(isText(client) && { clientId: client }),
    ...(isTime(claims.exp) && { expiresAt: claims.exp * 1_000 + clockTolerance }),
    ...(isText(boundKey) && { boundKey }),
  };
}

/** Returns the claim `sub`, or the client id if the client acts for itself. */
function callerOf({ sub, client_id: clientId, azp }: JsonObject): string | undefined {
  if (sub !== undefined) return isText(sub) ? sub : undefined;
  return [clientId, azp].find(isText);
}

function callerProblem(caller: string | undefined): string | undefined {
  if (caller === undefined) return 'The token does not identify its caller (sub or client_id).';
  return caller.length > longestName
    ? `The token identifies its caller with more than ${longestName} characters.`
    : undefined;
}

function issuerProblem(issuer: JsonValue | undefined, rules: ClaimRules): string | undefined {
  if (issuer === undefined && rules.optional.has('iss')) return undefined;
  return issuer === rules.issuer
    ? undefined
    : 'The token was not issued by an authorization server of this server.';
}

function audienceProblem(audience: JsonValue | undefined, rules: ClaimRules): string | undefined {
  if (audience === undefined || (Array.isArray(audience) && audience.length === 0)) {
    return rules.optional.has('aud') ? undefined : 'The token has no audience (aud).';
  }
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return rules.audiences.some((own) => all.includes(own)) ? undefined : 'The token is for another server.';
}

function timeProblem({ exp, nbf, iat }: JsonObject, rules: ClaimRules, now: number): string | undefined {
  const { clockTolerance } = rules;
  if (exp === undefined) {
    if (!rules.optional.has('exp')) return 'The token has no expiry (exp).';
  } else if (!isTime(exp)) return 'The expiry of the token (exp) is malformed.';
  else if (exp * 1_000 <= now - clockTolerance) return 'The token has expired.';
  for (const since of [nbf, iat]) {
    if (since === undefined) continue;
    if (!isTime(since)) return 'A time of the token (nbf or iat) is malformed.';
    if (since * 1_000 > now + clockTolerance) return 'The token is not valid yet.';
  }
  return undefined;
}

/**
 * Rejects a token that is bound to something else than a key, such as a certificate: it requires a proof, and only proofs of
 * keys can be checked here.
 */
function confirmationProblem(confirmation: JsonValue | undefined): string | undefined {
  if (confirmation === undefined) return undefined;
  const provable =
    isRecord(confirmation) && Object.keys(confirmation).length === 1 && isText(confirmation.jkt);
  return provable ? undefined : 'The token is bound to something that this server cannot check.';
}

function scopesOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value.split(' ').filter((scope) => scope !== '');
  return Array.isArray(value) ? value.filter(isText) : [];
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value * 1_000);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
