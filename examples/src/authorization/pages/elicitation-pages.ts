import type { JsonObject, Principal } from '@tenon/mcp-server';
import { boundedForm, FormError } from './bounded-form.js';
import { browserOf } from './browser.js';
import {
  addressBelow,
  checkedPagesOptions,
  type ElicitationPagesOptions,
  type ElicitationPagesSettings,
  type RefusedVisit,
} from './elicitation-pages-options.js';
import { guardedResponse, refusalResponse } from './page-responses.js';
import { isSecret } from './secrets.js';
import { accountOf, type StoredPage, StoredPages } from './stored-pages.js';
import { type PageVisit, SignInError, type Visitor, type VisitStep } from './visit.js';

/** The caller that a page is made for; the context of a handler is one. */
export interface PageCaller {
  readonly auth?: Principal | undefined;
}

/** Pages that only the user can open that they were made for. Made by {@link elicitationPages}. */
export class ElicitationPages {
  /** The paths of the handler: that of the URL, and `/*` for all paths below it. */
  readonly paths: readonly string[];
  /** Answers requests to the URL of the pages, and to paths below it. Does not reject. */
  readonly handler: (request: Request) => Promise<Response>;
  readonly #settings: ElicitationPagesSettings;
  readonly #ledger: StoredPages;
  readonly #returns: URL;

  /** @internal */
  constructor(options: ElicitationPagesOptions) {
    this.#settings = checkedPagesOptions(options);
    const { url, store, clock, lifetime } = this.#settings;
    this.#ledger = new StoredPages(store, clock, lifetime);
    this.#returns = addressBelow(url, 'return');
    this.paths = [url.pathname, addressBelow(url, '*').pathname];
    this.handler = (request) => this.#handle(request);
  }

  /**
   * Makes a page for the caller. In a handler that requests input, call it in `ctx.once`.
   * @param data - JSON for the visit; not shown to any user.
   * @returns the URL for `ctx.elicitUrl`. It does not contain the caller, and other users cannot open it.
   * @throws TypeError if the caller is not authenticated; RangeError if there is too much data.
   */
  async open({ auth }: PageCaller, data: JsonObject = {}): Promise<string> {
    if (auth === undefined) {
      throw new TypeError(
        'A page belongs to one user, and this caller is not authenticated: protect the server.',
      );
    }
    const { length } = JSON.stringify(data);
    const { dataSize, url } = this.#settings;
    if (length > dataSize) {
      throw new RangeError(`The data of a page has ${length} characters, and ${dataSize} are allowed.`);
    }
    return pageUrl(url, await this.#ledger.open(auth, data)).href;
  }

  async #handle(request: Request): Promise<Response> {
    const browser = browserOf(request, this.#settings.url);
    try {
      return guardedResponse(await this.#route({ request, browser: browser.id }), browser.cookie);
    } catch (error) {
      if (error instanceof FormError)
        return guardedResponse(plain(error.status, error.message), browser.cookie);
      this.#failed(error);
      return guardedResponse(plain(500, 'This did not work. Try again later.'), browser.cookie);
    }
  }

  /** Reports an error. An error of `onError` must not prevent the response. */
  #failed(error: unknown): void {
    try {
      this.#settings.onError(error);
    } catch (another) {
      console.error(another);
    }
  }

  async #route(visitor: Visitor): Promise<Response> {
    const { url } = this.#settings;
    const { method } = visitor.request;
    const { pathname, searchParams } = new URL(visitor.request.url);
    if (method !== 'GET' && method !== 'POST') return plain(405, 'Use GET or POST.', { allow: 'GET, POST' });
    if (pathname === url.pathname) {
      const kept = await this.#ledger.find(only(searchParams, 'page'));
      return this.#receive(kept, visitor, method === 'GET' ? 'opened' : 'submitted');
    }
    if (pathname === this.#returns.pathname) {
      if (method !== 'GET') return plain(405, 'Use GET.', { allow: 'GET' });
      return this.#receive(await this.#ledger.takeReturn(only(searchParams, 'state')), visitor, 'returned');
    }
    const signingIn = await this.#signingIn(() => this.#settings.visitors.answer?.(visitor));
    return signingIn ?? plain(404, 'Not found.');
  }

