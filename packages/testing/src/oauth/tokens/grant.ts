/** What somebody allowed a client: all tokens that come of it share it. */
export interface Grant {
  /** The `grant_type` it began with. */
  readonly type: string;
  readonly clientId: string | undefined;
  /** Undefined where a client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** Goes into the ID token. */
  readonly nonce?: string | undefined;
  /** Thumbprint of the key its refresh tokens are bound to. */
  refreshKey?: string | undefined;
  revoked: boolean;
}
