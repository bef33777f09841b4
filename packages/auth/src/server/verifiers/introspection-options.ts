import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { requireClientKey } from '../../client/client-assertion.js';
import type { ClientInformation } from '../../client/client-information.js';
import { requireIssuer } from '../../client/issuer-pin.js';
import type { OauthHttp } from '../../http/oauth-http.js';
import { toleranceRule } from '../clock-tolerance.js';
import { requireAddress } from '../trusted-address.js';
import { audienceRule } from './audience-rule.js';

/** Who is asked about tokens, and what they have to be. Times in milliseconds. */
export interface IntrospectionVerifierOptions {
  /** The `introspection_endpoint`. */
  readonly endpoint: string;
  /** This server as the authorization server knows it: with a secret or a key. */
  readonly client: ClientInformation;
  /** Who issues the tokens that the endpoint knows. Default: the only authorization server that the server names. */
  readonly issuer?: string;
  /** What `aud` must contain, letter for letter; one of them where there are several. Default: the resource that is protected. */
  readonly audience?: string | readonly string[];
  /** The endpoint knows tokens of this resource alone, so that it need not say whom one is for. Default false. */
  readonly onlyThisResource?: boolean;
  /** How far clocks may be apart, up to 300,000. Default 30,000. */
  readonly clockTolerance?: number;
  /** Members that answers must have besides a caller. */
  readonly requiredClaims?: readonly string[];
  /** The member that holds the scopes. Default: `scope`, else `scp`. */
  readonly scopeClaim?: string;
  /** How long a token counts as good without being asked about again, and never longer than it is good. Default 60,000; 0 for not at all. */
  readonly cacheMaxAge?: number;
  /** How long it counts as bad. Default 10,000; 0 for not at all. */
  readonly badMaxAge?: number;
  /** Good tokens that are remembered, and as many bad ones. Default 10,000. */
  readonly cacheEntries?: number;
  /** Requests under way at the same time. Default 16. */
  readonly concurrency?: number;
  /** Tokens that wait for one of those. Default 1,024. */
  readonly waiting?: number;
  /** Sends the requests. Default: over https, or to this machine, bounded. */
  readonly http?: OauthHttp;
}

/** Options with their defaults. */
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

/** @throws TypeError or RangeError for options that cannot work. */
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

/** Whoever may ask about tokens has to prove who he is. https://www.rfc-editor.org/rfc/rfc7662#section-2.1 */
function requireConfidential(client: ClientInformation | undefined): void {
  if (client?.key !== undefined) requireClientKey(owner, client.key);
  const hasMeans = client?.key !== undefined || text.allows(client?.clientSecret);
  if (text.allows(client?.clientId) && hasMeans && client?.authMethod !== 'none') return;
  throw new TypeError(
    `${owner}: client takes { clientId } and a clientSecret or a key, with which it may ask.`,
  );
}
