import type { AuthorizationServer } from '../../src/discovery/authorization-server.js';
import type { Discovery } from '../../src/discovery/discovery.js';
import type { ProtectedResource } from '../../src/discovery/resource-metadata.js';
import type { OauthHttp, OauthRequest, OauthResponse } from '../../src/http/oauth-http.js';
import type { TokenSet } from '../../src/oauth/token-set.js';

/** Returns an authorization server with everything that a code flow needs. */
export function fakeServer(given: Partial<AuthorizationServer> = {}): AuthorizationServer {
  const issuer = given.issuer ?? 'https://auth.example';
  const { origin } = new URL(issuer);
  return {
    issuer,
    authorizationEndpoint: new URL(`${origin}/authorize`),
    tokenEndpoint: new URL(`${origin}/token`),
    registrationEndpoint: new URL(`${origin}/register`),
    revocationEndpoint: undefined,
    jwksUri: undefined,
    scopesSupported: undefined,
    grantTypesSupported: undefined,
    tokenEndpointAuthMethods: ['none', 'client_secret_basic'],
    tokenEndpointAuthSigningAlgs: undefined,
    codeChallengeMethods: ['S256'],
    issInResponse: false,
    clientIdMetadataDocuments: false,
    dpopSigningAlgs: undefined,
    assumed: false,
    ...given,
  };
}

/** Returns the result of discovery for a protected server. */
export function fakeDiscovery(
  given: {
    readonly resource?: Partial<ProtectedResource>;
    readonly server?: Partial<AuthorizationServer>;
  } = {},
): Discovery {
  const server = fakeServer(given.server);
  const resource: ProtectedResource = {
    resource: 'https://mcp.example/mcp',
    authorizationServers: [server.issuer],
    scopesSupported: undefined,
    dpopBound: false,
    ...given.resource,
  };
  return { resource, server };
}

/** Returns tokens as a token endpoint grants them. */
export function fakeTokens(given: Partial<TokenSet> = {}): TokenSet {
  return {
    accessToken: 'access-1',
    tokenType: 'Bearer',
    issuer: 'https://auth.example',
    clientId: 'client-1',
    ...given,
  };
}

/** Answers requests by a function, and records them. */
export class FakeHttp implements OauthHttp {
  readonly sent: OauthRequest[] = [];
  readonly #answer: (request: OauthRequest, count: number) => FakeAnswer | Promise<FakeAnswer>;

  constructor(answer: (request: OauthRequest, count: number) => FakeAnswer | Promise<FakeAnswer>) {
    this.#answer = answer;
  }

  async send(request: OauthRequest): Promise<OauthResponse> {
    this.sent.push(request);
    const { status = 200, headers = {}, body } = await this.#answer(request, this.sent.length);
    const names = new Map(Object.entries(headers));
    return {
      status,
      mediaType: headers['content-type'] ?? 'application/json',
      header: (name) => names.get(name),
      text: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
    };
  }
}

/** The response of a {@link FakeHttp}. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
