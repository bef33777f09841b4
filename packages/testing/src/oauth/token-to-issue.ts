import type { JsonValue } from '@tenon/mcp-protocol';

/**
 * How a token is signed: `right`; `none` by nobody; `hs256-public-key` by the public key as if it were a secret;
 * `wrong-key` by a key nobody knows, under the name of the right one; `broken` with a signature that was tampered with.
 */
export type TestSignature = 'right' | 'none' | 'hs256-public-key' | 'wrong-key' | 'broken';

/** A token that a test wants, as right or as wrong as it likes. */
export interface TokenToIssue {
  /** Sets `typ`, lifetime and claims. Default `access`. */
  readonly kind?: 'access' | 'id' | 'id-jag';
  /** Default: what the server issues. Access tokens alone can be opaque. */
  readonly format?: 'jwt' | 'opaque';
  /** Default `user`. */
  readonly subject?: string;
  /** Default `client`. */
  readonly clientId?: string;
  /** Default: the server's `audience` option, else the issuer. */
  readonly audience?: string | readonly string[];
  readonly scopes?: readonly string[];
  /** Milliseconds from now; negative for one that has expired. */
  readonly lifetime?: number;
  /** Stand in the place of the claims there would be; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, JsonValue | undefined>>;
  /** Stand in the place of the header there would be; undefined leaves one out, such as `kid`. */
  readonly header?: Readonly<Record<string, JsonValue | undefined>>;
  /** Default `right`. */
  readonly signature?: TestSignature;
}
