import type { CryptoKey, JWK } from 'jose';

/** Methods by which a client authenticates at a token endpoint. */
export type ClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** The key that a client signs its assertions with. */
export interface ClientKey {
  /** PKCS #8 PEM, a JWK, or a key of WebCrypto. */
  readonly key: string | JWK | CryptoKey;
  /** The signature algorithm, such as ES256; required unless a JWK contains it. */
  readonly alg?: string;
  readonly kid?: string;
  /**
   * The audience of the assertions: the issuer by default. Use the URL of the token endpoint only for authorization servers that
   * require it.
   */
  readonly audience?: 'issuer' | 'token-endpoint';
  /** The `typ` of the assertions, by default `client-authentication+jwt`; use `JWT` only for servers that require it. */
  readonly typ?: 'client-authentication+jwt' | 'JWT';
}

/** A client that is registered at one authorization server. */
export interface ClientInformation {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Expiry of the secret, in milliseconds since 1970; undefined for never. */
  readonly secretExpiresAt?: number | undefined;
  readonly key?: ClientKey | undefined;
  /** The authentication method; default: the safest one that client and server have. */
  readonly authMethod?: ClientAuthMethod | undefined;
  /** Redirect URIs of a dynamic registration to which users can return; undefined for other clients. */
  readonly redirectUris?: readonly string[] | undefined;
}
