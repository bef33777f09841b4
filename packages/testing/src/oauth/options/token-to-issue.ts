import type { JsonValue } from '@tenon/mcp-protocol';

/**
 * The signature of a token: `right`; `none` without a signature; `hs256-public-key` with the public key as an HMAC secret;
 * `wrong-key` with an unknown key under the `kid` of the right one; `broken` with a damaged signature.
 */
export type TestSignature = 'right' | 'none' | 'hs256-public-key' | 'wrong-key' | 'broken';

/** A valid or invalid token for a test. */
export interface TokenToIssue {
  /** Sets `typ`, lifetime and claims. Default `access`. */
  readonly kind?: 'access' | 'id' | 'id-jag';
  /** Default: the format the server issues. Only access tokens can be opaque. */
  readonly format?: 'jwt' | 'opaque';
  /** Default `user`. */
  readonly subject?: string;
  /** Default `client`. */
  readonly clientId?: string;
  /** Default: the server's `audience` option, else the issuer. */
  readonly audience?: string | readonly string[];
  readonly scopes?: readonly string[];
  /** Milliseconds from now; negative for an expired token. */
  readonly lifetime?: number;
  /** Replace the token's claims; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, JsonValue | undefined>>;
  /** Replace members of the token's header; undefined removes one, such as `kid`. */
  readonly header?: Readonly<Record<string, JsonValue | undefined>>;
  /** Default `right`. */
  readonly signature?: TestSignature;
}
