/** Signatures that are made with a private key and checked with a public one. */
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

/** Name of an algorithm of {@link signingAlgorithms}. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/**
 * The algorithms an option names, all there are where it is left out.
 * @param owner - what is given the option, as the message names it.
 * @throws TypeError for an empty list and for what is no signature with a private key: `none`, or any HMAC.
 */
export function requireAlgorithms(
  owner: string,
  given: readonly SigningAlgorithm[] = signingAlgorithms,
): ReadonlySet<string> {
  const known: ReadonlySet<string> = new Set(signingAlgorithms);
  if (given.length > 0 && given.every((name) => known.has(name))) return new Set(given);
  throw new TypeError(`${owner}: algorithms must be one or more of ${signingAlgorithms.join(', ')}.`);
}
