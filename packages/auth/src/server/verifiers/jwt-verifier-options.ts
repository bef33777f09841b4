import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { JSONWebKeySet } from 'jose';
import { requireIssuer } from '../../client/issuer-pin.js';
import type { OauthHttp } from '../../http/oauth-http.js';
import { toleranceRule } from '../clock-tolerance.js';
import { requireAlgorithms, type SigningAlgorithm } from '../signing-algorithms.js';
import { requireAddress } from '../trusted-address.js';
import { audienceRule } from './audience-rule.js';
import { LocalKeySet } from './key-set.js';
import { typeName } from './token-type.js';

/** An authorization server whose tokens are taken, and where its keys are. */
export interface TokenIssuer {
  /** Compared letter for letter with the claim `iss`. */
  readonly issuer: string;
  /** Where its keys are. Default: what its metadata says. */
  readonly jwksUri?: string | undefined;
  /** Its keys themselves; nothing is fetched then. */
  readonly jwks?: JSONWebKeySet | undefined;
}

/** What tokens have to be. Times in milliseconds. */
export interface JwtVerifierOptions {
  /** Whose tokens are taken. Default: those of the authorization servers that the server names. */
  readonly issuers?: readonly (string | TokenIssuer)[];
  /** What `aud` must contain, letter for letter; one of them where there are several. Default: the resource that is protected. */
  readonly audience?: string | readonly string[];
  /** Signatures that are taken. Default: all with a private key; others can never be. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /** How far clocks may be apart, up to 300,000. Default 30,000. */
  readonly clockTolerance?: number;
  /** Claims that must be there besides `iss`, `aud`, `exp` and a caller. */
  readonly requiredClaims?: readonly string[];
  /**
   * What the header `typ` may say; `JWT` also stands for a token that says nothing. Default: `at+jwt` and `JWT`, and none of
   * the latter that holds what only ID tokens and the like do.
   */
  readonly typ?: readonly string[];
  /** The claim that holds the scopes. Default: `scope`, else `scp`. */
  readonly scopeClaim?: string;
  /** How long fetched keys are used; `Cache-Control` may shorten it, down to `keyCooldown`. Default 600,000. */
  readonly keyMaxAge?: number;
  /** How much longer they are used when they cannot be fetched anew. Default 3,600,000. */
  readonly keyStaleFor?: number;
  /** Between two fetches because of keys that are unknown. Default 30,000. */
  readonly keyCooldown?: number;
  /** Keys of one issuer, at most. Default 100. */
  readonly maxKeys?: number;
  /** How long a token that was found good is not checked again, and never longer than it is good. Default 60,000; 0 for not at all. */
  readonly cacheMaxAge?: number;
  /** Tokens that are remembered so. Default 10,000. */
  readonly cacheEntries?: number;
  /** Fetches keys and metadata. Default: over https, or from this machine, bounded. */
  readonly http?: OauthHttp;
}

/** Options with their defaults. */
export interface JwtVerifierSettings {
  readonly issuers: readonly TokenIssuer[] | undefined;
  readonly audiences: readonly string[] | undefined;
  readonly algorithms: ReadonlySet<string>;
  readonly clockTolerance: number;
  readonly requiredClaims: readonly string[];
  /** In lower case, without `application/`. */
  readonly types: ReadonlySet<string>;
  readonly scopeClaims: readonly string[];
  readonly keyMaxAge: number;
  readonly keyStaleFor: number;
  readonly keyCooldown: number;
  readonly maxKeys: number;
  readonly cacheMaxAge: number;
  readonly cacheEntries: number;
  readonly http: OauthHttp | undefined;
}

const { positive, notNegative, text, texts, object } = optionRules;

const isSome = (value: unknown) => Array.isArray(value) && value.length > 0;

const someTexts: OptionRule = {
  is: 'a list of at least one text',
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
  keyStaleFor: notNegative,
  keyCooldown: positive,
  maxKeys: positive,
  cacheMaxAge: notNegative,
  cacheEntries: positive,
  http: object,
};

const owner = 'jwtVerifier';

/** @throws TypeError or RangeError for options that cannot work. */
export function checkedJwtVerifierOptions(options: JwtVerifierOptions): JwtVerifierSettings {
  requireOptions(owner, options, rules);
  const { issuers, audience, requiredClaims = [], scopeClaim, http, maxKeys = 100 } = options;
  const { typ = ['at+jwt', 'JWT'], clockTolerance = 30_000 } = options;
  const { keyMaxAge = 600_000, keyStaleFor = 3_600_000, keyCooldown = 30_000 } = options;
  const { cacheMaxAge = 60_000, cacheEntries = 10_000 } = options;
  return {
    issuers: issuers?.map((issuer) => checkedIssuer(issuer, maxKeys)),
    audiences: typeof audience === 'string' ? [audience] : audience,
    algorithms: requireAlgorithms(owner, options.algorithms),
    ...{ clockTolerance, requiredClaims, keyMaxAge, keyStaleFor, keyCooldown, maxKeys },
    types: new Set(typ.map(typeName)),
    scopeClaims: scopeClaim === undefined ? ['scope', 'scp'] : [scopeClaim],
    ...{ cacheMaxAge, cacheEntries, http },
  };
}

const issuerRules = { issuer: text, jwksUri: text, jwks: object };

function checkedIssuer(given: string | TokenIssuer, maxKeys: number): TokenIssuer {
  const issuer = typeof given === 'string' ? { issuer: given } : given;
  requireOptions(`${owner}: issuers`, issuer, issuerRules);
  requireIssuer(owner, issuer.issuer);
  if (issuer.jwksUri !== undefined) requireAddress(`${owner}: jwksUri`, issuer.jwksUri);
  if (issuer.jwks === undefined) return issuer;
  if (issuer.jwksUri !== undefined)
    throw new TypeError(`${owner}: an issuer takes jwks or jwksUri, not both.`);
  if (new LocalKeySet(issuer.jwks, maxKeys).size > 0) return issuer;
  throw new TypeError(`${owner}: jwks holds no public key that can be used.`);
}
