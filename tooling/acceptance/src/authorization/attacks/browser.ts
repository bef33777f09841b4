import type { AuthorizationRequest, Interaction, SignIn } from '@tenon/mcp-auth/client';

/** The user's browser, which follows redirects, and an attacker between the browser and the client. */
export class Browser implements Interaction {
  readonly redirectUris: readonly string[] = ['http://127.0.0.1/callback'];
  readonly applicationType = 'native';
  /** The sign-in URLs the user was sent to. */
  readonly visited: URL[] = [];
  /** The abort signal of each sign-in. */
  readonly signals: (AbortSignal | undefined)[] = [];
  /** The URLs the browser returned with. */
  readonly returned: URL[] = [];
  /** The error of each sign-in; undefined if it succeeded. */
  readonly ends: unknown[] = [];
  /** Changes the redirect URL before the client receives it. */
  tamper: ((back: URL) => URL | Promise<URL>) | undefined;

  /** Loads pages. */
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

/** Returns the redirect URL of an authorization server for a sign-in URL. */
export async function wayBack(url: URL, open: Browser['fetch'] = fetch): Promise<URL> {
  const response = await open(url.href, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null)
    throw new Error(`${url.origin} shows a page: ${(await response.text()).slice(0, 200)}`);
  return new URL(location);
}
