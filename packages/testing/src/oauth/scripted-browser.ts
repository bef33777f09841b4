/** Options of a {@link ScriptedBrowser}. */
export interface ScriptedBrowserOptions {
  /** The user at the browser, sent to the authorization server as `login_hint`. Default: none. */
  readonly user?: string | undefined;
  /** Headers of every request, such as a `cookie` that identifies the browser to the authorization server. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Changes the redirect URL before the client receives it. */
  readonly back?: ((address: URL) => URL | Promise<URL>) | undefined;
  /** The redirect URI; no program needs to listen there. Default `http://127.0.0.1/callback`. */
  readonly redirectUri?: string | undefined;
  /** Default `native`. */
  readonly applicationType?: 'native' | 'web' | undefined;
  /** Loads pages. Default: the runtime's `fetch`. */
  readonly fetch?: ((page: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** A browser without a window, used as the `interaction` of a client that signs users in. */
export interface ScriptedBrowser {
  readonly redirectUris: readonly string[];
  readonly applicationType: 'native' | 'web';
  /** The sign-in URLs it opened, in order. */
  readonly opened: readonly URL[];
  begin(): {
    readonly redirectUri: string;
    authorize(request: { readonly url: URL; readonly signal?: AbortSignal | undefined }): Promise<URL>;
    end(): void;
  };
}

type Way = { readonly url: URL; readonly signal?: AbortSignal | null | undefined };

/** Maximum number of redirects in one sign-in. */
const longestWay = 10;

/**
 * Signs in without a user: follows the redirects of an authorization server until one leads back to the client. Works with
 * pages that need no click, such as those of `startTestAuthorizationServer`.
 */
export function scriptedBrowser(options: ScriptedBrowserOptions = {}): ScriptedBrowser {
  const { redirectUri = 'http://127.0.0.1/callback', applicationType = 'native', user } = options;
  const { back = (address) => address, headers = {} } = options;
  const opened: URL[] = [];
  const client = new URL(redirectUri);

  async function authorize({ url, signal = null }: Way) {
    opened.push(url);
    let page = new URL(url);
    if (user !== undefined) page.searchParams.set('login_hint', user);
    for (let step = 0; step < longestWay; step++) {
      const answer = await (options.fetch ?? fetch)(page.href, { redirect: 'manual', headers, signal });
      const next = answer.headers.get('location');
      if (next === null) {
        const came = `it answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`;
        throw new Error(`${page.origin} does not redirect to the client: ${came}`);
      }
      await answer.body?.cancel();
      page = new URL(next, page);
      if (page.origin === client.origin && page.pathname === client.pathname) return back(page);
    }
    const { origin } = url;
    throw new Error(`The pages of ${origin} do not lead back to the client: stopped after ${longestWay}.`);
  }

  const begin = () => ({ redirectUri, authorize, end() {} });
  return { redirectUris: [redirectUri], applicationType, opened, begin };
}
