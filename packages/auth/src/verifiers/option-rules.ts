import { type OptionRule, optionRules } from '@tenon/foundation';
import { secureUrl } from '../http/url-host.js';

/** Milliseconds that clocks may differ. */
export const clockTolerance = 30_000;

/** The rule of clock tolerances: a clock that is wrong by more than minutes should be set. */
export const toleranceRule: OptionRule = {
  is: 'a number of milliseconds from 0 to 300,000',
  allows: (value) => typeof value === 'number' && value >= 0 && value <= 300_000,
};

/**
 * Returns a URL that secrets may be sent to, or that is trusted.
 * @param owner - the option with this URL, for errors.
 * @throws TypeError if it is neither https nor on this machine, or has credentials or a fragment.
 */
export function requireAddress(owner: string, address: string): URL {
  const url = secureUrl(address);
  if (url !== undefined) return url;
  throw new TypeError(
    `${owner} must be an https address, or one on this machine, without credentials and fragment.`,
  );
}

const { text, texts } = optionRules;

/** One audience, or a list of at least one. */
export const audienceRule: OptionRule = {
  is: 'a string, or a list of at least one string',
  allows: (value) => text.allows(value) || (texts.allows(value) && (value as readonly string[]).length > 0),
};

/**
 * Returns the values of `aud` in tokens for a resource: its identifier. For an origin, also the identifier with a trailing
 * slash, because clients request either.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#canonical-server-uri
 */
export function audiencesOf(resource: string): readonly string[] {
  const { origin } = new URL(resource);
  return resource === origin || resource === `${origin}/` ? [origin, `${origin}/`] : [resource];
}

/** Signature algorithms with a private and a public key. */
export const signingAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;

/** One of {@link signingAlgorithms}. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/**
 * Returns the algorithms of an option; all of them if it is not set.
 * @param owner - the function with this option, for errors.
 * @throws TypeError if the list is empty or contains `none`, an HMAC or an unknown name.
 */
export function requireAlgorithms(
  owner: string,
  given: readonly SigningAlgorithm[] = signingAlgorithms,
): ReadonlySet<string> {
  const known: ReadonlySet<string> = new Set(signingAlgorithms);
  if (given.length > 0 && given.every((name) => known.has(name))) return new Set(given);
  throw new TypeError(`${owner}: algorithms must be one or more of ${signingAlgorithms.join(', ')}.`);
}
