import { createHash, type webcrypto } from 'node:crypto';

/** A private key unknown to the others, for signing any header and claims. */
export class OwnKey {
  readonly #private: webcrypto.CryptoKey;
  /** The public key. */
  readonly jwk: Readonly<Record<string, string>>;

  private constructor(own: webcrypto.CryptoKey, jwk: OwnKey['jwk']) {
    this.#private = own;
    this.jwk = jwk;
  }

  static async create(): Promise<OwnKey> {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
    return new OwnKey(privateKey, { crv, kty, x, y });
  }

  /** The private key, which no proof contains. */
  async secret(): Promise<webcrypto.JsonWebKey> {
    return crypto.subtle.exportKey('jwk', this.#private);
  }

  /** The thumbprint that binds tokens to this key. https://www.rfc-editor.org/rfc/rfc7638 */
  get thumbprint(): string {
    return hashed(JSON.stringify(this.jwk));
  }

  async sign(header: object, claims: object): Promise<string> {
    const input = `${encoded(header)}.${encoded(claims)}`;
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = await crypto.subtle.sign(algorithm, this.#private, Buffer.from(input));
    return `${input}.${Buffer.from(signature).toString('base64url')}`;
  }
}

/** Returns JSON encoded for a JWT; encodes a text unchanged. */
export function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
