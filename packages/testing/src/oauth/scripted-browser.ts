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

/** Maximum number of redirects in one sign-in. */
const longestWay = 10;

/**
 * Signs in without a user: follows the redirects of an authorization server until one leads back to the client. Works with
 * pages that need no click, such as those of `startTestAuthorizationServer`.
 */
export function scriptedBrowser(options: ScriptedBrowserOptions = {}): ScriptedBrowser {
  const { redirectUri = 'http://127.0.0.1/callback', applicationType = 'native' } = options;
  const { back = (address) => address } = options;
  const opened: URL[] = [];
  return {
    redirectUris: [redirectUri],
    applicationType,
    opened,
    begin: () => ({
      redirectUri,
      async authorize({ url, signal }) {
        opened.push(url);
        return back(await wayBack(url, { ...options, redirectUri, signal }));
      },
      end() {},
    }),
  };
}

type Way = ScriptedBrowserOptions & {
  readonly redirectUri: string;
  readonly signal: AbortSignal | undefined;
};

async function wayBack(start: URL, { user, redirectUri, signal, ...options }: Way): Promise<URL> {
  const { headers = {}, fetch: open = fetch } = options;
  const client = new URL(redirectUri);
  let page = new URL(start);
  if (user !== undefined) page.searchParams.set('login_hint', user);
  for (let step = 0; step < longestWay; step++) {
    const answer = await open(page.href, { redirect: 'manual', headers, signal: signal ?? null });
    const next = answer.headers.get('location');
    if (next === null) {
      const text = (await answer.text()).slice(0, 200);
      throw new Error(
        `${page.origin} does not redirect to the client: it answered ${answer.status}: ${text}`,
      );
    }
    await answer.body?.cancel();
    page = new URL(next, page);
    if (page.origin === client.origin && page.pathname === client.pathname) return page;
  }
  throw new Error(
    `The pages of ${start.origin} do not lead back to the client: stopped after ${longestWay}.`,
  );
}
