import type { CryptoKey, JWK } from 'jose';

/** Ways a client proves to a token endpoint who it is. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** The key a client signs its assertions with. */
export interface ClientKey {
  /** PKCS #8 PEM, a JWK, or a key of WebCrypto. */
  readonly key: string | JWK | CryptoKey;
  /** Such as ES256; needed unless a JWK tells. */
  readonly alg?: string;
  readonly kid?: string;
  /**
   * Whom its assertions name as their audience: the issuer, by default. The address of the token endpoint is for
   * authorization servers that take nothing else.
   */
  readonly audience?: 'issuer' | 'token-endpoint';
  /** The `typ` of its assertions, by default `client-authentication+jwt`; `JWT` is for servers that take nothing else. */
  readonly typ?: 'client-authentication+jwt' | 'JWT';
}

/** A client as one authorization server knows it. */
export interface ClientInformation {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** When the secret expires, in milliseconds since 1970; undefined for never. */
  readonly secretExpiresAt?: number | undefined;
  readonly key?: ClientKey | undefined;
  /** How it is to authenticate; chosen by what both have where it is undefined. */
  readonly authMethod?: ClientAuthMethod | undefined;
}
