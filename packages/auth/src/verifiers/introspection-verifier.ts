import { jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import type { OauthHttp, OauthResponse } from '../http/oauth-http.js';
import { safeHttp } from '../http/safe-http.js';
import { sendForm } from '../oauth/client-authentication.js';
import { BoundedWork } from './bounded-work.js';
import {
  checkedIntrospectionOptions,
  type IntrospectionSettings,
  type IntrospectionVerifierOptions,
} from './introspection-options.js';
import { audiencesOf, clockTolerance } from './option-rules.js';
import { TokenCache, tokenHash } from './token-cache.js';
import { type ClaimRules, claimsProblem, verifiedOf } from './token-claims.js';
import { hasForeignUse } from './token-type.js';
import { type Rejected, type TokenRealm, type Verified, type Verify, verifierOf } from './verify.js';

/**
 * Returns a verifier that asks the authorization server about each access token, and caches the responses for a short time.
 * @throws TypeError or RangeError if an option is invalid.
 * https://www.rfc-editor.org/rfc/rfc7662
 */
export function introspectionVerifier(options: IntrospectionVerifierOptions): Verify {
  const settings = checkedIntrospectionOptions(options);
  return verifierOf((realm) => new Introspection(settings, realm));
}

/** Authentication methods in the order of preference; metadata seldom lists those of the endpoint. */
const methods = {
  tokenEndpointAuthMethods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
  tokenEndpointAuthSigningAlgs: undefined,
};

/** Milliseconds that an invalid token is cached. */
const badMaxAge = 10_000;

class Introspection {
  readonly #settings: IntrospectionSettings;
  readonly #clock: TokenRealm['clock'];
  readonly #rules: ClaimRules;
  readonly #http: OauthHttp;
  readonly #work: BoundedWork;
  /** Separate caches, so that invalid tokens cannot remove valid ones. */
  readonly #good: TokenCache<Verified>;
  readonly #bad: TokenCache<Rejected>;
  readonly #asked = new Map<string, Promise<Verified | Rejected>>();

  constructor(settings: IntrospectionSettings, realm: TokenRealm) {
    const { clock } = realm;
    const { endpoint, audiences = audiencesOf(realm.resource), onlyThisResource } = settings;
    const { requiredClaims, scopeClaims, bounds } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#rules = {
      ...{ issuer: issuerOf(settings, realm), audiences, clockTolerance, requiredClaims, scopeClaims },
      optional: new Set(onlyThisResource ? ['iss', 'exp', 'aud'] : ['iss', 'exp']),
    };
    this.#http = settings.http ?? safeHttp({ server: endpoint, clock });
    this.#work = new BoundedWork({ most: bounds.concurrency, mostWaiting: bounds.waiting });
    this.#good = new TokenCache(clock, bounds.cacheEntries);
    this.#bad = new TokenCache(clock, bounds.cacheEntries);
  }

  /** Synchronous if the result is cached. */
  verify(token: string): Verified | Rejected | Promise<Verified | Rejected> {
    const hash = tokenHash(token);
    if (hash instanceof Promise) return hash.then((known) => this.#known(known, token));
    return this.#known(hash, token);
  }

  #known(hash: string, token: string): Verified | Rejected | Promise<Verified | Rejected> {
    return this.#good.get(hash) ?? this.#bad.get(hash) ?? this.#introspectOnce(hash, token);
  }

  async #introspectOnce(hash: string, token: string): Promise<Verified | Rejected> {
    const asked = this.#asked.get(hash);
    if (asked !== undefined) return asked;
    if (this.#work.isFull)
      throw new AuthError(
        'unreachable',
        `Too many introspection requests wait for ${this.#settings.endpoint.origin}.`,
      );
    const pending = this.#work
      .run(() => this.#introspectAndRemember(token, hash))
      .finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, pending);
    return pending;
  }

  async #introspectAndRemember(token: string, hash: string): Promise<Verified | Rejected> {
    const result = await this.#ask(token);
    const { cacheMaxAge } = this.#settings;
    const now = this.#clock.now();
    if ('rejected' in result) {
      this.#bad.keep(hash, result, now + badMaxAge);
    } else if (cacheMaxAge > 0) {
      const { expiresAt = Number.POSITIVE_INFINITY } = result;
      this.#good.keep(hash, result, Math.min(expiresAt, now + cacheMaxAge));
    }
    return result;
  }

  async #ask(token: string): Promise<Verified | Rejected> {
    const { client, endpoint } = this.#settings;
    const { answer } = await sendForm({
      server: { issuer: this.#rules.issuer, ...methods },
      params: { token, token_type_hint: 'access_token' },
      ...{ client, endpoint, clock: this.#clock, http: this.#http },
    });
    return this.#judged(this.#read(answer));
  }

  #judged({ active, ...claims }: JsonObject): Verified | Rejected {
    // The other members of an inactive token have no meaning.
    if (active === false) return { rejected: 'The token is not active.' };
    const problem = tokenTypeProblem(claims) ?? claimsProblem(claims, this.#rules, this.#clock.now());
    return problem === undefined ? verifiedOf(claims, this.#rules) : { rejected: problem };
  }

  /** @throws AuthError unless the response says whether the token is active. */
  #read({ status: answerStatus, text }: OauthResponse): JsonObject {
    const { origin } = this.#settings.endpoint;
    if (answerStatus === 401 || answerStatus === 403) {
      throw new AuthError(
        'refused',
        `${origin} refuses introspection requests of this server: check the option client and its secret.`,
        { answerStatus },
      );
    }
    if (answerStatus !== 200)
      throw new AuthError('unreachable', `${origin} cannot answer introspection requests now.`, {
        answerStatus,
      });
    const answer = jsonIn(text);
    if (isObject(answer) && typeof answer.active === 'boolean') return answer as JsonObject;
    throw new AuthError('unreachable', `${origin} sent an invalid introspection response.`, {
      answerStatus,
    });
  }
}

function issuerOf({ issuer }: IntrospectionSettings, { authorizationServers }: TokenRealm): string {
  const [first, second] = authorizationServers;
  if (issuer !== undefined) return issuer;
  if (first !== undefined && second === undefined) return first;
  throw new TypeError(
    'introspectionVerifier: set the option issuer, because there is more than one authorization server.',
  );
}

const types: readonly unknown[] = ['bearer', 'dpop'];

function tokenTypeProblem(claims: JsonObject): string | undefined {
  const { token_type: type } = claims;
  const isAccessToken = type === undefined || types.includes(String(type).toLowerCase());
  return isAccessToken && !hasForeignUse(claims) ? undefined : 'The token is not an access token.';
}
