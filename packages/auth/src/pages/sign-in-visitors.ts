import { optionRules, requireOptions } from '@tenon/foundation';
import type { GuardedRequest, JsonObject, Principal } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import { type AuthorizationServer, fetchAuthorizationServer } from '../discovery/authorization-server.js';
import { requireIssuer } from '../http/endpoint-url.js';
import type { OauthHttp } from '../http/oauth-http.js';
import { safeHttp } from '../http/safe-http.js';
import { requireClientKey } from '../oauth/client-assertion.js';
import type { ClientInformation } from '../oauth/client-information.js';
import { digestOf, randomSecret } from '../oauth/secrets.js';
import { requestTokens } from '../oauth/token-endpoint.js';
import { authorizationUrl, createPkce, requirePkce } from '../sign-in/authorization-request.js';
import { readAuthorizationResponse } from '../sign-in/authorization-response.js';
import { changeEntry } from '../store/change-entry.js';
import { requireAddress } from '../verifiers/option-rules.js';
import type { TokenRealm, Verify } from '../verifiers/verify.js';
import { isSecret } from './browser.js';
import { addressBelow } from './elicitation-pages-options.js';
import { valuesOf } from './page-store.js';
import type { PagesContext, Visitor, Visitors } from './visit.js';

/** Options of {@link signInAt}. Times in milliseconds. */
export interface SignInOptions {
  /** The authorization server that issues the tokens of the protected server. */
  readonly issuer: string;
  /** The client of the pages there, registered with the redirect URI `<url of the pages>/signed-in`. */
  readonly client: ClientInformation;
  /** The protected server: a token for it identifies the user, and is then dropped. */
  readonly resource: string;
  /** The same as the option of {@link protect}, so that users have the same ids there. */
  readonly verify: Verify;
  /** Scopes to request, as few as needed. Default: chosen by the authorization server. */
  readonly scopes?: readonly string[];
  /** Time that a user may take to sign in. Default: 600,000. */
  readonly timeout?: number;
  /** Time that the user stays signed in after that. Default: 600,000. */
  readonly sessionLifetime?: number;
  /** Sends requests to the authorization server. Default: bounded, over https or to this machine. */
  readonly http?: OauthHttp;
}

/**
 * Identifies the user of a page by a sign-in at the authorization server of the protected server: the authorization code flow with
 * PKCE, bound to the browser.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function signInAt(options: SignInOptions): (pages: PagesContext) => Visitors {
  const owner = 'signInAt';
  const { text, texts, object, callable, positive } = optionRules;
  requireOptions<SignInOptions>(owner, options, {
    ...{ issuer: text, client: object, resource: text, verify: callable, scopes: texts },
    ...{ timeout: positive, sessionLifetime: positive, http: object },
  });
  requireIssuer(owner, options.issuer);
  const { client, resource, verify } = options;
  if (!text.allows(client?.clientId) || resource === undefined || verify === undefined) {
    throw new TypeError(`${owner} needs a client with its clientId, the resource, and verify.`);
  }
  requireAddress(`${owner}: resource`, resource);
  if (client.key !== undefined) requireClientKey(owner, client.key);
  return (pages) => new SignInVisitors(options, pages);
}

/** A sign-in that waits for its response. */
interface SigningIn {
  readonly verifier: string;
  readonly browser: string;
  /** The page to return to. */
  readonly page: string;
  readonly owner: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Milliseconds that metadata is cached. */
const metadataMaxAge = 600_000;

class SignInVisitors implements Visitors {
  readonly #options: SignInOptions;
  readonly #pages: PagesContext;
  readonly #redirect: URL;
  readonly #http: OauthHttp;
  readonly #realm: TokenRealm;
  #server: { readonly found: AuthorizationServer; readonly at: number } | undefined;

  constructor(options: SignInOptions, pages: PagesContext) {
    const { issuer, resource, http } = options;
    const { clock, url } = pages;
    this.#options = options;
    this.#pages = pages;
    this.#redirect = addressBelow(url, 'signed-in');
    this.#http = http ?? safeHttp({ server: new URL(issuer), clock });
    this.#realm = { resource, authorizationServers: [issuer], clock };
  }

  async identify({ browser }: Visitor): Promise<Principal | undefined> {
    const kept = await this.#pages.store.get(sessionKey(browser));
    const { id, issuer, until } = kept?.value ?? {};
    if (typeof id !== 'string' || typeof issuer !== 'string' || typeof until !== 'number') return undefined;
    return until > this.#pages.clock.now() ? { id, issuer } : undefined;
  }

