import type { OauthHttp, Verify } from '@tenon/mcp-auth/server';
import type { Principal } from '@tenon/mcp-server';
import type { ClientAuth } from 'oauth4webapi';
import { CodeFlow } from './code-flow.js';
import { addressBelow } from './elicitation-pages-options.js';
import { requirePositive, requireUrl } from './options.js';
import { changeEntry } from './page-store.js';
import { digestOf, isSecret, randomSecret } from './secrets.js';
import { type PagesContext, SignInError, type Visitor, type Visitors } from './visit.js';

/** Options of {@link signInAt}. Times in milliseconds. */
export interface SignInOptions {
  /** The authorization server that issues the tokens of the protected server. */
  readonly issuer: string;
  /** The client of the pages there, registered with the redirect URI `<url of the pages>/signed-in`. */
  readonly clientId: string;
  /** The secret or the key of the client, such as `ClientSecretBasic(secret)` of oauth4webapi. Default: none. */
  readonly clientAuth?: ClientAuth;
  /** The protected server: a token for it identifies the user, and is then dropped. */
  readonly resource: string;
  /** The same as the option of `protect`, so that users have the same ids there. */
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
  const { issuer, resource, clientId, verify, timeout = 600_000, sessionLifetime = 600_000 } = options;
  requireUrl(`${owner}: issuer`, issuer);
  if (!clientId || resource === undefined || verify === undefined)
    throw new TypeError(`${owner} needs the clientId, the resource, and verify.`);
  requireUrl(`${owner}: resource`, resource);
  requirePositive(owner, { timeout, sessionLifetime });
  return (pages) => new SignInVisitors({ ...options, timeout, sessionLifetime }, pages);
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

type CheckedOptions = SignInOptions & Required<Pick<SignInOptions, 'timeout' | 'sessionLifetime'>>;

class SignInVisitors implements Visitors {
  readonly #options: CheckedOptions;
  readonly #pages: PagesContext;
  readonly #redirect: URL;
  readonly #flow: CodeFlow;

  constructor(options: CheckedOptions, pages: PagesContext) {
    this.#options = options;
    this.#pages = pages;
    this.#redirect = addressBelow(pages.url, 'signed-in');
    this.#flow = new CodeFlow({ ...options, clock: pages.clock, redirectUri: this.#redirect.href });
  }

  async identify({ browser }: Visitor): Promise<Principal | undefined> {
    const kept = await this.#pages.store.get(sessionKey(browser));
    const { id, issuer, until } = kept?.value ?? {};
    if (typeof id !== 'string' || typeof issuer !== 'string' || typeof until !== 'number') return undefined;
    return until > this.#pages.clock.now() ? { id, issuer } : undefined;
  }

  async signIn({ browser }: Visitor, { url, owner }: { url: URL; owner: string }): Promise<Response> {
    const { clock, store } = this.#pages;
    const [verifier, state] = [randomSecret(), randomSecret()];
    const address = await this.#flow.start({ verifier, state });
    const until = clock.now() + this.#options.timeout;
    const begun: SigningIn = { verifier, browser, page: url.href, owner, until };
    await store.swap(stateKey(state), undefined, { value: { ...begun }, owner, expiresAt: until });
    return seeOther(address);
  }

  async answer({ request, browser }: Visitor): Promise<Response | undefined> {
    const url = new URL(request.url);
    if (url.pathname !== this.#redirect.pathname || request.method !== 'GET') return undefined;
    const state = url.searchParams.get('state');
    const begun = await this.#take(state);
    // A user with the response of another user's sign-in must not be signed in as that user.
    if (begun === undefined || state === null || begun.browser !== browser)
      throw new SignInError('No sign-in with this state was started in this browser.');
    const user = await this.#flow.finish(request, { verifier: begun.verifier, state });
    const { store, clock } = this.#pages;
    const until = clock.now() + this.#options.sessionLifetime;
    const session = { value: { ...user, until }, owner: begun.owner, expiresAt: until };
    await changeEntry(store, sessionKey(browser), () => session);
    return seeOther(new URL(begun.page));
  }

  /** Returns the sign-in of a state. The state is then used up. */
  async #take(state: string | null): Promise<SigningIn | undefined> {
    if (!isSecret(state)) return undefined;
    const { store, clock } = this.#pages;
    const key = stateKey(state);
    const kept = await store.get(key);
    if (kept === undefined || !(await store.swap(key, kept.version, undefined))) return undefined;
    const begun = kept.value as unknown as SigningIn;
    return begun.until > clock.now() ? begun : undefined;
  }
}

function sessionKey(browser: string): string {
  return `session:${browser}`;
}

function stateKey(state: string): string {
  return `sign-in:${digestOf(state)}`;
}

function seeOther(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}
