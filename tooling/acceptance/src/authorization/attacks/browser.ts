import type { AuthorizationRequest, Interaction, SignIn } from '@tenon/mcp-auth/client';

/** The user's browser, which goes where it is sent, and whoever sits between it and the client. */
export class Browser implements Interaction {
  readonly redirectUris: readonly string[] = ['http://127.0.0.1/callback'];
  readonly applicationType = 'native';
  /** Where the user was sent. */
  readonly visited: URL[] = [];
  /** With what each sign-in can be given up. */
  readonly signals: (AbortSignal | undefined)[] = [];
  /** What it came back with. */
  readonly returned: URL[] = [];
  /** With what each sign-in ended; undefined where it went well. */
  readonly ends: unknown[] = [];
  /** Changes what the client is given in place of what the authorization server sent back. */
  tamper: ((back: URL) => URL | Promise<URL>) | undefined;

  /** Opens addresses. */
  fetch: (address: string, init: RequestInit) => Promise<Response> = fetch;

  begin(): SignIn {
    return {
      redirectUri: 'http://127.0.0.1:4199/callback',
      authorize: (request) => this.#authorize(request),
      end: (failure) => void this.ends.push(failure),
    };
  }

  async #authorize({ url, signal }: AuthorizationRequest): Promise<URL> {
    this.visited.push(url);
    this.signals.push(signal);
    const back = await wayBack(url, this.fetch);
    const given = (await this.tamper?.(new URL(back))) ?? back;
    this.returned.push(given);
    return given;
  }
}

/** Where an authorization server sends the browser that opens an address. */
export async function wayBack(url: URL, open: Browser['fetch'] = fetch): Promise<URL> {
  const response = await open(url.href, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null)
    throw new Error(`${url.origin} shows a page: ${(await response.text()).slice(0, 200)}`);
  return new URL(location);
}
