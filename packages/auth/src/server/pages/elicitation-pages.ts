import type { JsonObject, Principal } from '@tenon/mcp-protocol';
import { AuthError } from '../../auth-error.js';
import { boundedForm, FormError } from './bounded-form.js';
import { browserOf, isSecret } from './browser.js';
import {
  addressBelow,
  checkedPagesOptions,
  type ElicitationPagesOptions,
  type ElicitationPagesSettings,
  type RefusedVisit,
} from './elicitation-pages-options.js';
import { guardedAnswer, refusalPage } from './page-answers.js';
import { accountOf, type KeptPage, PageLedger } from './page-ledger.js';
import type { PageVisit, VisitStep } from './visit.js';
import type { Visitor } from './visitors.js';

/** Who asks for a page, as far as pages care: a handler's context will do. */
export interface PageCaller {
  readonly auth?: Principal | undefined;
}

/** Pages that open for the one user they were made for. Made by {@link elicitationPages}. */
export class ElicitationPages {
  /** Where the handler is to be mounted: the path of the address, and `/*` for all below it. */
  readonly paths: readonly string[];
  /** Answers requests at the address of the pages, and below it. It does not reject. */
  readonly handler: (request: Request) => Promise<Response>;
  readonly #settings: ElicitationPagesSettings;
  readonly #ledger: PageLedger;
  readonly #returns: URL;

  /** @internal */
  constructor(options: ElicitationPagesOptions) {
    this.#settings = checkedPagesOptions(options);
    const { url, store, clock, lifetime } = this.#settings;
    this.#ledger = new PageLedger(store, clock, lifetime);
    this.#returns = addressBelow(url, 'return');
    this.paths = [url.pathname, addressBelow(url, '*').pathname];
    this.handler = (request) => this.#handle(request);
  }

  /**
   * Makes a page for the caller. In a handler that asks questions, make it in `ctx.once`.
   * @param data - what the visit is to know again: JSON, never shown to anybody.
   * @returns its address, for `ctx.elicitUrl`. It names nobody, and lets nobody in who is not the caller.
   * @throws TypeError for a caller whom nobody vouches for; RangeError for too much data.
   */
  async open({ auth }: PageCaller, data: JsonObject = {}): Promise<string> {
    if (auth === undefined) {
      throw new TypeError('A page is for one user, and nobody vouches for this caller: protect the server.');
    }
    const { length } = JSON.stringify(data);
    const { dataSize, url } = this.#settings;
    if (length > dataSize) {
      throw new RangeError(`The data of a page takes ${length} characters, and ${dataSize} are allowed.`);
    }
    return pageUrl(url, await this.#ledger.open(auth, data)).href;
  }

  async #handle(request: Request): Promise<Response> {
    const browser = await browserOf(request, this.#settings.url);
    try {
      return guardedAnswer(await this.#route({ request, browser: browser.id }), browser.cookie);
    } catch (error) {
      if (error instanceof FormError)
        return guardedAnswer(plain(error.status, error.message), browser.cookie);
      this.#failed(error);
      return guardedAnswer(plain(500, 'This did not work. Try again later.'), browser.cookie);
    }
  }

  /** The operator hears of it; that he does not must not keep the user from an answer. */
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
    return signingIn ?? plain(404, 'There is nothing here.');
  }

  /** Nothing of the page happens before it is certain who is there. */
  async #receive(kept: KeptPage | undefined, visitor: Visitor, step: VisitStep): Promise<Response> {
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
    // What follows the opening happens in the browser of the opening.
    if (page.browser === null ? step !== 'opened' : page.browser !== visitor.browser) {
      return this.#refuse({ reason: 'another-browser', owner, visitor: principal });
    }
    if (principal === undefined) return this.#unknown(visitor, owner, step);
    const bound = await this.#ledger.bind(kept, visitor.browser);
    if (bound === undefined) return this.#refuse({ reason: 'another-browser', owner, visitor: principal });
    const visit = this.#visit(bound, { principal, step, request: visitor.request });
    const shown: Response | undefined = await this.#settings.visit(visit);
    // Responses may be of another class than the one here.
    if (typeof shown?.status === 'number') return shown;
    throw new TypeError('elicitationPages: visit must give a Response, whatever the step.');
  }

  async #unknown(visitor: Visitor, owner: Principal, step: VisitStep): Promise<Response> {
    const { visitors } = this.#settings;
    // Built of what is known here: what the request says of its host is anybody's.
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
      if (cause instanceof AuthError) return this.#refuse({ reason: 'sign-in-failed', cause });
      throw cause;
    }
  }

  #visit(kept: KeptPage, known: Pick<PageVisit, 'principal' | 'step' | 'request'>): PageVisit {
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
    return refusalPage(refused.reason);
  }
}

type Answered = Response | undefined | Promise<Response | undefined>;

/** A parameter that is there once, and may be a secret of ours; empty otherwise. */
function only(params: URLSearchParams, name: string): string {
  const values = params.getAll(name);
  return values.length === 1 && isSecret(values[0]) ? values[0] : '';
}

function pageUrl(base: URL, handle: string | null): URL {
  const address = new URL(base);
  address.searchParams.set('page', handle ?? '');
  return address;
}

function principalOf({ issuer, id }: KeptPage['page']): Principal {
  return { id, ...(issuer !== null && { issuer }) };
}

function isSame(one: Principal, other: Principal): boolean {
  return one.id === other.id && one.issuer === other.issuer;
}

/** Browsers may be told to leave the origin out; those that do say more precisely what it is to us. */
function isOwnForm({ headers }: Request, url: URL): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  if (origin === null || origin === url.origin) return site === null || site === 'same-origin';
  return origin === 'null' && site === 'same-origin';
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
}

/**
 * Makes addresses for elicitations of the mode `url`, each of which opens for nobody but the user who is to be asked, once. Whoever
 * else it is sent to is refused, whatever he knows of it.
 * @throws TypeError or RangeError for options that cannot work.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#phishing
 */
export function elicitationPages(options: ElicitationPagesOptions): ElicitationPages {
  return new ElicitationPages(options);
}
