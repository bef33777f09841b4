import { withDeadline } from '@tenon/foundation';
import type { AuthorizationHeaders, Authorizer, AuthProvider } from '@tenon/mcp-protocol';
import { AuthError } from './auth-error.js';
import { parseChallenges } from './discovery/challenges.js';
import { answerTimeout as ms } from './http/oauth-http.js';
import { isAtOrigin } from './http/url-host.js';
import { wallClock } from './wall-clock.js';

/** Options of {@link officialAuth}. */
export interface OfficialAuthOptions {
  /** Sends the requests to the server. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The part of `UnauthorizedContext` of `@modelcontextprotocol/client` that is read. */
export interface OfficialUnauthorized {
  readonly response: Pick<Response, 'headers'>;
}

/** An `AuthProvider` of `@modelcontextprotocol/client` 2.x. */
export interface OfficialAuthProvider {
  token(): Promise<string | undefined>;
  onUnauthorized(context: OfficialUnauthorized): Promise<void>;
}

/** An `OAuthClientProvider` of `@modelcontextprotocol/sdk` 1.x, and of libraries that have the same interface. */
export interface OfficialOauthProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: { redirect_uris: string[] };
  clientInformation(): Promise<undefined>;
  tokens(): Promise<{ access_token: string; token_type: string } | undefined>;
  saveTokens(): void;
  redirectToAuthorization(): void;
  saveCodeVerifier(): void;
  codeVerifier(): string;
  discoveryState(): Promise<undefined>;
}

/** The sign-in at one server, in the forms that official clients accept. One of them is enough. */
export interface OfficialAuth {
  /**
   * For the option `fetch` of transports, of both generations: `new StreamableHTTPClientTransport(url, { fetch: auth.fetch })`. It authorizes each request, signs in after a
   * 401, requests more scopes after a 403 and sends the request again, and binds tokens to a key (DPoP). Only requests to the origin of the server are authorized. It rejects
   * with the AuthError of a sign-in that failed; for the request of a stream it returns the refusal of the server instead, and `onEvent` of the provider has the error.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * For the option `authProvider` of 2.x: signs in after a 401, and the transport sends the request again. It cannot request more scopes, and has no DPoP: both need `fetch`.
   */
  readonly authProvider: OfficialAuthProvider;
  /**
   * For the option `authProvider` of 1.x, and of libraries that accept nothing else. Before the first request it sends one without a token, waits up to 10 s for its answer, and signs in if that is rejected. After a 401 it replaces the token, and the request
   * rejects with an AuthError that says so: send it again. Never begins the sign-in of the library. It cannot request more scopes, and has no DPoP: both need `fetch`.
   */
  readonly oauthProvider: OfficialOauthProvider;
}

/** Answers to one request that ask for authorization, at most. Providers of this package end before. */
const mostAttempts = 10;

/**
 * Returns the sign-in of a provider of this package, such as `desktopAuth(...)`, `oauth(...)` or `clientCredentials(...)`, for a client of the official SDK or of a library
 * on it. The tokens are in the store of the provider, and refreshed once for all processes that share it.
 *
 * The official client limits the time of a request, also while the user signs in: 60 seconds by default. Sign in before you connect, by `await provider.signIn(url)`, or set
 * a longer `timeout`.
 * @param server - the URL of the server, as the transport has it.
 * @throws TypeError if the URL is neither http nor https.
 */
export function officialAuth(
  provider: AuthProvider,
  server: URL | string,
  { fetch: send = (...request) => globalThis.fetch(...request) }: OfficialAuthOptions = {},
): OfficialAuth {
  const url = new URL(server);
  const authorizer = provider.authorizer(url);
  const tokens = new BearerTokens(authorizer, url);
  return {
    fetch: (input, init) => authorizedFetch({ authorizer, origin: url.origin, send }, input, init),
    authProvider: {
      token: () => tokens.current(),
      onUnauthorized: ({ response }) => tokens.replace(response.headers),
    },
    oauthProvider: oauthProvider(tokens, () => refusalWithoutToken(url, send)),
  };
}

/** The sender of requests, and the authorizer of those to one origin. */
interface AuthorizedSender {
  readonly authorizer: Authorizer;
  readonly origin: string;
  readonly send: typeof globalThis.fetch;
}

async function authorizedFetch(
  { authorizer, origin, send }: AuthorizedSender,
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const whole = input instanceof Request ? input : undefined;
  const request = { method: init?.method ?? whole?.method ?? 'GET', url: whole?.url ?? String(input) };
  if (!isAtOrigin(request.url, origin)) return send(input, init);
  const signal = init?.signal ?? whole?.signal ?? new AbortController().signal;
  for (let attempt = 1; ; attempt++) {
    const sent = await authorizer.authorize(request);
    const headers = new Headers(init?.headers ?? whole?.headers);
    for (const [name, value] of Object.entries(sent ?? {})) headers.set(name, value);
    const response = await send(whole?.clone() ?? input, { ...init, headers });
    const { status } = response;
    if (status !== 401 && status !== 403) {
      const nonce = response.headers.get('dpop-nonce');
      if (nonce !== null) authorizer.nonce?.(nonce);
      return response;
    }
    const challenge = { ...challengeIn(response.headers), request, status, sent, attempt, signal };
    if (attempt === mostAttempts) return response;
    const isAuthorized = await authorizer.challenged(challenge).catch((error: unknown) => {
      // An `EventSource` would open the stream again every few seconds, and each time prompt the user.
      if (request.method === 'GET' && headers.get('accept')?.includes('text/event-stream')) return false;
      throw error;
    });
    if (!isAuthorized) return response;
    await response.body?.cancel();
  }
}

