import type { JSONWebKeySet } from 'jose';

/** Methods of client authentication at the token endpoint. */
export type TestClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** A client registered with a test authorization server. */
export interface TestClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Name on the consent page. Default: the id. */
  readonly name?: string | undefined;
  /** Allowed redirect URIs, compared as written; the port of an http URI on this machine may differ. Default: none. */
  readonly redirectUris?: readonly string[] | undefined;
  /** Default: a method that fits the client's secret (in either form) or keys, else `none`. */
  readonly authMethod?: TestClientAuthMethod | undefined;
  /** Public keys that verify the client's assertions. */
  readonly jwks?: JSONWebKeySet | undefined;
  /** Values of `grant_type` the client may use. Default: all. */
  readonly grantTypes?: readonly string[] | undefined;
  /** Scopes the client may request. Default: all. */
  readonly scopes?: readonly string[] | undefined;
  /** The application type from the registration. */
  readonly applicationType?: string | undefined;
  /** True if the client's tokens must be bound to a key by DPoP. */
  readonly dpopBound?: boolean | undefined;
  /** Expiry of the secret, in milliseconds since 1970. Default: never. */
  readonly secretExpiresAt?: number | undefined;
}
