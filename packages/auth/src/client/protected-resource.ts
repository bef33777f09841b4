/**
 * What a protected server says of itself, checked.
 * https://www.rfc-editor.org/rfc/rfc9728#section-2
 */
export interface ProtectedResource {
  /** The identifier that tokens are asked for: the `resource` of every request for a token. */
  readonly resource: string;
  /** Issuers, in the order they stand; at least one. */
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
  /** Every token must be bound to a key. */
  readonly dpopBound: boolean;
}
