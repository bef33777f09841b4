import { fromBase64Url, toBase64Url } from '../base64.js';

/** A secret of 32 bytes: the bytes, or base64, base64url or hex text of them. */
export type StateKey = Uint8Array | string;

type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** A key ready for use, and the name it goes by in sealed text. */
export interface RingKey {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

export const keyIdBytes = 6;
const keyBytes = 32;
const hexKey = /^[0-9a-f]{64}$/i;

/** Keys that seal and open; each is imported once, on first use. */
export class KeyRing {
  readonly #secrets: readonly Uint8Array<ArrayBuffer>[] | undefined;
  #imported: Promise<readonly [RingKey, ...RingKey[]]> | undefined;

  /**
   * @param keys - the first seals, all open; none given means a random key that lives as long as the process.
   * @throws TypeError or RangeError for anything that is not a key of 32 bytes, and for an empty list.
   */
  constructor(keys: readonly StateKey[] | undefined) {
    this.#secrets = keys === undefined ? undefined : secretsOf(keys);
  }

  /** The key that seals. */
  async current(): Promise<RingKey> {
    return (await this.#keys())[0];
  }

  /** The key of that id, if it is in the ring. */
  async find(id: Uint8Array): Promise<RingKey | undefined> {
    const wanted = toBase64Url(id);
    return (await this.#keys()).find((one) => toBase64Url(one.id) === wanted);
  }

  #keys(): Promise<readonly [RingKey, ...RingKey[]]> {
    // Not in the constructor: some runtimes give no randomness while modules are loaded.
    this.#imported ??= Promise.all((this.#secrets ?? [randomSecret()]).map(importKey)) as unknown as Promise<
      [RingKey, ...RingKey[]]
    >;
    return this.#imported;
  }
}

/**
 * The secrets of keys, in their order.
 * @throws TypeError or RangeError for anything that is not a key of 32 bytes, and for an empty list.
 */
function secretsOf(keys: readonly StateKey[]): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] {
  if (!Array.isArray(keys)) throw new TypeError('stateKeys must be a list of keys.');
  const [current, ...old] = keys.map(secretOf);
  if (current === undefined) throw new RangeError('stateKeys must hold at least one key.');
  return [current, ...old];
}

function randomSecret(): Uint8Array<ArrayBuffer> {
  return globalThis.crypto.getRandomValues(new Uint8Array(keyBytes));
}

async function importKey(secret: Uint8Array<ArrayBuffer>): Promise<RingKey> {
  const { subtle } = globalThis.crypto;
  const label = new TextEncoder().encode('tenon request state key id');
  const named = new Uint8Array([...label, ...secret]);
  const [digest, key] = await Promise.all([
    subtle.digest('SHA-256', named),
    subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']),
  ]);
  return { id: new Uint8Array(digest, 0, keyIdBytes).slice(), key };
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