function challengeIn(headers: Headers | undefined) {
  const authenticate = headers?.get('www-authenticate') ?? undefined;
  return {
    authenticate: authenticate === undefined ? [] : [authenticate],
    nonce: headers?.get('dpop-nonce') ?? undefined,
    revision: undefined,
  };
}

/** The tokens of one server for clients that send them as bearer tokens. */
class BearerTokens {
  readonly #authorizer: Authorizer;
  readonly #request: { readonly method: string; readonly url: string };
  /** The last token that the client received, as a header. */
  #sent: AuthorizationHeaders | undefined;
  /** The token that replaced a refused one, and how often the client received it. */
  #replacement: string | undefined;
  #uses = 0;

  constructor(authorizer: Authorizer, { href: url }: URL) {
    this.#authorizer = authorizer;
    this.#request = { method: 'POST', url };
  }

  /** Returns the token; undefined if there is none yet. */
  async current(): Promise<string | undefined> {
    this.#sent = await this.#authorizer.authorize(this.#request);
    this.#uses += 1;
    const { authorization } = this.#sent ?? {};
    if (authorization === undefined) return undefined;
    if (!authorization.startsWith('Bearer '))
      throw new AuthError(
        'unsupported',
        `The token for ${this.#request.url} is bound to a key (DPoP), which this client cannot prove: give its transport the "fetch" of officialAuth(), or set "dpop: false" in the provider.`,
      );
    return authorization.slice('Bearer '.length);
  }

  /** Obtains other tokens than those that the client received last. @throws AuthError */
  async replace(headers: Headers | undefined): Promise<void> {
    const sent = this.#sent;
    // The provider does not prompt again for a new token that the server has never accepted. The client does not say so: it sends a
    // token once more after a refusal, and once in the next request.
    const isRefusedAgain = sent !== undefined && sent.authorization === this.#replacement && this.#uses <= 2;
    const attempt = isRefusedAgain ? 2 : 1;
    const { signal } = new AbortController();
    const challenge = { ...challengeIn(headers), request: this.#request, status: 401, sent, attempt, signal };
    const authenticate = withoutKeys(challenge.authenticate);
    await this.#authorizer.challenged({ ...challenge, authenticate });
    this.#replacement = (await this.#authorizer.authorize(this.#request))?.authorization;
    this.#uses = 0;
  }
}

/** Returns challenges without those that would bind the token to a key, which servers offer beside the others. */
function withoutKeys(values: readonly string[]): readonly string[] {
  return parseChallenges(values)
    .filter(({ scheme }) => scheme !== 'dpop')
    .map(({ scheme, params }) => {
      const quoted = [...params].map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`);
      return `${scheme} ${quoted.join(', ')}`;
    });
}

/**
 * Returns the headers of the rejection of a request without a token; undefined if the server accepts it.
 * @throws AuthError if the server does not answer in time; the error of `send`.
 */
function refusalWithoutToken(url: URL, send: typeof globalThis.fetch): Promise<Headers | undefined> {
  const late = () => new AuthError('unreachable', `${url.origin} did not answer within ${ms} ms.`);
  return withDeadline({ clock: wallClock, ms, holds: true, late }, async (signal) => {
    const response = await send(url, { headers: { accept: 'text/event-stream' }, signal });
    await response.body?.cancel();
    return response.status === 401 ? response.headers : undefined;
  });
}

function oauthProvider(
  tokens: BearerTokens,
  refusal: () => Promise<Headers | undefined>,
): OfficialOauthProvider {
  let first: Promise<void> | undefined;
  /** The error of the last sign-in, until the client has it. */
  let failed: { readonly error: unknown } | undefined;
  /** Signs in if the server rejects a request without a token. */
  const signIn = async (): Promise<void> => {
    const headers = await refusal();
    if (headers !== undefined) await tokens.replace(headers);
  };
  const current = async (): Promise<string | undefined> => {
    const token = await tokens.current();
    if (token !== undefined) return token;
    first ??= signIn();
    await first;
    return tokens.current();
  };
  const replace = async (): Promise<never> => {
    const { error } = failed ?? {};
    failed = undefined;
    if (error !== undefined) throw error;
    await tokens.replace(undefined);
    throw new AuthError(
      'refused',
      'The server refused the token, which has been replaced: send the request again.',
      { status: 401, permanent: false },
    );
  };
  const unused = (): never => {
    throw new AuthError(
      'unsupported',
      'officialAuth() signs in itself: do not finish a sign-in of the client.',
    );
  };
  return {
    // The sign-in of the library reads one of them first, and ends with the error: nothing else of it runs.
    ...{ discoveryState: replace, clientInformation: replace },
    async tokens() {
      try {
        const token = await current();
        return token === undefined ? undefined : { access_token: token, token_type: 'Bearer' };
      } catch (error) {
        // The client sends the request without a token, and has the error from the sign-in that it begins then.
        first = undefined;
        failed = { error };
        return undefined;
      }
    },
    ...{ redirectUrl: 'http://127.0.0.1/', clientMetadata: { redirect_uris: [] } },
    ...{
      saveTokens: unused,
      redirectToAuthorization: unused,
      saveCodeVerifier: unused,
      codeVerifier: unused,
    },
  };
}
