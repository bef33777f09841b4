import { toBase64Url } from '../base64.js';
import { keyBytes, type Secrets } from './state-keys.js';

type CryptoKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** A key ready for use, and the name it goes by in sealed text. */
export interface RingKey {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

export const keyIdBytes = 6;

/** Keys that seal and open; each is imported once, on first use. */
export class KeyRing {
  readonly #secrets: Secrets | undefined;
  #imported: Promise<readonly [RingKey, ...RingKey[]]> | undefined;

  /** @param secrets - the first seals, all open; none given means a random key that lives as long as the process. */
  constructor(secrets: Secrets | undefined) {
    this.#secrets = secrets;
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