  /** Identifies the user before it does anything with the page. */
  async #receive(kept: StoredPage | undefined, visitor: Visitor, step: VisitStep): Promise<Response> {
    if (kept === undefined) return this.#refuse({ reason: 'gone' });
    const { page } = kept;
    const owner = principalOf(page);
    if (step === 'submitted' && !isOwnForm(visitor.request, this.#settings.url)) {
      return this.#refuse({ reason: 'cross-site', owner });
    }
    const principal = await this.#settings.visitors.identify(visitor);
    if (principal !== undefined && !isSame(principal, owner)) {
      return this.#refuse({ reason: 'another-user', owner, visitor: principal });
    }
    // Later steps must come from the browser in which the page was opened.
    if (page.browser === null ? step !== 'opened' : page.browser !== visitor.browser) {
      return this.#refuse({ reason: 'another-browser', owner, visitor: principal });
    }
    if (principal === undefined) return this.#unknown(visitor, owner, step);
    const bound = await this.#ledger.bind(kept, visitor.browser);
    if (bound === undefined) return this.#refuse({ reason: 'another-browser', owner, visitor: principal });
    const visit = this.#visit(bound, { principal, step, request: visitor.request });
    const shown: Response | undefined = await this.#settings.visit(visit);
    // Not instanceof, because the Response may be of another realm.
    if (typeof shown?.status === 'number') return shown;
    throw new TypeError('elicitationPages: visit must return a Response for every step.');
  }

  async #unknown(visitor: Visitor, owner: Principal, step: VisitStep): Promise<Response> {
    const { visitors } = this.#settings;
    // Built from the options, because a client controls the host of the request.
    const url = pageUrl(this.#settings.url, new URL(visitor.request.url).searchParams.get('page'));
    const page = { url, owner: accountOf(owner) };
    const signingIn =
      step === 'opened' ? await this.#signingIn(() => visitors.signIn?.(visitor, page)) : undefined;
    return signingIn ?? this.#refuse({ reason: 'not-identified', owner });
  }

  async #signingIn(task: () => Answered): Promise<Response | undefined> {
    try {
      return await task();
    } catch (cause) {
      if (cause instanceof SignInError) return this.#refuse({ reason: 'sign-in-failed', cause });
      throw cause;
    }
  }

  #visit(kept: StoredPage, known: Pick<PageVisit, 'principal' | 'step' | 'request'>): PageVisit {
    return {
      ...known,
      data: kept.page.data,
      form: () => boundedForm(known.request, this.#settings.formSize),
      finish: () => this.#ledger.finish(kept),
      expectReturn: async () => ({
        redirectUri: this.#returns.href,
        state: await this.#ledger.expectReturn(kept),
      }),
    };
  }

  #refuse(refused: RefusedVisit): Response {
    const heard: unknown = this.#settings.onRefused(refused);
    if (heard instanceof Promise) heard.catch((error: unknown) => this.#failed(error));
    return refusalResponse(refused.reason);
  }
}

type Answered = Response | undefined | Promise<Response | undefined>;

/** Returns a parameter that occurs once and has the form of a secret; otherwise an empty text. */
function only(params: URLSearchParams, name: string): string {
  const values = params.getAll(name);
  return values.length === 1 && isSecret(values[0]) ? values[0] : '';
}

function pageUrl(base: URL, handle: string | null): URL {
  const address = new URL(base);
  address.searchParams.set('page', handle ?? '');
  return address;
}

function principalOf({ issuer, id }: StoredPage['page']): Principal {
  return { id, ...(issuer !== null && { issuer }) };
}

function isSame(one: Principal, other: Principal): boolean {
  return one.id === other.id && one.issuer === other.issuer;
}

/** True if the form was sent from a page of this origin. Browsers may hide `Origin`; `Sec-Fetch-Site` then decides. */
function isOwnForm({ headers }: Request, url: URL): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  if (origin === null || origin === url.origin) return site === null || site === 'same-origin';
  return origin === 'null' && site === 'same-origin';
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
}

/**
 * Makes URLs for elicitations of the mode `url`. Each can be opened once, and only by the user who is asked for input; other
 * users are rejected even if they know the URL.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#phishing
 */
export function elicitationPages(options: ElicitationPagesOptions): ElicitationPages {
  return new ElicitationPages(options);
}
