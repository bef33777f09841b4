import type {
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  Revision,
} from '@tenon/mcp-protocol';
import { type AnswerHeaders, headerOf } from '../sender/http-sender.js';
import type { HeaderList } from './request-headers.js';
import { flatHeaders } from './user-headers.js';

/** The authorizer of a connection and the functions it needs. */
export interface AuthorizationPorts {
  readonly authorizer: Authorizer;
  /** The revision of the connection; undefined before it is negotiated. */
  revision(): Revision | undefined;
  /** Called with each step that may wait for a user. */
  waitsFor(step: Promise<unknown>): void;
}

/** Bytes kept of a refusal while the authorizer decides. */
const maxKeptBytes = 65_536;

/** The authorization of one HTTP request, including its repetitions. */
export class RequestAuthorization {
  /** The refusal that waits for the decision of the authorizer. */
  held: HeldRefusal | undefined;
  readonly #ports: AuthorizationPorts;
  #sent: AuthorizationHeaders | undefined;
  #attempt = 0;
  #interest: AbortController | undefined;

  constructor(ports: AuthorizationPorts) {
    this.#ports = ports;
  }

  /** Returns a copy of the headers with authorization added. */
  complete(list: HeaderList, request: AuthorizedRequest): HeaderList {
    if (list instanceof Promise) return list.then((ready) => this.#authorize(ready, request));
    return this.#authorize(list, request);
  }

  /** Makes the authorizer decide whether to send a refused request again. Rejects with the authorizer's error. */
  challenged({ status, headers }: HeldRefusal, request: AuthorizedRequest): Promise<boolean> {
    this.#interest ??= new AbortController();
    const given = headers['www-authenticate'] ?? [];
    const challenge: AuthorizationChallenge = {
      request,
      status,
      authenticate: typeof given === 'string' ? [given] : given,
      nonce: headerOf(headers, 'dpop-nonce'),
      sent: this.#sent,
      attempt: ++this.#attempt,
      revision: this.#ports.revision(),
      signal: this.#interest.signal,
    };
    // The application may have written the authorizer: it may throw instead of rejecting.
    const step = (async () => this.#ports.authorizer.challenged(challenge))();
    this.#ports.waitsFor(step);
    return step;
  }

  /** Passes the nonce of any other response to the authorizer. */
  answered(headers: AnswerHeaders): void {
    const { authorizer } = this.#ports;
    if (authorizer.nonce === undefined) return;
    const nonce = headerOf(headers, 'dpop-nonce');
    if (nonce !== undefined) authorizer.nonce(nonce);
  }

  /** Aborts the signal of the challenge, because the request was aborted. */
  abandon(): void {
    this.#interest?.abort();
  }

  #authorize(headers: string[], request: AuthorizedRequest): HeaderList {
    const own = this.#ports.authorizer.authorize(request);
    if (!isPromise(own)) return this.#merged(headers, own);
    this.#ports.waitsFor(own);
    return Promise.resolve(own).then((given) => this.#merged(headers, given));
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

/** A promise of another realm fails `instanceof`. */
function isPromise(
  own: ReturnType<Authorizer['authorize']>,
): own is Promise<AuthorizationHeaders | undefined> {
  return own !== undefined && typeof own.then === 'function';
}

/** A refusal as far as it has arrived, while the authorizer decides whether to send the request again. */
export class HeldRefusal {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly chunks: Uint8Array[] = [];
  #size = 0;
  /** The end of the response; undefined while it goes on. */
  end: { readonly error?: unknown } | undefined;

  constructor(status: number, headers: AnswerHeaders) {
    this.status = status;
    this.headers = headers;
  }

  /** Keeps bytes of the body for the error text. Returns false if there are too many. */
  keep(bytes: Uint8Array): boolean {
    this.#size += bytes.length;
    if (this.#size > maxKeptBytes) return false;
    // The sender may reuse its memory.
    this.chunks.push(bytes.slice());
    return true;
  }
}
