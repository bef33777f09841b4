import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { JSONWebKeySet } from 'jose';
import { requireIssuer } from '../http/endpoint-url.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { LocalKeySet } from './key-set.js';
import {
  audienceRule,
  requireAddress,
  requireAlgorithms,
  type SigningAlgorithm,
  toleranceRule,
} from './option-rules.js';
import { typeName } from './token-type.js';

/** An accepted issuer, and the source of its keys. */
export interface TokenIssuer {
  /** Compared exactly with the claim `iss`. */
  readonly issuer: string;
  /** The URL of its keys. Default: the one in its metadata. */
  readonly jwksUri?: string | undefined;
  /** Its keys; nothing is fetched then. */
  readonly jwks?: JSONWebKeySet | undefined;
}

/** Options of {@link jwtVerifier}. Times in milliseconds. */
export interface JwtVerifierOptions {
  /** The accepted issuers. Default: the authorization servers of the protected server. */
  readonly issuers?: readonly (string | TokenIssuer)[];
  /** The value that `aud` must contain, exactly; or several, of which it must contain one. Default: the protected resource. */
  readonly audience?: string | readonly string[];
  /** Accepted signature algorithms. Default: all with a private key; others are not possible. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /** Time that clocks may differ, up to 300,000. Default: 30,000. Raise it only while a clock cannot be corrected. */
  readonly clockTolerance?: number;
  /** Claims that tokens must have in addition to `iss`, `aud`, `exp` and a caller. */
  readonly requiredClaims?: readonly string[];
  /**
   * Accepted values of the header `typ`; `JWT` includes tokens without it. Default: `at+jwt` and `JWT`. A `JWT` with claims of ID
   * tokens or of other types of tokens is rejected.
   */
  readonly typ?: readonly string[];
  /** The claim with the scopes. Default: `scope`, or else `scp`. */
  readonly scopeClaim?: string;
  /** Time that fetched keys are used; `Cache-Control` may shorten it, down to 30 seconds. Default: 600,000. Lower it if a revoked key must be refused sooner. */
  readonly keyMaxAge?: number;
  /** Time that a valid token is cached, at most until it expires. Default: 60,000; 0 for no cache. Lower it if a revoked token must be refused sooner. */
  readonly cacheMaxAge?: number;
  /** Fetches keys and metadata. Default: bounded, over https or from this machine. */
  readonly http?: OauthHttp;
}

/** Options with defaults. */
export interface JwtVerifierSettings
  extends Required<
    Omit<JwtVerifierOptions, 'issuers' | 'audience' | 'algorithms' | 'typ' | 'scopeClaim' | 'http'>
  > {
  readonly issuers: readonly TokenIssuer[] | undefined;
  readonly audiences: readonly string[] | undefined;
  readonly algorithms: ReadonlySet<string>;
  /** In lower case, without `application/`. */
  readonly types: ReadonlySet<string>;
  readonly scopeClaims: readonly string[];
  readonly http: OauthHttp | undefined;
}

const { positive, notNegative, text, texts, object } = optionRules;

const isSome = (value: unknown) => Array.isArray(value) && value.length > 0;

const someTexts: OptionRule = {
  is: 'a list of at least one string',
  allows: (value) => isSome(value) && texts.allows(value),
};

const rules: { readonly [Name in keyof Required<JwtVerifierOptions>]: OptionRule } = {
  issuers: { is: 'a list of at least one issuer', allows: isSome },
  audience: audienceRule,
  algorithms: texts,
  clockTolerance: toleranceRule,
  requiredClaims: texts,
  typ: someTexts,
  scopeClaim: text,
  keyMaxAge: positive,
  cacheMaxAge: notNegative,
  http: object,
};

const owner = 'jwtVerifier';

/** @throws TypeError or RangeError if an option is invalid. */
export function checkedJwtVerifierOptions(options: JwtVerifierOptions): JwtVerifierSettings {
  requireOptions(owner, options, rules);
  const { issuers, audience, requiredClaims = [], scopeClaim, http } = options;
  const { typ = ['at+jwt', 'JWT'], clockTolerance = 30_000 } = options;
  const { keyMaxAge = 600_000, cacheMaxAge = 60_000 } = options;
  return {
    issuers: issuers?.map(checkedIssuer),
    audiences: typeof audience === 'string' ? [audience] : audience,
    algorithms: requireAlgorithms(owner, options.algorithms),
    ...{ clockTolerance, requiredClaims, keyMaxAge, cacheMaxAge, http },
    types: new Set(typ.map(typeName)),
    scopeClaims: scopeClaim === undefined ? ['scope', 'scp'] : [scopeClaim],
  };
}

const issuerRules = { issuer: text, jwksUri: text, jwks: object };

function checkedIssuer(given: string | TokenIssuer): TokenIssuer {
  const issuer = typeof given === 'string' ? { issuer: given } : given;
  requireOptions(`${owner}: issuers`, issuer, issuerRules);
  requireIssuer(owner, issuer.issuer);
  if (issuer.jwksUri !== undefined) requireAddress(`${owner}: jwksUri`, issuer.jwksUri);
  if (issuer.jwks === undefined) return issuer;
  if (issuer.jwksUri !== undefined)
    throw new TypeError(`${owner}: set either jwks or jwksUri for an issuer, not both.`);
  if (new LocalKeySet(issuer.jwks).size > 0) return issuer;
  throw new TypeError(`${owner}: jwks contains no usable public key.`);
}
