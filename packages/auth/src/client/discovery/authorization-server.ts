/**
 * The checked metadata of an authorization server: all URLs are https or on this machine, and `issuer` is the issuer that
 * was looked up.
 * https://www.rfc-editor.org/rfc/rfc8414#section-2
 */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL | undefined;
  readonly registrationEndpoint: URL | undefined;
  /** Absent if tokens cannot be revoked. https://www.rfc-editor.org/rfc/rfc7009 */
  readonly revocationEndpoint?: URL | undefined;
  /** The URL of the keys that its tokens are signed with. */
  readonly jwksUri: URL | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  readonly grantTypesSupported: readonly string[] | undefined;
  /** Only `client_secret_basic` if the metadata has no such member. */
  readonly tokenEndpointAuthMethods: readonly string[];
  readonly tokenEndpointAuthSigningAlgs: readonly string[] | undefined;
  /** Undefined if the metadata has no such member: the server then has no PKCE. */
  readonly codeChallengeMethods: readonly string[] | undefined;
  /** True if its authorization responses contain `iss`. */
  readonly issInResponse: boolean;
  /** True if it accepts the URL of a client id metadata document as client id. */
  readonly clientIdMetadataDocuments: boolean;
  readonly dpopSigningAlgs: readonly string[] | undefined;
  /** True if it has no metadata: all values then follow from the URL of the MCP server, as in the revision of 2025-03. */
  readonly assumed: boolean;
}
