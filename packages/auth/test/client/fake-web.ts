import type { AuthorizationChallenge, AuthProvider } from '@tenon/mcp-protocol';
import type { OauthFetch } from '../../src/http/fetch-sender.js';

/** The protected server of a {@link fakeWeb}, with an authorization server at each of its issuers. */
export const mcpUrl: URL = new URL('https://mcp.example/mcp');

/** A request to a token endpoint. */
export interface FakeTokenRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

/** Options of {@link fakeWeb}. */
export interface FakeWebOptions {
  /** Further members of the metadata of each authorization server, by its origin. */
  readonly metadata?: Readonly<Record<string, object>>;
  /** The issuers in the metadata of the protected server. */
  readonly issuers?: () => readonly string[];
  /** The body of a token response; a `status` in it makes it an error. */
  token(request: FakeTokenRequest, count: number): object & { readonly status?: number };
}

/** Returns a `fetch` that reaches one protected server and its authorization servers. */
export function fakeWeb(options: FakeWebOptions): { fetch: OauthFetch; tokens: FakeTokenRequest[] } {
  const tokens: FakeTokenRequest[] = [];
  const fetch: OauthFetch = async (input, init) => {
    const { origin, pathname } = new URL(input);
    if (init.method === 'POST') {
      const form = Object.fromEntries(new URLSearchParams(String(init.body)));
      const authorization = new Headers(init.headers).get('authorization') ?? undefined;
      tokens.push({ url: input, form, authorization });
      const { status = 200, ...body } = options.token({ url: input, form, authorization }, tokens.length);
      return Response.json(body, { status });
    }
    if (pathname === '/.well-known/oauth-protected-resource/mcp' && origin === mcpUrl.origin) {
      const authorization_servers = options.issuers?.() ?? ['https://auth.example'];
      return Response.json({ resource: mcpUrl.href, authorization_servers });
    }
    if (pathname !== '/.well-known/oauth-authorization-server') return new Response('', { status: 404 });
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      ...options.metadata?.[origin],
    };
    return Response.json(metadata);
  };
  return { fetch, tokens };
}

/** Returns the challenge of a server that rejects a request at {@link mcpUrl}. */
export function refusalOf(given: Partial<AuthorizationChallenge> = {}): AuthorizationChallenge {
  return {
    request: { method: 'POST', url: mcpUrl.href },
    status: 401,
    authenticate: ['Bearer'],
    nonce: undefined,
    sent: undefined,
    attempt: 1,
    revision: undefined,
    signal: new AbortController().signal,
    ...given,
  };
}

/** Returns the headers of a request, after a sign-in if it is rejected without. */
export async function headersBy(
  provider: AuthProvider,
): Promise<Readonly<Record<string, string>> | undefined> {
  const authorizer = provider.authorizer(mcpUrl);
  const request = { method: 'POST', url: mcpUrl.href };
  const first = await authorizer.authorize(request);
  if (first !== undefined) return first;
  return (await authorizer.challenged(refusalOf())) ? authorizer.authorize(request) : undefined;
}
