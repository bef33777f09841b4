import type { JSONWebKeySet } from 'jose';

/** Ways in which a client proves at the token endpoint who it is. */
export type TestClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** A client as a test authorization server knows it. */
export interface TestClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Shown on the consent page; the id by default. */
  readonly name?: string | undefined;
  /** Compared as they are written; of an http address on this machine any port will do. None by default. */
  readonly redirectUris?: readonly string[] | undefined;
  /** By default a way that fits: its secret in either form, its keys, else none. */
  readonly authMethod?: TestClientAuthMethod | undefined;
  /** Public keys its assertions are verified with. */
  readonly jwks?: JSONWebKeySet | undefined;
  /** Values of `grant_type` it may use; all by default. */
  readonly grantTypes?: readonly string[] | undefined;
  /** Scopes it may have; all by default. */
  readonly scopes?: readonly string[] | undefined;
  /** As it was registered. */
  readonly applicationType?: string | undefined;
  /** Its tokens must be bound to a key by DPoP. */
  readonly dpopBound?: boolean | undefined;
  /** When its secret expires, in milliseconds since 1970; never by default. */
  readonly secretExpiresAt?: number | undefined;
}
