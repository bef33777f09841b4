import { isObject } from '@tenon/mcp-protocol/internal';
import type { CryptoKey, createLocalJWKSet, JWK, JWSHeaderParameters } from 'jose';
import { publicJwk } from '../public-jwk.js';

/** The part of a token's header that says which key signed it. All else in a header that leads to keys is not looked at. */
export type KeyHint = Pick<JWSHeaderParameters, 'alg' | 'kid'>;

/** The public keys of one issuer. */
export interface KeySet {
  /**
   * The keys that may have made a signature, most often one; none when the issuer has no such key.
   * @throws AuthError `unreachable` when that cannot be told.
   */
  find(hint: KeyHint): Promise<readonly CryptoKey[]>;
}

// A token that names no key is tried with as many; issuers with more keys of one kind name them.
const mostTried = 4;

/** Public keys that are known. */
export class LocalKeySet implements KeySet {
  readonly #keys: readonly JWK[];
  #find: ReturnType<typeof createLocalJWKSet> | undefined;
  /** Keys that can be used. */
  readonly size: number;

  /**
   * @param document - a JWK Set; keys in it that are not public, or not understood, are ignored.
   * @param most - keys, at most.
   * @throws TypeError when it is none, or holds more keys.
   */
  constructor(document: unknown, most: number) {
    if (!isObject(document) || !Array.isArray(document.keys)) throw new TypeError('This is no JWK Set.');
    if (document.keys.length > most) {
      throw new TypeError(`The JWK Set holds ${document.keys.length} keys, and ${most} are allowed.`);
    }
    this.#keys = document.keys.map(publicJwk).filter((key): key is JWK => key !== undefined);
    this.size = this.#keys.length;
  }

  async find({ alg, kid }: KeyHint): Promise<readonly CryptoKey[]> {
    const header = { ...(alg !== undefined && { alg }), ...(kid !== undefined && { kid }) };
    const { createLocalJWKSet, JWKSMultipleMatchingKeys } = await import('../jose.js');
    this.#find ??= createLocalJWKSet({ keys: [...this.#keys] });
    try {
      return [await this.#find(header)];
    } catch (error) {
      if (!(error instanceof JWKSMultipleMatchingKeys)) return [];
      const several: CryptoKey[] = [];
      for await (const key of error) if (several.push(key) === mostTried) break;
      return several;
    }
  }
}
