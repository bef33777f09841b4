import { fromBase64Url } from '@tenon/foundation';

/** A key of 32 bytes: the bytes, or base64, base64url or hex text of them. */
export type SecretKey = Uint8Array | string;

/** The bytes of keys, current first. */
export type SecretBytes = readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]];

/** Bytes of a key. */
export const keyBytes = 32;
const hexKey = /^[0-9a-f]{64}$/i;

/**
 * Returns the bytes of keys, in their order.
 * @param option - the option with the keys, for errors.
 * @throws TypeError or RangeError if a key does not have 32 bytes, or the list is empty.
 */
export function secretsOf(option: string, keys: readonly SecretKey[]): SecretBytes {
  if (!Array.isArray(keys)) throw new TypeError(`${option} must be a list of keys.`);
  const [current, ...old] = keys.map((key, index) => secretOf(`${option}[${index}]`, key));
  if (current === undefined) throw new RangeError(`${option} must contain at least one key.`);
  return [current, ...old];
}

// The error of a bad key must not contain the key.
function secretOf(name: string, key: SecretKey): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? fromText(key) : key;
  if (bytes !== undefined && !(bytes instanceof Uint8Array)) {
    throw new TypeError(`${name} must be a Uint8Array, or base64 or hex text.`);
  }
  if (bytes?.length !== keyBytes) {
    throw new RangeError(`${name} must be ${keyBytes} bytes, or base64 or hex text of as many.`);
  }
  return bytes.slice();
}

function fromText(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (hexKey.test(text))
    return Uint8Array.from({ length: keyBytes }, (_, at) =>
      Number.parseInt(text.slice(at * 2, at * 2 + 2), 16),
    );
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, ''));
}
