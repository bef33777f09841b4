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
