import type {
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  Revision,
} from '@tenon/mcp-protocol';
import { type AnswerHeaders, headerOf } from './http-sender.js';
import { flatHeaders } from './user-headers.js';

/** What authorizes the requests of one connection. */
export interface Authorizing {
  readonly authorizer: Authorizer;
  /** The revision that is spoken, once that is known. */
  revision(): Revision | undefined;
  /** Told of a step that may take as long as a person does. */
  waitsFor(step: Promise<unknown>): void;
}

/** Bytes kept of what a server says to a request that it may be sent again. */
const maxKeptBytes = 65_536;

/** One HTTP request as its authorizer sees it, over all times it is sent. */
export class Authorization {
  readonly #parts: Authorizing;
  #sent: AuthorizationHeaders | undefined;
  #attempt = 0;
  #interest: AbortController | undefined;

  constructor(parts: Authorizing) {
    this.#parts = parts;
  }

  /** Headers with those that authorize the request; the list given is not changed. */
  complete(headers: string[], request: AuthorizedRequest): string[] | Promise<string[]> {
    const own = this.#parts.authorizer.authorize(request);
    if (!isPromise(own)) return this.#merged(headers, own);
    this.#parts.waitsFor(own);
    return Promise.resolve(own).then((given) => this.#merged(headers, given));
  }

  /** Asks whether to send a refused request again. */
  challenged(status: number, headers: AnswerHeaders, request: AuthorizedRequest): Promise<boolean> {
    this.#interest ??= new AbortController();
    const given = headers['www-authenticate'] ?? [];
    const challenge: AuthorizationChallenge = {
      request,
      status,
      authenticate: typeof given === 'string' ? [given] : given,
      nonce: headerOf(headers, 'dpop-nonce'),
      sent: this.#sent,
      attempt: ++this.#attempt,
      revision: this.#parts.revision(),
      signal: this.#interest.signal,
    };
    // Authorizers are the application's to write: one may throw before it promises anything.
    const step = (async () => this.#parts.authorizer.challenged(challenge))();
    this.#parts.waitsFor(step);
    return step;
  }

  /** Takes what an answer that is no refusal says to whoever authorizes. */
  answered(headers: AnswerHeaders): void {
    const { authorizer } = this.#parts;
    if (authorizer.nonce === undefined) return;
    const nonce = headerOf(headers, 'dpop-nonce');
    if (nonce !== undefined) authorizer.nonce(nonce);
  }

  /** Nobody waits for the request any more. */
  abandon(): void {
    this.#interest?.abort();
  }

  #merged(headers: string[], own: AuthorizationHeaders | undefined): string[] {
    this.#sent = own;
    if (own === undefined) return headers;
    const merged: string[] = [];
    for (let index = 0; index + 1 < headers.length; index += 2) {
      const name = headers[index] as string;
      if (own[name] === undefined) merged.push(name, headers[index + 1] as string);
    }
    merged.push(...flatHeaders(own));
    return merged;
  }
}

/** One of another realm is none by `instanceof`. */
function isPromise(
  own: ReturnType<Authorizer['authorize']>,
): own is Promise<AuthorizationHeaders | undefined> {
  return own !== undefined && typeof own.then === 'function';
}

/** What comes of a refused request while it is decided whether it is sent again. */
export class HeldRefusal {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly chunks: Uint8Array[] = [];
  #size = 0;
  /** How it ended, if it has. */
  end: { readonly error?: unknown } | undefined;

  constructor(status: number, headers: AnswerHeaders) {
    this.status = status;
    this.headers = headers;
  }

  /** Keeps what people may want to read; false once it is enough. */
  keep(bytes: Uint8Array): boolean {
    this.#size += bytes.length;
    if (this.#size > maxKeptBytes) return false;
    // The sender may use its memory again.
    this.chunks.push(bytes.slice());
    return true;
  }
}
