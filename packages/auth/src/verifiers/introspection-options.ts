import { constantsOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { requireIssuer } from '../http/endpoint-url.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { requireClientKey } from '../oauth/client-assertion.js';
import type { ClientInformation } from '../oauth/client-information.js';
import { audienceRule, requireAddress } from './option-rules.js';

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
  /** Members that responses must have in addition to a caller. */
  readonly requiredClaims?: readonly string[];
  /** The member with the scopes. Default: `scope`, or else `scp`. */
  readonly scopeClaim?: string;
  /** Time that a valid token is cached, at most until it expires. Default: 60,000; 0 for no cache. Lower it if a revoked token must be refused sooner. */
  readonly cacheMaxAge?: number;
  /** Sends the requests. Default: bounded, over https or to this machine. */
  readonly http?: OauthHttp;
}

const bounds = {
  /** Valid tokens in the cache, and as many invalid ones. */
  cacheEntries: 10_000,
  /** Requests at the same time. */
  concurrency: 16,
  /** Tokens that wait for a request. */
  waiting: 1_024,
};

/** Options with defaults. */
export interface IntrospectionSettings
  extends Required<
    Omit<IntrospectionVerifierOptions, 'endpoint' | 'issuer' | 'audience' | 'scopeClaim' | 'http'>
  > {
  readonly bounds: typeof bounds;
  readonly endpoint: URL;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[] | undefined;
  readonly scopeClaims: readonly string[];
  readonly http: OauthHttp | undefined;
}

const owner = 'introspectionVerifier';
const { notNegative, flag, text, texts, object } = optionRules;

const rules: { readonly [Name in keyof Required<IntrospectionVerifierOptions>]: OptionRule } = {
  endpoint: text,
  client: object,
  issuer: text,
  audience: audienceRule,
  onlyThisResource: flag,
  requiredClaims: texts,
  scopeClaim: text,
  cacheMaxAge: notNegative,
  http: object,
};

/** @throws TypeError or RangeError if an option is invalid. */
export function checkedIntrospectionOptions(options: IntrospectionVerifierOptions): IntrospectionSettings {
  requireOptions(owner, options, rules);
  const { client, issuer, audience, scopeClaim, http } = options;
  if (issuer !== undefined) requireIssuer(owner, issuer);
  requireConfidential(client);
  const { onlyThisResource = false, requiredClaims = [], cacheMaxAge = 60_000 } = options;
  return {
    endpoint: requireAddress(`${owner}: endpoint`, options.endpoint),
    audiences: typeof audience === 'string' ? [audience] : audience,
    scopeClaims: scopeClaim === undefined ? ['scope', 'scp'] : [scopeClaim],
    ...{ client, issuer, http, onlyThisResource, requiredClaims, cacheMaxAge },
    bounds: constantsOf(bounds, options),
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
