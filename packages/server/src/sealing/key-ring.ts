import { toBase64Url } from '@tenon/foundation';
import { keyBytes, type SecretBytes } from '@tenon/mcp-session/internal';

type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** A key ready for use, and its id in sealed text. */
export interface RingKey {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

export const keyIdBytes = 6;

/** Keys that seal and open. Methods reject with RpcError overloaded if the keys cannot be read. */
export interface KeyRing {
  /** Returns the key that seals. */
  current(): Promise<RingKey>;
  /** Returns the key of that id, if it is in the ring. */
  find(id: Uint8Array): Promise<RingKey | undefined>;
}

/** Keys in a fixed order, newest first. */
export type RingKeys = readonly [RingKey, ...RingKey[]];

/** Keys that this process has from its start; each is imported once, on first use. */
export class FixedKeyRing implements KeyRing {
  readonly #secrets: SecretBytes | undefined;
  #imported: Promise<RingKeys> | undefined;

  /** @param secrets - the first seals, all open. Default: a random key that lives as long as the process. */
  constructor(secrets: SecretBytes | undefined) {
    this.#secrets = secrets;
  }

  async current(): Promise<RingKey> {
    return (await this.#keys())[0];
  }

  async find(id: Uint8Array): Promise<RingKey | undefined> {
    return keyOf(await this.#keys(), id);
  }

  #keys(): Promise<RingKeys> {
    // Not in the constructor: some runtimes have no randomness while modules are loaded.
    this.#imported ??= importKeys(this.#secrets ?? [randomSecret()]);
    return this.#imported;
  }
}

/** Returns the key of that id. */
export function keyOf(keys: RingKeys, id: Uint8Array): RingKey | undefined {
  const wanted = toBase64Url(id);
  return keys.find((one) => toBase64Url(one.id) === wanted);
}

/** Imports secrets, in their order. */
export async function importKeys([first, ...others]: SecretBytes): Promise<RingKeys> {
  return Promise.all([importKey(first), ...others.map(importKey)]);
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
