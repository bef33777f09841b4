import type { JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import type { CryptoKey } from 'jose';
import { longestKeyId } from '../public-jwk.js';
import type { Rejected, TokenRealm, Verified, Verify } from '../verify.js';
import { audiencesOf } from './audience-rule.js';
import { issuerKeys } from './issuer-keys.js';
import {
  checkedJwtVerifierOptions,
  type JwtVerifierOptions,
  type JwtVerifierSettings,
} from './jwt-verifier-options.js';
import type { KeyHint, KeySet } from './key-set.js';
import { isSignatureOf } from './signature-form.js';
import { TokenCache } from './token-cache.js';
import { type ClaimRules, claimsFlaw, verifiedOf } from './token-claims.js';
import { tokenHash } from './token-hash.js';
import { typeFlaw } from './token-type.js';

/**
 * Checks access tokens that are JWTs by the public keys of those who issue them: type, issuer, audience, time and signature.
 * @throws TypeError or RangeError for options that cannot work.
 * https://www.rfc-editor.org/rfc/rfc9068#section-4
 */
export function jwtVerifier(options: JwtVerifierOptions = {}): Verify {
  const settings = checkedJwtVerifierOptions(options);
  const checks = new WeakMap<TokenRealm, JwtCheck>();
  return (token, _request, realm) => {
    let check = checks.get(realm);
    if (check === undefined) {
      check = new JwtCheck(settings, realm);
      checks.set(realm, check);
    }
    return check.verify(token);
  };
}

interface Issuer {
  readonly keys: KeySet;
  readonly rules: ClaimRules;
}

const unsigned = 'The token is not signed with a key of its issuer.';
const stranger = 'The token was not issued by an authorization server of this server.';

/** The check of tokens for one resource. */
class JwtCheck {
  readonly #settings: JwtVerifierSettings;
  readonly #clock: TokenRealm['clock'];
  /** A map, since what is looked up comes from tokens. */
  readonly #issuers = new Map<unknown, Issuer>();
  readonly #good: TokenCache<Verified>;

  constructor(settings: JwtVerifierSettings, { resource, authorizationServers, clock }: TokenRealm) {
    this.#settings = settings;
    this.#clock = clock;
    this.#good = new TokenCache(clock, settings.cacheEntries);
    const { clockTolerance, requiredClaims, scopeClaims, audiences = audiencesOf(resource) } = settings;
    const common = { audiences, clockTolerance, requiredClaims, scopeClaims, optional: new Set<never>() };
    for (const given of settings.issuers ?? authorizationServers.map((issuer) => ({ issuer }))) {
      const keys = issuerKeys(given, settings, clock);
      this.#issuers.set(given.issuer, { keys, rules: { ...common, issuer: given.issuer } });
    }
  }

  /** At once for a token that was found good a short while ago. */
  verify(token: string): Verified | Promise<Verified | Rejected> {
    if (this.#settings.cacheMaxAge === 0) return this.#check(token);
    const hash = tokenHash(token);
    if (hash instanceof Promise) return hash.then((known) => this.#known(known, token));
    return this.#known(hash, token);
  }

  #known(hash: string, token: string): Verified | Promise<Verified | Rejected> {
    return this.#good.get(hash) ?? this.#checkOnce(hash, token);
  }

  async #checkOnce(hash: string, token: string): Promise<Verified | Rejected> {
    const { cacheMaxAge } = this.#settings;
    const checked = await this.#check(token);
    if ('rejected' in checked) return checked;
    const { expiresAt = 0 } = checked;
    this.#good.keep(hash, checked, Math.min(expiresAt, this.#clock.now() + cacheMaxAge));
    return checked;
  }

  async #check(token: string): Promise<Verified | Rejected> {
    const read = await readToken(token);
    if (read === undefined) return { rejected: 'The token is no signed JWT.' };
    const { header, claims } = read;
    const issuer = this.#issuers.get(claims.iss);
    if (issuer === undefined) return { rejected: stranger };
    // What is wrong whoever signed it is cheaper to tell, and has no keys fetched. Nothing else is done with it before the proof.
    const flaw =
      this.#headerFlaw(header) ??
      (isSignatureOf(header.alg, token) ? undefined : unsigned) ??
      typeFlaw(header.typ, claims, this.#settings.types) ??
      claimsFlaw(claims, issuer.rules, this.#clock.now());
    if (flaw !== undefined) return { rejected: flaw };
    for (const key of await issuer.keys.find(header as KeyHint)) {
      const proven = await this.#proven(token, key);
      if (proven !== undefined) return verifiedOf(proven, issuer.rules);
    }
    return { rejected: unsigned };
  }

  #headerFlaw({ alg, kid, crit }: UnknownObject): string | undefined {
    const { algorithms } = this.#settings;
    if (typeof alg !== 'string' || !algorithms.has(alg)) {
      return `The token is not signed with ${[...algorithms].join(' or ')}.`;
    }
    if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > longestKeyId)) {
      return 'The token names its key in a way that is not understood.';
    }
    return crit === undefined ? undefined : 'The token has a critical header that is not understood.';
  }

  async #proven(token: string, key: CryptoKey): Promise<JsonObject | undefined> {
    const { algorithms, clockTolerance } = this.#settings;
    const checks = {
      algorithms: [...algorithms],
      clockTolerance: clockTolerance / 1_000,
      currentDate: new Date(this.#clock.now()),
    };
    const { JOSEError, jwtVerify } = await import('../jose.js');
    try {
      return (await jwtVerify<JsonObject>(token, key, checks)).payload as JsonObject;
    } catch (error) {
      // A TypeError stands for a key that must not be used, such as RSA with less than 2,048 bits.
      if (error instanceof JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

async function readToken(token: string): Promise<{ header: UnknownObject; claims: JsonObject } | undefined> {
  const { decodeJwt, decodeProtectedHeader } = await import('../jose.js');
  try {
    return {
      header: { ...decodeProtectedHeader(token) },
      claims: decodeJwt<JsonObject>(token) as JsonObject,
    };
  } catch {
    return undefined;
  }
}
