import type { TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { wayBack } from './browser.js';

/** The handler of the pages. */
type Handler = (request: Request) => Promise<Response>;

/** A browser with a user, who signs in at every sign-in page. */
export class PageVisitor {
  readonly name: string;
  /** The URLs it was redirected to. */
  readonly sent: string[] = [];
  readonly #handler: Handler;
  readonly #issuer: TestAuthorizationServer;
  #cookie: string | undefined;

  constructor(name: string, handler: Handler, issuer: TestAuthorizationServer) {
    this.name = name;
    this.#handler = handler;
    this.#issuer = issuer;
  }

  /** Sends one request without following redirects. */
  async request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookie !== undefined) headers.set('cookie', this.#cookie);
    const response = await this.#handler(new Request(address, { ...init, headers }));
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) [this.#cookie] = cookie.split(';');
    const location = response.headers.get('location');
    if (location !== null) this.sent.push(location);
    return response;
  }

  /** Opens a URL and follows redirects. */
  async open(address: string | URL): Promise<Response> {
    let response = await this.request(address);
    for (let hops = 0; hops < 5; hops++) {
      const location = response.headers.get('location');
      if (location === null) return response;
      response = await this.request(await this.#next(new URL(location)));
    }
    throw new Error('The redirects do not end.');
  }

  /** Returns the redirect URL of a page at the authorization server; any other URL unchanged. */
  async #next(url: URL): Promise<URL> {
    if (url.origin !== this.#issuer.origin) return url;
    return this.comeBack(url);
  }

  /** Signs in at the authorization server. Returns the redirect URL without opening it. */
  async comeBack(url: URL): Promise<URL> {
    this.#issuer.behave({ user: this.name });
    return wayBack(url);
  }

  submit(address: string | URL, headers: Record<string, string> = {}): Promise<Response> {
    return this.request(address, { method: 'POST', body: new URLSearchParams({ agree: 'yes' }), headers });
  }
}
