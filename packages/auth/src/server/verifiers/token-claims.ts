import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { longestName } from '../resource-guard-principal.js';
import type { Verified } from '../verify.js';

/** What the claims of a token have to fit. */
export interface ClaimRules {
  readonly issuer: string;
  /** One of these must be in `aud`, letter for letter. */
  readonly audiences: readonly string[];
  /** Milliseconds that clocks may differ by. */
  readonly clockTolerance: number;
  /** Claims that must be there besides. */
  readonly requiredClaims: readonly string[];
  /** Where scopes stand: the first of these that is there. */
  readonly scopeClaims: readonly string[];
  /** What some authorization servers leave out, since whoever is asked knows: nothing for a token that says all by itself. */
  readonly optional: ReadonlySet<'iss' | 'aud' | 'exp'>;
}

/**
 * What stands against a token, as one sentence; undefined when nothing does. Nothing of the token is repeated.
 * https://www.rfc-editor.org/rfc/rfc7519#section-4.1
 * @param now - milliseconds since 1970.
 */
export function claimsFlaw(claims: JsonObject, rules: ClaimRules, now: number): string | undefined {
  const missing = rules.requiredClaims.find((name) => !Object.hasOwn(claims, name));
  return (
    issuerFlaw(claims.iss, rules) ??
    audienceFlaw(claims.aud, rules) ??
    timeFlaw(claims, rules, now) ??
    callerFlaw(callerOf(claims)) ??
    confirmationFlaw(claims.cnf) ??
    (missing === undefined ? undefined : `The token lacks the claim ${missing}.`)
  );
}

/** What a token says whose claims and origin have been checked. It is kept, and handed to many: nobody may change it. */
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

/** The claim `sub`, or the client's identifier where it calls on nobody's behalf. */
function callerOf({ sub, client_id: clientId, azp }: JsonObject): string | undefined {
  if (sub !== undefined) return isText(sub) ? sub : undefined;
  return [clientId, azp].find(isText);
}

function callerFlaw(caller: string | undefined): string | undefined {
  if (caller === undefined) return 'The token does not say who is calling.';
  return caller.length > longestName
    ? `The token names its caller in more than ${longestName} characters.`
    : undefined;
}

function issuerFlaw(issuer: JsonValue | undefined, rules: ClaimRules): string | undefined {
  if (issuer === undefined && rules.optional.has('iss')) return undefined;
  return issuer === rules.issuer
    ? undefined
    : 'The token was not issued by an authorization server of this server.';
}

function audienceFlaw(audience: JsonValue | undefined, rules: ClaimRules): string | undefined {
  if (audience === undefined || (Array.isArray(audience) && audience.length === 0)) {
    return rules.optional.has('aud') ? undefined : 'The token does not say which server it is for.';
  }
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return rules.audiences.some((own) => all.includes(own)) ? undefined : 'The token is for another server.';
}

function timeFlaw({ exp, nbf, iat }: JsonObject, rules: ClaimRules, now: number): string | undefined {
  const { clockTolerance } = rules;
  if (exp === undefined) {
    if (!rules.optional.has('exp')) return 'The token does not say when it expires.';
  } else if (!isTime(exp)) return 'The token says when it expires in a way that is not understood.';
  else if (exp * 1_000 <= now - clockTolerance) return 'The token has expired.';
  for (const since of [nbf, iat]) {
    if (since === undefined) continue;
    if (!isTime(since)) return 'The token holds a time that is not understood.';
    if (since * 1_000 > now + clockTolerance) return 'The token is not valid yet.';
  }
  return undefined;
}

/**
 * A token that is bound to something, such as a certificate, is worth nothing without a proof of it, and only proofs of keys
 * are checked here.
 */
function confirmationFlaw(confirmation: JsonValue | undefined): string | undefined {
  if (confirmation === undefined) return undefined;
  const provable =
    isRecord(confirmation) && Object.keys(confirmation).length === 1 && isText(confirmation.jkt);
  return provable ? undefined : 'The token is bound to something that cannot be proven to this server.';
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

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