  async signIn({ browser }: Visitor, { url, owner }: { url: URL; owner: string }): Promise<Response> {
    const { client, resource, scopes, timeout = 600_000 } = this.#options;
    const server = await this.#metadata();
    requirePkce(server);
    const { verifier, challenge } = await createPkce();
    const state = randomSecret();
    const until = this.#pages.clock.now() + timeout;
    const begun: SigningIn = { verifier, browser, page: url.href, owner, until };
    const entry = { value: { ...begun }, owner, expiresAt: until };
    await this.#pages.store.swap(await stateKey(state), undefined, entry);
    const { clientId } = client;
    const redirectUri = this.#redirect.href;
    return seeOther(authorizationUrl(server, { clientId, redirectUri, resource, scopes, state, challenge }));
  }

  async answer(visitor: Visitor): Promise<Response | undefined> {
    const url = new URL(visitor.request.url);
    if (url.pathname !== this.#redirect.pathname || visitor.request.method !== 'GET') return undefined;
    const state = url.searchParams.get('state');
    const begun = await this.#take(state);
    // A user with the response of another user's sign-in must not be signed in as that user.
    if (begun === undefined || state === null || begun.browser !== visitor.browser) {
      throw new AuthError('bad-response', 'No sign-in with this state was started in this browser.');
    }
    const server = await this.#metadata();
    const { issuer, issInResponse } = server;
    const code = readAuthorizationResponse(url, { state, issuer, issInResponse });
    const principal = await this.#redeem(code, begun, visitor);
    const until = this.#pages.clock.now() + (this.#options.sessionLifetime ?? 600_000);
    await this.#remember(visitor.browser, { ...principal, until }, begun.owner);
    return seeOther(new URL(begun.page));
  }

  /** Returns the sign-in of a state. The state is then used up. */
  async #take(state: string | null): Promise<SigningIn | undefined> {
    if (!isSecret(state)) return undefined;
    const { store, clock } = this.#pages;
    const key = await stateKey(state);
    const kept = await store.get(key);
    if (kept === undefined || !(await store.swap(key, kept.version, undefined))) return undefined;
    const begun = kept.value as unknown as SigningIn;
    return begun.until > clock.now() ? begun : undefined;
  }

  /** Returns the user who signed in. The tokens are not used for anything else, and not stored. */
  async #redeem(code: string, { verifier }: SigningIn, { request }: Visitor): Promise<SignedIn> {
    const { client, resource, verify, issuer } = this.#options;
    const params = {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, resource },
      redirect_uri: this.#redirect.href,
    };
    const tools = { http: this.#http, clock: this.#pages.clock, dpop: undefined, signal: undefined };
    const { accessToken } = await requestTokens({ server: await this.#metadata(), client, params, tools });
    const verified = await verify(accessToken, guarded(request), this.#realm);
    if (verified === undefined || verified === null || 'rejected' in verified) {
      const why = verified?.rejected ?? 'It is not valid.';
      throw new AuthError('bad-response', `The token of the sign-in does not identify the user. ${why}`);
    }
    return { id: verified.id, issuer: verified.issuer ?? issuer };
  }

  async #remember(browser: string, value: JsonObject, owner: string): Promise<void> {
    const expiresAt = Number(value.until);
    const store = valuesOf(this.#pages.store, () => ({ value, owner, expiresAt }));
    await changeEntry({ store, key: sessionKey(browser) }, () => value);
  }

  async #metadata(): Promise<AuthorizationServer> {
    const now = this.#pages.clock.now();
    const known = this.#server;
    if (known !== undefined && now >= known.at && now < known.at + metadataMaxAge) return known.found;
    const found = await fetchAuthorizationServer({ issuer: this.#options.issuer, http: this.#http });
    this.#server = { found, at: now };
    return found;
  }
}

interface SignedIn {
  readonly id: string;
  readonly issuer: string;
}

function sessionKey(browser: string): string {
  return `session:${browser}`;
}

async function stateKey(state: string): Promise<string> {
  return `sign-in:${await digestOf(state)}`;
}

function seeOther(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

/** Without the query, which contains the code. */
function guarded({ method, url, headers }: Request): GuardedRequest {
  return { method, url: new URL(url).pathname, header: (name) => headers.get(name) ?? undefined };
}
