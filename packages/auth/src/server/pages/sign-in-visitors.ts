import type { GuardedRequest, JsonObject, Principal } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { AuthError } from '../../auth-error.js';
import { authorizationUrl, requirePkce } from '../../client/authorization-request.js';
import { readAuthorizationResponse } from '../../client/authorization-response.js';
import type { AuthorizationServer } from '../../client/authorization-server.js';
import { requireClientKey } from '../../client/client-assertion.js';
import type { ClientInformation } from '../../client/client-information.js';
import { digestOf } from '../../client/digest.js';
import { requireIssuer } from '../../client/issuer-pin.js';
import { createPkce } from '../../client/pkce.js';
import { fetchAuthorizationServer } from '../../client/server-metadata.js';
import { requestTokens } from '../../client/token-endpoint.js';
import type { OauthHttp } from '../../http/oauth-http.js';
import { safeHttp } from '../../http/safe-http.js';
import { requireAddress } from '../trusted-address.js';
import type { TokenRealm, Verify } from '../verify.js';
import { isSecret, randomSecret } from './browser.js';
import { addressBelow } from './elicitation-pages-options.js';
import type { PagePlace, Visitor, Visitors } from './visitors.js';

/** Where users sign in who open a page. Times in milliseconds. */
export interface SignInOptions {
  /** The authorization server that issues the tokens of the protected server. */
  readonly issuer: string;
  /** The pages as a client of it, registered with the redirect URI `<url of the pages>/signed-in`. */
  readonly client: ClientInformation;
  /** The protected server: a token for it tells who signed in, and is thrown away. */
  readonly resource: string;
  /** What {@link protect} was given: so users have the same names here and there. */
  readonly verify: Verify;
  /** Scopes to ask for; few users like to be asked for more than it takes. Default: what the authorization server takes for granted. */
  readonly scopes?: readonly string[];
  /** How long a user may take to sign in. Default 600,000. */
  readonly timeout?: number;
  /** How long the browser counts as his after that. Default 600,000. */
  readonly sessionLifetime?: number;
  /** Sends requests to the authorization server. Default: over https, or to this machine, bounded. */
  readonly http?: OauthHttp;
}

/**
 * Tells who opens a page by having him sign in at the authorization server of the protected server: code flow with PKCE, bound to
 * the browser.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function signInAt(options: SignInOptions): (place: PagePlace) => Visitors {
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
  return (place) => new SignInVisitors(options, place);
}

/** What is known of somebody who is signing in. */
interface SigningIn {
  readonly verifier: string;
  readonly browser: string;
  /** Where he goes on. */
  readonly page: string;
  readonly owner: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Metadata that is older is asked for anew. */
const metadataMaxAge = 600_000;

class SignInVisitors implements Visitors {
  readonly #options: SignInOptions;
  readonly #place: PagePlace;
  readonly #redirect: URL;
  readonly #http: OauthHttp;
  readonly #realm: TokenRealm;
  #server: { readonly found: AuthorizationServer; readonly at: number } | undefined;

  constructor(options: SignInOptions, place: PagePlace) {
    const { issuer, resource, http } = options;
    const { clock, url } = place;
    this.#options = options;
    this.#place = place;
    this.#redirect = addressBelow(url, 'signed-in');
    this.#http = http ?? safeHttp({ server: new URL(issuer), clock });
    this.#realm = { resource, authorizationServers: [issuer], clock };
  }

  async identify({ browser }: Visitor): Promise<Principal | undefined> {
    const kept = await this.#place.store.get(sessionKey(browser));
    const { id, issuer, until } = kept?.value ?? {};
    if (typeof id !== 'string' || typeof issuer !== 'string' || typeof until !== 'number') return undefined;
    return until > this.#place.clock.now() ? { id, issuer } : undefined;
  }

