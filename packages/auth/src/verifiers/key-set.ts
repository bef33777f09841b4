import { isObject } from '@tenon/mcp-protocol/internal';
import type { CryptoKey, createLocalJWKSet, JWK, JWSHeaderParameters } from 'jose';
import { publicJwk } from '../oauth/public-jwk.js';

/** The members of a token's header that select its key. Other members that refer to keys are ignored. */
export type KeyHint = Pick<JWSHeaderParameters, 'alg' | 'kid'>;

/** The public keys of one issuer. */
export interface KeySet {
  /**
   * Returns the keys that may have made a signature, usually one; none if the issuer has no such key.
   * @throws AuthError `unreachable` if the keys cannot be fetched.
   */
  find(hint: KeyHint): Promise<readonly CryptoKey[]>;
}

// Keys to try for a token without a key id; issuers with more keys of one type name them.
const mostTried = 4;

/** Keys of one issuer. */
const mostKeys = 100;

/** A JWK Set from the options, or one that was fetched. */
export class LocalKeySet implements KeySet {
  readonly #keys: readonly JWK[];
  #find: ReturnType<typeof createLocalJWKSet> | undefined;
  /** The number of usable keys. */
  readonly size: number;

  /**
   * @param document - a JWK Set; keys in it that are not public, or of an unknown type, are ignored.
   * @throws TypeError if it is not a JWK Set, or has too many keys.
   */
  constructor(document: unknown) {
    if (!isObject(document) || !Array.isArray(document.keys))
      throw new TypeError('The document is not a JWK Set.');
    if (document.keys.length > mostKeys) {
      throw new TypeError(`The JWK Set has ${document.keys.length} keys, and ${mostKeys} are allowed.`);
    }
    this.#keys = document.keys.map(publicJwk).filter((key): key is JWK => key !== undefined);
    this.size = this.#keys.length;
  }

  async find({ alg, kid }: KeyHint): Promise<readonly CryptoKey[]> {
    const header = { ...(alg !== undefined && { alg }), ...(kid !== undefined && { kid }) };
    const { createLocalJWKSet, JWKSMultipleMatchingKeys } = await import('./jose.js');
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
