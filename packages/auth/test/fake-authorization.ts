import type { AuthorizationServer } from '../src/client/authorization-server.js';
import type { Discovery } from '../src/client/discovery.js';
import type { ProtectedResource } from '../src/client/protected-resource.js';
import type { TokenSet } from '../src/client/token-set.js';
import type { OauthAnswer, OauthHttp, OauthRequest } from '../src/http/oauth-http.js';

/** An authorization server that can do what a code flow needs. */
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

/** What discovery finds for a protected server. */
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

/** Tokens as a token endpoint grants them. */
export function fakeTokens(given: Partial<TokenSet> = {}): TokenSet {
  return {
    accessToken: 'access-1',
    tokenType: 'Bearer',
    issuer: 'https://auth.example',
    clientId: 'client-1',
    ...given,
  };
}

/** Answers by a function, and keeps what it was asked. */
export class FakeHttp implements OauthHttp {
  readonly sent: OauthRequest[] = [];
  readonly #answer: (request: OauthRequest, count: number) => FakeAnswer | Promise<FakeAnswer>;

  constructor(answer: (request: OauthRequest, count: number) => FakeAnswer | Promise<FakeAnswer>) {
    this.#answer = answer;
  }

  async send(request: OauthRequest): Promise<OauthAnswer> {
    this.sent.push(request);
    const { status = 200, headers = {}, body } = await this.#answer(request, this.sent.length);
    const names = new Map(Object.entries(headers));
    return {
      status,
      mediaType: 'application/json',
      header: (name) => names.get(name),
      text: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
    };
  }
}

/** What a {@link FakeHttp} answers. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
