/** The access a user or client granted, shared by all tokens issued for it. */
export interface Grant {
  /** The `grant_type` of the first token. */
  readonly type: string;
  readonly clientId: string | undefined;
  /** Undefined if a client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The nonce for the ID token. */
  readonly nonce?: string | undefined;
  /** Thumbprint of the key the refresh tokens are bound to. */
  refreshKey?: string | undefined;
  revoked: boolean;
}
