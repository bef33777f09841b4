/** How a {@link ScriptedBrowser} behaves. */
export interface ScriptedBrowserOptions {
  /** Who sits there: the authorization server is told with `login_hint`. Default: nobody says. */
  readonly user?: string | undefined;
  /** Headers of every request, such as a `cookie` by which the authorization server knows the browser. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Changes the address that the client is given in place of the one the browser was sent back to. */
  readonly back?: ((address: URL) => URL | Promise<URL>) | undefined;
  /** Where it is sent back to: nothing needs to listen there. Default `http://127.0.0.1/callback`. */
  readonly redirectUri?: string | undefined;
  /** Default `native`. */
  readonly applicationType?: 'native' | 'web' | undefined;
  /** Opens pages. Default: that of the runtime. */
  readonly fetch?: ((page: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** A browser without a window, as the `interaction` of a client that signs users in. */
export interface ScriptedBrowser {
  readonly redirectUris: readonly string[];
  readonly applicationType: 'native' | 'web';
  /** The addresses that it was sent to in order to sign in, in order. */
  readonly opened: readonly URL[];
  begin(): {
    readonly redirectUri: string;
    authorize(request: { readonly url: URL; readonly signal?: AbortSignal | undefined }): Promise<URL>;
    end(): void;
  };
}

/** Pages of one sign-in that lead to others. */
const longestWay = 10;

/**
 * Signs in without anybody: goes wherever an authorization server sends it, until it is sent back to the client. For pages
 * that want nothing to be pressed, such as those of `startTestAuthorizationServer`.
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

interface Way extends ScriptedBrowserOptions {
  readonly redirectUri: string;
  readonly signal: AbortSignal | undefined;
}

async function wayBack(
  start: URL,
  { user, headers, redirectUri, signal, fetch: open = fetch }: Way,
): Promise<URL> {
  let page = new URL(start);
  if (user !== undefined) page.searchParams.set('login_hint', user);
  for (let step = 0; step < longestWay; step++) {
    const answer = await open(page.href, {
      redirect: 'manual',
      headers: { ...headers },
      signal: signal ?? null,
    });
    const next = answer.headers.get('location');
    if (next === null) {
      const text = (await answer.text()).slice(0, 200);
      throw new Error(`${page.origin} sends nobody on, and answers with ${answer.status}: ${text}`);
    }
    await answer.body?.cancel();
    page = new URL(next, page);
    if (isBack(page, redirectUri)) return page;
  }
  throw new Error(`The pages of ${start.origin} lead nowhere: ${longestWay} were opened.`);
}

function isBack(page: URL, redirectUri: string): boolean {
  const { origin, pathname } = new URL(redirectUri);
  return page.origin === origin && page.pathname === pathname;
}
