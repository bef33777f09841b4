/** A browser that opens pages, keeps cookies, and sends the origin of its requests. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  readonly #handler: (request: Request) => Promise<Response>;

  /** @param cookies - cookies from before, such as the session of an application. */
  constructor(
    handler: (request: Request) => Promise<Response>,
    cookies: Readonly<Record<string, string>> = {},
  ) {
    this.#handler = handler;
    for (const [name, value] of Object.entries(cookies)) this.cookies.set(name, value);
  }

  /** Opens a URL, like a click on a link. */
  open(url: string, init: RequestInit = {}): Promise<Response> {
    return this.#send(url, { ...init, headers: { 'sec-fetch-site': 'none', ...init.headers } });
  }

  /** Submits a form of the current page. */
  submit(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Response> {
    const own = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin', ...headers };
    const sent = Object.entries(own).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return this.#send(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: Object.fromEntries(sent),
    });
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await this.#handler(new Request(url, { ...init, headers }));
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    return response;
  }
}
