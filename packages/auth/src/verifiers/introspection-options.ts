import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { requireIssuer } from '../http/endpoint-url.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { requireClientKey } from '../oauth/client-assertion.js';
import type { ClientInformation } from '../oauth/client-information.js';
import { audienceRule, requireAddress, toleranceRule } from './option-rules.js';

/** Options of {@link introspectionVerifier}. Times in milliseconds. */
export interface IntrospectionVerifierOptions {
  /** The `introspection_endpoint`. */
  readonly endpoint: string;
  /** This server's client at the authorization server, with a secret or a key. */
  readonly client: ClientInformation;
  /** The issuer of the tokens. Default: the only authorization server of the protected server. */
  readonly issuer?: string;
  /** The value that `aud` must contain, exactly; or several, of which it must contain one. Default: the protected resource. */
  readonly audience?: string | readonly string[];
  /** True if the endpoint knows only tokens of this resource, so that responses need no `aud`. Default: false. */
  readonly onlyThisResource?: boolean;
  /** Time that clocks may differ, up to 300,000. Default: 30,000. */
  readonly clockTolerance?: number;
  /** Members that responses must have in addition to a caller. */
  readonly requiredClaims?: readonly string[];
  /** The member with the scopes. Default: `scope`, or else `scp`. */
  readonly scopeClaim?: string;
  /** Time that a valid token is cached, at most until it expires. Default: 60,000; 0 for no cache. */
  readonly cacheMaxAge?: number;
  /** Time that an invalid token is cached. Default: 10,000; 0 for no cache. */
  readonly badMaxAge?: number;
  /** Valid tokens in the cache, at most, and as many invalid ones. Default: 10,000. */
  readonly cacheEntries?: number;
  /** Requests at the same time. Default: 16. */
  readonly concurrency?: number;
  /** Tokens that wait for a request, at most. Default: 1,024. */
  readonly waiting?: number;
  /** Sends the requests. Default: bounded, over https or to this machine. */
  readonly http?: OauthHttp;
}

/** Options with defaults. */
export interface IntrospectionSettings
  extends Required<
    Omit<IntrospectionVerifierOptions, 'endpoint' | 'issuer' | 'audience' | 'scopeClaim' | 'http'>
  > {
  readonly endpoint: URL;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[] | undefined;
  readonly scopeClaims: readonly string[];
  readonly http: OauthHttp | undefined;
}

const owner = 'introspectionVerifier';
const { positive, notNegative, flag, text, texts, object } = optionRules;

const rules: { readonly [Name in keyof Required<IntrospectionVerifierOptions>]: OptionRule } = {
  endpoint: text,
  client: object,
  issuer: text,
  audience: audienceRule,
  onlyThisResource: flag,
  clockTolerance: toleranceRule,
  requiredClaims: texts,
  scopeClaim: text,
  cacheMaxAge: notNegative,
  badMaxAge: notNegative,
  cacheEntries: positive,
  concurrency: positive,
  waiting: notNegative,
  http: object,
};

/** @throws TypeError or RangeError if an option is invalid. */
export function checkedIntrospectionOptions(options: IntrospectionVerifierOptions): IntrospectionSettings {
  requireOptions(owner, options, rules);
  const { client, issuer, audience, scopeClaim, http } = options;
  if (issuer !== undefined) requireIssuer(owner, issuer);
  requireConfidential(client);
  const { onlyThisResource = false, clockTolerance = 30_000, requiredClaims = [] } = options;
  const { cacheMaxAge = 60_000, badMaxAge = 10_000 } = options;
  const { cacheEntries = 10_000, concurrency = 16, waiting = 1_024 } = options;
  return {
    endpoint: requireAddress(`${owner}: endpoint`, options.endpoint),
    audiences: typeof audience === 'string' ? [audience] : audience,
    scopeClaims: scopeClaim === undefined ? ['scope', 'scp'] : [scopeClaim],
    ...{ client, issuer, http, onlyThisResource, clockTolerance, requiredClaims },
    ...{ cacheMaxAge, badMaxAge, cacheEntries, concurrency, waiting },
  };
}

/** Rejects a client without credentials. https://www.rfc-editor.org/rfc/rfc7662#section-2.1 */
function requireConfidential(client: ClientInformation | undefined): void {
  if (client?.key !== undefined) requireClientKey(owner, client.key);
  const hasMeans = client?.key !== undefined || text.allows(client?.clientSecret);
  if (text.allows(client?.clientId) && hasMeans && client?.authMethod !== 'none') return;
  throw new TypeError(
    `${owner}: client must have a clientId, and a clientSecret or a key to authenticate with.`,
  );
}
