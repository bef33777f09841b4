import { type OauthHttp, safeHttp, type TokenRealm, type Verify } from '@tenon/mcp-auth/server';
import type { Clock } from '@tenon/mcp-server';
import * as oauth from 'oauth4webapi';
import { SignInError } from './visit.js';

export interface CodeFlowOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuth?: oauth.ClientAuth;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes?: readonly string[];
  readonly verify: Verify;
  readonly clock: Clock;
  readonly http?: OauthHttp;
}

/** The secrets of one sign-in. */
export interface SignInSecrets {
  /** The `code_verifier` of PKCE. */
  readonly verifier: string;
  readonly state: string;
}

/** The metadata of an authorization server that can sign users in. */
type SignInServer = oauth.AuthorizationServer & { readonly authorization_endpoint: string };

type Requests = oauth.HttpRequestOptions<'GET' | 'POST', URLSearchParams | undefined>;

/** Milliseconds that metadata is cached. */
const metadataMaxAge = 600_000;

/** The authorization code flow with PKCE at one authorization server. */
export class CodeFlow {
  readonly #options: CodeFlowOptions;
  readonly #client: oauth.Client;
  readonly #http: OauthHttp;
  readonly #requests: Requests;
  readonly #realm: TokenRealm;
  #server: { readonly found: SignInServer; readonly at: number } | undefined;

  constructor(options: CodeFlowOptions) {
    const { issuer, clientId, resource, clock, http } = options;
    const server = new URL(issuer);
    this.#options = options;
    this.#client = { client_id: clientId };
    this.#http = http ?? safeHttp({ server, clock });
    this.#requests = {
      [oauth.customFetch]: fetchOver(this.#http),
      [oauth.allowInsecureRequests]: server.protocol === 'http:',
    };
    this.#realm = { resource, authorizationServers: [issuer], clock };
  }

  /**
   * Returns the URL where the user signs in.
   * @throws SignInError
   */
  async start({ verifier, state }: SignInSecrets): Promise<URL> {
    const { clientId, redirectUri, resource, scopes = [] } = this.#options;
    const { authorization_endpoint } = await attempt(() => this.#metadata());
    const url = new URL(authorization_endpoint);
    const params = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      resource,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return url;
  }

  /**
   * Returns the user who signed in. The tokens are not used for anything else, and not stored.
   * @param response - the request to the redirect URI.
   * @throws SignInError
   */
  async finish(response: Request, secrets: SignInSecrets): Promise<{ id: string; issuer: string }> {
    const { issuer, verify } = this.#options;
    const token = await attempt(() => this.#redeem(new URL(response.url), secrets));
    const verified = await verify(token, withoutQuery(response), this.#realm);
    if (verified === undefined || verified === null || 'rejected' in verified) {
      const why = verified?.rejected ?? 'It is not valid.';
      throw new SignInError(`The token of the sign-in does not identify the user. ${why}`);
    }
    return { id: verified.id, issuer: verified.issuer ?? issuer };
  }

  async #redeem(response: URL, { verifier, state }: SignInSecrets): Promise<string> {
    const { clientAuth = oauth.None(), redirectUri, resource } = this.#options;
    const server = await this.#metadata();
    const params = oauth.validateAuthResponse(server, this.#client, response, state);
    const options = { ...this.#requests, additionalParameters: { resource } };
    const request = [server, this.#client, clientAuth, params, redirectUri, verifier, options] as const;
    const answer = await oauth.authorizationCodeGrantRequest(...request);
    const tokens = await oauth.processAuthorizationCodeResponse(server, this.#client, answer);
    return tokens.access_token;
  }

  async #metadata(): Promise<SignInServer> {
    const now = this.#options.clock.now();
    const known = this.#server;
    if (known !== undefined && now >= known.at && now < known.at + metadataMaxAge) return known.found;
    const found = await this.#discover();
    this.#server = { found, at: now };
    return found;
  }

  async #discover(): Promise<SignInServer> {
    const { issuer } = this.#options;
    const url = new URL(issuer);
    let answer = await oauth.discoveryRequest(url, { ...this.#requests, algorithm: 'oauth2' });
    if (answer.status !== 200) answer = await oauth.discoveryRequest(url, this.#requests);
    const found = await oauth.processDiscoveryResponse(url, answer);
    const { authorization_endpoint, token_endpoint, code_challenge_methods_supported: challenges } = found;
    if (found.issuer !== issuer)
      throw new SignInError(`The metadata of ${issuer} belongs to another authorization server.`);
    if (!authorization_endpoint || !token_endpoint || !challenges?.includes('S256'))
      throw new SignInError(
        `${issuer} cannot sign users in by the authorization code flow with PKCE (S256).`,
      );
    // The browser of the user opens the first; the check of the second makes its error appear before the sign-in.
    for (const endpoint of [authorization_endpoint, token_endpoint])
      await this.#http.check?.(new URL(endpoint));
    return { ...found, authorization_endpoint };
  }
}

/** Returns the `fetch` of oauth4webapi: addresses are checked, and responses are bounded. */
function fetchOver(http: OauthHttp): NonNullable<Requests[typeof oauth.customFetch]> {
  return async (url, { method, headers, body, signal }) => {
    const { status, mediaType, text } = await http.send({
      method,
      url: new URL(url),
      headers,
      ...(body !== undefined && { body: body.toString() }),
      signal,
    });
    return new Response(text, { status, headers: { 'content-type': mediaType } });
  };
}

/** @throws SignInError in place of an error of the library. */
function attempt<T>(task: () => Promise<T>): Promise<T> {
  return task().catch((failure: unknown) => {
    throw failure instanceof SignInError ? failure : signInError(failure);
  });
}

/** Without the error as its `cause`, because that may contain a token. */
function signInError(failure: unknown): SignInError {
  const { message, error: code } = failure as { readonly message?: string; readonly error?: string };
  const named = code !== undefined && /^[\w.:/-]{1,64}$/.test(code) ? ` (${code})` : '';
  return new SignInError(`The sign-in failed${named}: ${message}`);
}

/** The query contains the code. */
function withoutQuery({ method, url, headers }: Request): Parameters<Verify>[1] {
  return { method, url: new URL(url).pathname, header: (name) => headers.get(name) ?? undefined };
}
