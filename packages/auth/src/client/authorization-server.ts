/**
 * An authorization server by its metadata, checked: all addresses are https, or on this machine, and the issuer is the one
 * it was asked for.
 * https://www.rfc-editor.org/rfc/rfc8414#section-2
 */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL | undefined;
  readonly registrationEndpoint: URL | undefined;
  /** Where tokens are taken back; left out where there is no such place. https://www.rfc-editor.org/rfc/rfc7009 */
  readonly revocationEndpoint?: URL | undefined;
  /** Where the keys are that it signs tokens with. */
  readonly jwksUri: URL | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  readonly grantTypesSupported: readonly string[] | undefined;
  /** `client_secret_basic` alone where the server does not say. */
  readonly tokenEndpointAuthMethods: readonly string[];
  readonly tokenEndpointAuthSigningAlgs: readonly string[] | undefined;
  /** Undefined where the server does not say: then it has no PKCE. */
  readonly codeChallengeMethods: readonly string[] | undefined;
  /** Its authorization responses carry `iss`. */
  readonly issInResponse: boolean;
  /** It takes the URL of a client's metadata document for a client id. */
  readonly clientIdMetadataDocuments: boolean;
  readonly dpopSigningAlgs: readonly string[] | undefined;
  /** It has no metadata; all of this follows from the address of the server, as the revision of 2025-03 has it. */
  readonly assumed: boolean;
}
