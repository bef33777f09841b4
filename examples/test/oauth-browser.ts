/** Sends one request, wherever it goes. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A browser without a window: keeps cookies, and goes where it is sent. */
export class OauthBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #send: Send;

  /** @param send - by which pages are reached; a test may put an application in the place of an origin. */
  constructor(send: Send = fetch) {
    this.#send = send;
  }

  /** Opens an address, and all that it leads to. @param until - an address that is not opened any more. */
  async open(address: string, until?: string): Promise<{ readonly url: URL; readonly response?: Response }> {
    let url = new URL(address);
    for (let step = 0; step < 10; step++) {
      if (until !== undefined && url.href.startsWith(until)) return { url };
      const response = await this.request(url.href);
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      url = new URL(location, url);
    }
    throw new Error(`The pages of ${address} lead nowhere.`);
  }

  /** Sends one request with the cookies of its origin. */
  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    const response = await this.#send(address, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=');
      jar.set(name, value);
    }
    return response;
  }
}
