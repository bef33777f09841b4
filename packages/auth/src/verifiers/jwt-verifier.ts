import type { Clock } from '@tenon/foundation';
import type { JsonObject, UnknownObject } from '@tenon/mcp-protocol';
import type { CryptoKey } from 'jose';
import { AuthError } from '../auth-error.js';
import { fetchAuthorizationServer } from '../discovery/authorization-server.js';
import { safeHttp } from '../http/safe-http.js';
import { longestKeyId } from '../oauth/public-jwk.js';
import {
  checkedJwtVerifierOptions,
  type JwtVerifierOptions,
  type JwtVerifierSettings,
  type TokenIssuer,
} from './jwt-verifier-options.js';
import { type KeyHint, type KeySet, LocalKeySet } from './key-set.js';
import { audiencesOf } from './option-rules.js';
import { RemoteKeySet } from './remote-key-set.js';
import { TokenCache, tokenHash } from './token-cache.js';
import { type ClaimRules, claimsProblem, verifiedOf } from './token-claims.js';
import { typeProblem } from './token-type.js';
import { type Rejected, type TokenRealm, type Verified, type Verify, verifierOf } from './verify.js';

/**
 * Returns a verifier for access tokens that are JWTs: checks type, issuer, audience, time, and the signature by the public keys
 * of the issuer.
 * @throws TypeError or RangeError if an option is invalid.
 * https://www.rfc-editor.org/rfc/rfc9068#section-4
 */
export function jwtVerifier(options: JwtVerifierOptions = {}): Verify {
  const settings = checkedJwtVerifierOptions(options);
  return verifierOf((realm) => new JwtCheck(settings, realm));
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
  /** A Map, because its keys come from tokens. */
  readonly #issuers = new Map<unknown, Issuer>();
  readonly #good: TokenCache<Verified>;

  constructor(settings: JwtVerifierSettings, { resource, authorizationServers, clock }: TokenRealm) {
    this.#settings = settings;
    this.#clock = clock;
    this.#good = new TokenCache(clock);
    const { clockTolerance, requiredClaims, scopeClaims, audiences = audiencesOf(resource) } = settings;
    const common = { audiences, clockTolerance, requiredClaims, scopeClaims, optional: new Set<never>() };
    for (const given of settings.issuers ?? authorizationServers.map((issuer) => ({ issuer }))) {
      const keys = issuerKeys(given, settings, clock);
      this.#issuers.set(given.issuer, { keys, rules: { ...common, issuer: given.issuer } });
    }
  }

  /** Synchronous if the token is cached. */
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
    if (read === undefined) return { rejected: 'The token is not a signed JWT.' };
    const { header, claims } = read;
    const issuer = this.#issuers.get(claims.iss);
    if (issuer === undefined) return { rejected: stranger };
    // These checks need no keys, so they come first. The claims are not used otherwise before the signature is checked.
    const problem =
      this.#headerProblem(header) ??
      (hasSignatureLength(header.alg, token) ? undefined : unsigned) ??
      typeProblem(header.typ, claims, this.#settings.types) ??
      claimsProblem(claims, issuer.rules, this.#clock.now());
    if (problem !== undefined) return { rejected: problem };
    for (const key of await issuer.keys.find(header as KeyHint)) {
      const proven = await this.#proven(token, key);
      if (proven !== undefined) return verifiedOf(proven, issuer.rules);
    }
    return { rejected: unsigned };
  }

  #headerProblem({ alg, kid, crit }: UnknownObject): string | undefined {
    const { algorithms } = this.#settings;
    if (typeof alg !== 'string' || !algorithms.has(alg)) {
      return `The token is not signed with ${[...algorithms].join(' or ')}.`;
    }
    if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > longestKeyId)) {
      return 'The kid of the token is malformed.';
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
    const { JOSEError, jwtVerify } = await import('./jose.js');
    try {
      return (await jwtVerify<JsonObject>(token, key, checks)).payload as JsonObject;
    } catch (error) {
      // A TypeError means that the key must not be used, such as RSA with less than 2,048 bits.
      if (error instanceof JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

async function readToken(token: string): Promise<{ header: UnknownObject; claims: JsonObject } | undefined> {
  const { decodeJwt, decodeProtectedHeader } = await import('./jose.js');
  try {
    return {
      header: { ...decodeProtectedHeader(token) },
      claims: decodeJwt<JsonObject>(token) as JsonObject,
    };
  } catch {
    return undefined;
  }
}

/** Returns the keys of an issuer: those of the options, or those at the URL in the options or in its metadata. */
export function issuerKeys(given: TokenIssuer, settings: JwtVerifierSettings, clock: Clock): KeySet {
  const { issuer, jwks, jwksUri } = given;
  if (jwks !== undefined) return new LocalKeySet(jwks);
  const http = settings.http ?? safeHttp({ server: new URL(issuer), clock });
  const locate = async () => {
    if (jwksUri !== undefined) return new URL(jwksUri);
    const server = await fetchAuthorizationServer({ issuer, http });
    if (server.jwksUri !== undefined) return server.jwksUri;
    throw new AuthError('unsupported', `The metadata of ${issuer} has no usable jwks_uri.`);
  };
  return new RemoteKeySet({ issuer, locate, http, clock, maxAge: settings.keyMaxAge });
}

/** Bytes of a signature, at least and at most. */
type Sizes = readonly [least: number, most: number];

/** Keys from 2,048 bits to the largest accepted size. */
const rsa: Sizes = [256, 1_050];
const edwards: Sizes = [64, 64];

/** https://www.rfc-editor.org/rfc/rfc7518#section-3, https://www.rfc-editor.org/rfc/rfc8037#section-3.1 */
const sizes: ReadonlyMap<unknown, Sizes> = new Map<string, Sizes>([
  ['ES256', [64, 64]],
  ['ES384', [96, 96]],
  ['ES512', [132, 132]],
  ['EdDSA', edwards],
  ['Ed25519', edwards],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'].map((name): [string, Sizes] => [name, rsa]),
]);

/** True if the signature of a JWT has a possible length for its algorithm. */
export function hasSignatureLength(algorithm: unknown, token: string): boolean {
  const [, , signature = '', ...more] = token.split('.', 4);
  const [least, most] = sizes.get(algorithm) ?? [1, Number.POSITIVE_INFINITY];
  const bytes = Math.floor((signature.length * 3) / 4);
  const isText = /^[\w-]+$/.test(signature) && signature.length % 4 !== 1;
  return more.length === 0 && isText && bytes >= least && bytes <= most;
}
