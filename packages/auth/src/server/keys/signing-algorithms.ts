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
