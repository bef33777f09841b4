import { createHash, type webcrypto } from 'node:crypto';

/** A key that nobody else knows, and what can be signed with it: whatever its header and claims say. */
export class OwnKey {
  readonly #private: webcrypto.CryptoKey;
  /** Its public part. */
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

  /** Its private part, which is in no proof. */
  async secret(): Promise<webcrypto.JsonWebKey> {
    return crypto.subtle.exportKey('jwk', this.#private);
  }

  /** By which tokens are bound to it. https://www.rfc-editor.org/rfc/rfc7638 */
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

/** JSON as it stands in a JWT; a text as it is. */
export function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
