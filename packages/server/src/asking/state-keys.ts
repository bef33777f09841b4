import { fromBase64Url } from '../base64.js';

/** A secret of 32 bytes: the bytes, or base64, base64url or hex text of them. */
export type StateKey = Uint8Array | string;

/** The bytes of state keys, current first. */
export type Secrets = readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]];

/** Bytes of a state key. */
export const keyBytes = 32;
const hexKey = /^[0-9a-f]{64}$/i;

/**
 * The secrets of keys, in their order.
 * @throws TypeError or RangeError for anything that is not a key of 32 bytes, and for an empty list.
 */
export function secretsOf(keys: readonly StateKey[]): Secrets {
  if (!Array.isArray(keys)) throw new TypeError('stateKeys must be a list of keys.');
  const [current, ...old] = keys.map(secretOf);
  if (current === undefined) throw new RangeError('stateKeys must hold at least one key.');
  return [current, ...old];
}

// What is said of a bad key must not tell the key.
function secretOf(key: StateKey, index: number): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? fromText(key) : key;
  if (bytes !== undefined && !(bytes instanceof Uint8Array)) {
    throw new TypeError(`stateKeys[${index}] must be a Uint8Array, or base64 or hex text.`);
  }
  if (bytes?.length !== keyBytes) {
    throw new RangeError(`stateKeys[${index}] must be ${keyBytes} bytes, or base64 or hex text of as many.`);
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