  async signIn({ browser }: Visitor, { url, owner }: { url: URL; owner: string }): Promise<Response> {
    const { client, resource, scopes, timeout = 600_000 } = this.#options;
    const server = await this.#metadata();
    requirePkce(server);
    const { verifier, challenge } = await createPkce();
    const state = randomSecret();
    const until = this.#place.clock.now() + timeout;
    const begun: SigningIn = { verifier, browser, page: url.href, owner, until };
    const entry = { value: { ...begun }, owner, expiresAt: until };
    await this.#place.store.swap(await stateKey(state), undefined, entry);
    const { clientId } = client;
    const redirectUri = this.#redirect.href;
    return seeOther(authorizationUrl(server, { clientId, redirectUri, resource, scopes, state, challenge }));
  }

  async answer(visitor: Visitor): Promise<Response | undefined> {
    const url = new URL(visitor.request.url);
    if (url.pathname !== this.#redirect.pathname || visitor.request.method !== 'GET') return undefined;
    const state = url.searchParams.get('state');
    const begun = await this.#take(state);
    // Somebody who was handed the way back of another one's sign-in must not become him.
    if (begun === undefined || state === null || begun.browser !== visitor.browser) {
      throw new AuthError('bad-response', 'Nobody began to sign in so, in this browser.');
    }
    const server = await this.#metadata();
    const { issuer, issInResponse } = server;
    const code = readAuthorizationResponse(url, { state, issuer, issInResponse });
    const principal = await this.#redeem(code, begun, visitor);
    const until = this.#place.clock.now() + (this.#options.sessionLifetime ?? 600_000);
    await this.#remember(visitor.browser, { ...principal, until }, begun.owner);
    return seeOther(new URL(begun.page));
  }

  /** What was begun under a state, which is worth nothing after that. */
  async #take(state: string | null): Promise<SigningIn | undefined> {
    if (!isSecret(state)) return undefined;
    const { store, clock } = this.#place;
    const key = await stateKey(state);
    const kept = await store.get(key);
    if (kept === undefined || !(await store.swap(key, kept.version, undefined))) return undefined;
    const begun = kept.value as unknown as SigningIn;
    return begun.until > clock.now() ? begun : undefined;
  }

  /** Who signed in. His tokens are used for nothing else, and kept nowhere. */
  async #redeem(code: string, { verifier }: SigningIn, { request }: Visitor): Promise<SignedIn> {
    const { client, resource, verify, issuer } = this.#options;
    const params = {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, resource },
      redirect_uri: this.#redirect.href,
    };
    const tools = { http: this.#http, clock: this.#place.clock, dpop: undefined, signal: undefined };
    const { accessToken } = await requestTokens({ server: await this.#metadata(), client, params, tools });
    const verified = await verify(accessToken, guarded(request), this.#realm);
    if (verified === undefined || verified === null || 'rejected' in verified) {
      const why = verified?.rejected ?? 'It is not valid.';
      throw new AuthError(
        'bad-response',
        `The token of the user who signed in does not tell who he is. ${why}`,
      );
    }
    return { id: verified.id, issuer: verified.issuer ?? issuer };
  }

  async #remember(browser: string, value: JsonObject, owner: string): Promise<void> {
    const { store } = this.#place;
    const key = sessionKey(browser);
    const entry = { value, owner, expiresAt: Number(value.until) };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const version = (await store.get(key))?.version;
      if (await store.swap(key, version, entry)) return;
    }
    throw new AuthError('storage', 'The store changes an entry faster than it can be read.');
  }

  async #metadata(): Promise<AuthorizationServer> {
    const now = this.#place.clock.now();
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

/** How often a swap is tried that somebody else comes before. */
const attempts = 4;

function sessionKey(browser: string): string {
  return `session:${browser}`;
}

async function stateKey(state: string): Promise<string> {
  return `sign-in:${await digestOf(state)}`;
}

function seeOther(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

/** The query is left out: it holds the code. */
function guarded({ method, url, headers }: Request): GuardedRequest {
  return { method, url: new URL(url).pathname, header: (name) => headers.get(name) ?? undefined };
}
