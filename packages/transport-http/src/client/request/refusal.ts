import { jsonIn } from '@tenon/foundation';
import { redactText } from '@tenon/foundation/redaction';
import { RemoteError, type RequestId, TransportError, type UnknownObject } from '@tenon/mcp-protocol';
import { isNestedDeeper, isObject, isRequestId, numberIn } from '@tenon/mcp-protocol/internal';
import { type AnswerHeaders, headerOf, mediaTypeOf } from '../sender/http-sender.js';
import { requestFailure } from '../sender/transport-failure.js';
import type { BodySink } from './http-request.js';
import { maxIdleBytes, TextBody } from './text-body.js';

/** The requests that an error response rejects. */
export interface RefusedRequests {
  readonly origin: string;
  /** Ids of the requests; empty if an error in the body does not answer them. */
  readonly ids: readonly RequestId[];
  readonly maxNesting: number;
  /** Bytes read of a JSON body. Default: `maxIdleBytes`, the limit of other bodies. */
  readonly maxJsonBytes?: number | undefined;
  /** Called with the error when the response has ended. */
  refused(error: Error): void;
}

/** Reads an error response, and makes the error of the rejected requests. */
export class RefusalBody implements BodySink {
  readonly #requests: RefusedRequests;
  readonly #status: number;
  readonly #headers: AnswerHeaders;
  readonly #body: TextBody;

  constructor(status: number, headers: AnswerHeaders, requests: RefusedRequests) {
    this.#requests = requests;
    this.#status = status;
    this.#headers = headers;
    const isJson = mediaTypeOf(headers) === 'application/json';
    this.#body = new TextBody((isJson ? requests.maxJsonBytes : undefined) ?? maxIdleBytes);
  }

  chunk(bytes: Uint8Array): void {
    if (!this.#body.push(bytes)) this.#requests.refused(this.#error());
  }

  end(): void {
    this.#requests.refused(this.#error());
  }

  failed(error: unknown): void {
    this.#requests.refused(requestFailure(error, this.#requests.origin));
  }

  /**
   * Returns a RemoteError if the body is a JSON-RPC error for one of the requests, with the status in its cause.
   * Otherwise, and always for 401, 403 and 407, returns a TransportError.
   */
  #error(): RemoteError | TransportError {
    const status = this.#status;
    const { ids, origin } = this.#requests;
    const text = this.#body.text();
    const error = wireErrorIn(text, this.#requests);
    const failure = new TransportError(this.#sentence(origin, text, error?.message), { status });
    if (error === undefined || ids.length === 0 || isGate(status)) return failure;
    return new RemoteError(error, { cause: failure });
  }

  #sentence(origin: string, text: string | undefined, message: string | undefined): string {
    const status = this.#status;
    const given = message ?? plainText(this.#headers, text);
    // Some servers repeat the request in their error, including credentials.
    const clean = given === undefined ? '' : redactText(given.slice(0, 2_000)).slice(0, 200);
    const quote = clean === '' ? '.' : `: ${clean.replace(/\.?$/, '.')}`;
    if (status === 401) {
      const challenge = headerOf(this.#headers, 'www-authenticate') ?? '';
      const scheme = /^[A-Za-z][A-Za-z0-9-]{0,30}/.exec(challenge)?.[0];
      const how = scheme === undefined ? '' : `, ${scheme}`;
      return `${origin} requires authorization (HTTP 401${how}): set the option auth, or send a token in headers${quote}`;
    }
    if (status === 403) {
      const reason = clean === '' ? '. The caller may lack a permission.' : quote;
      return `${origin} rejected the request (HTTP 403)${reason}`;
    }
    if (status === 407) return `A proxy before ${origin} requires authorization (HTTP 407)${quote}`;
    const hint = status === 404 && message === undefined ? ' Is the path of the URL right?' : '';
    return `${origin} answered HTTP ${status}${quote}${hint}`;
  }
}

interface ErrorMember {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Returns the error of a JSON-RPC response to one of these requests, or to a request it does not name. */
function wireErrorIn(
  text: string | undefined,
  { ids, maxNesting }: RefusedRequests,
): ErrorMember | undefined {
  if (text === undefined || !/^\s*\{/.test(text)) return undefined;
  const value = jsonIn(text);
  if (isNestedDeeper(value, text, maxNesting) || !isObject(value) || value.jsonrpc !== '2.0')
    return undefined;
  const { error } = value;
  // Some servers answer with the id as a string.
  const id = typeof value.id === 'string' ? (numberIn(value.id) ?? value.id) : value.id;
  const isOurs =
    id === undefined || id === null || (isRequestId(id) && (ids.includes(id) || ids.length === 0));
  return isOurs && isObject(error) && isErrorMember(error) ? error : undefined;
}

function isErrorMember(error: UnknownObject): error is UnknownObject & ErrorMember {
  return Number.isInteger(error.code) && typeof error.message === 'string';
}

function isGate(status: number): boolean {
  return status === 401 || status === 403 || status === 407;
}

/** Returns the body on one line; undefined if it is not text for people. */
function plainText(headers: AnswerHeaders, text: string | undefined): string | undefined {
  const type = headerOf(headers, 'content-type') ?? 'text/plain';
  if (!/^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(type)) return undefined;
  return text
    ?.slice(0, 2_000)
    .replace(/[^\x20-\x7e\u00a0-\ud7ff]+/g, ' ')
    .trim();
}
