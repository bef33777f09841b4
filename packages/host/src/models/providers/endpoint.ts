import {
  type Clock,
  isRecord,
  jsonIn,
  optionRules,
  pause,
  requireOptions,
  systemClock,
  withDeadline,
  withoutControls,
} from '@tenon/foundation';
import { redacted, redactText } from '@tenon/foundation/redaction';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isHttpsOrLoopback } from '@tenon/mcp-protocol/internal';
import { cancelledReply, ModelError, type ModelErrorReason } from '../model-error.js';
import { bytesOf } from './response-body.js';

/** The options of {@link openAiModel} and {@link anthropicModel}. */
export interface ModelOptions {
  /** The model's name at the endpoint. */
  readonly model: string;
  /**
   * The address of the API, such as `http://127.0.0.1:11434/v1` for Ollama. It must be https if there is a key or a header, except
   * for this machine. Default: the provider's own.
   */
  readonly baseUrl?: string | URL | undefined;
  /** The API key. It is sent to `baseUrl` alone: redirects are not followed. Default: none is sent. */
  readonly key?: string | undefined;
  /** Headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of each request body, for settings of one provider. They replace members of the same name; undefined removes one. */
  readonly body?: UnknownObject;
  /** The most tokens of a reply, for requests that set none. */
  readonly maxTokens?: number;
  /** Milliseconds for one reply, with all attempts. Default 600,000. Raise it for a slow model on your own machine. */
  readonly timeout?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The parts of a wire format that an {@link Endpoint} needs. */
export interface EndpointFormat {
  readonly owner: string;
  /** The address of a request, from that of the API. */
  url(baseUrl: string | URL | undefined): URL;
  /** The headers with the key, and of the format. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
}

/** Milliseconds that an endpoint may demand before the next attempt. A longer wait is left to the caller. */
const longestWait = 60_000;
const firstWait = 500;
/** Attempts after the first, if the endpoint answers 408, 429 or 5xx. */
const retries = 2;
const mostErrorBytes = 65_536;
const mostErrorChars = 500;

/** A provider reports these as a rate limit, and they do not pass: the quota or the budget of the account is used up. */
const lasting: ReadonlySet<unknown> = new Set(['insufficient_quota', 'enforced_spend_limit_reached']);

const rules = {
  model: optionRules.text,
  baseUrl: optionRules.anything,
  key: optionRules.text,
  headers: optionRules.object,
  body: optionRules.object,
  maxTokens: optionRules.positive,
  timeout: optionRules.positive,
  fetch: optionRules.callable,
  clock: optionRules.object,
};

/** The HTTP endpoint of one model. */
export class Endpoint {
  readonly #options: ModelOptions;
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #secrets: readonly string[];

  /** @throws TypeError for an unknown or malformed option. */
  constructor(format: EndpointFormat, options: ModelOptions) {
    requireOptions(format.owner, options, rules);
    const { key, headers = {} } = options;
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new TypeError(
        `${format.owner}: key has spaces, line ends or other characters that a header cannot have. Remove them.`,
      );
    this.#options = options;
    this.#url = format.url(options.baseUrl);
    requireAddress(format.owner, this.#url, key !== undefined || Object.keys(headers).length > 0);
    this.#headers = new Headers({ 'content-type': 'application/json', ...format.headers(key), ...headers });
    this.#secrets = [key ?? '', ...Object.values(headers)].filter(({ length }) => length >= 8);
  }

  /**
   * Sends a body and reads the response. Tries again if the endpoint is busy, but never once it has accepted the request.
   * @throws ModelError; the errors of `read`.
   */
  post<T>(
    body: string,
    signal: AbortSignal | undefined,
    read: (response: Response, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeout = 600_000, clock = systemClock, model } = this.#options;
    const late = () =>
      this.error(
        'unreachable',
        `did not reply within ${timeout} ms. Try again, or raise the option "timeout".`,
      );
    const aborted = () => cancelledReply(model, signal);
    return withDeadline({ clock, ms: timeout, holds: true, signal, late, aborted }, async (stop) => {
      for (let attempt = 0; ; attempt++) {
        const response = await this.#send(body, stop);
        if (response.ok) return read(response, stop);
        const { error, retriable } = await this.#failure(response);
        const wait = error.retryAfter ?? firstWait * 2 ** attempt;
        if (!retriable || attempt >= retries || wait > longestWait) throw error;
        await pause(clock, wait, { signal: stop, holds: true });
        stop.throwIfAborted();
      }
    });
  }

  /** Returns an error that names the model and the endpoint. */
  error(
    reason: ModelErrorReason,
    what: string,
    details: { readonly status?: number; readonly retryAfter?: number | undefined } = {},
  ): ModelError {
    const where = `${this.#url.origin}${this.#url.pathname}`;
    return new ModelError(reason, `The model "${this.#options.model}" at ${where} ${what}`, details);
  }

  /** Returns the error that an endpoint reports in a response it had accepted. */
  reported(problem: unknown): ModelError {
    const { type, code } = isRecord(problem) ? problem : {};
    const isBusy = [type, code].some((name) => busy.has(name));
    return isBusy
      ? this.error('rate-limited', `has no capacity${this.#quoted(problem)}. Try again later.`)
      : this.error('rejected', `failed${this.#quoted(problem)}. Change the request, or try again.`);
  }

  async #send(body: string, signal: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    try {
      // Redirects would send the key to another address.
      return await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body,
        signal,
        redirect: 'manual',
      });
    } catch (error) {
      throw this.broken(error);
    }
  }

  /** Returns the error of a connection that failed. */
  broken(error: unknown): ModelError {
    if (error instanceof ModelError) return error;
    const { cause, message } = error instanceof Error ? error : new Error(String(error));
    const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : message;
    return this.error(
      'unreachable',
      `cannot be reached (${this.#clean(code)}). Check the address and the network, and that the endpoint runs.`,
    );
  }

  async #failure(response: Response): Promise<{ readonly error: ModelError; readonly retriable: boolean }> {
    const { status } = response;
    const problem = problemIn(await beginningOf(response));
    const text = this.#quoted(problem);
    const details = { status, retryAfter: retryAfterIn(response.headers) };
    const failed = (reason: ModelErrorReason, what: string) => this.error(reason, what, details);
    if (status === 429 || status === 529) {
      const lasts = isLasting(problem);
      const advice = lasts ? 'Check the quota of the account.' : 'Try again later.';
      const error = failed('rate-limited', `has no capacity (HTTP ${status})${text}. ${advice}`);
      return { error, retriable: !lasts };
    }
    if (status === 408 || status >= 500) {
      const error = failed('unreachable', `failed (HTTP ${status})${text}. Try again later.`);
      return { error, retriable: true };
    }
    if (status === 413) {
      const error = failed('too-large', `refused a request of this size${text}. Shorten the conversation.`);
      return { error, retriable: false };
    }
    const error = failed('rejected', `rejected the request (HTTP ${status})${text}. ${adviceFor(status)}`);
    return { error, retriable: false };
  }

  /** Returns the text of an endpoint for an error; empty if there is none. */
  #quoted(problem: unknown): string {
    const { message, detail } = isRecord(problem) ? problem : { message: problem, detail: undefined };
    const text = [message, detail].find((one) => typeof one === 'string' && one.trim() !== '');
    return text === undefined ? '' : `: "${this.#clean(text as string)}"`;
  }

  #clean(text: string): string {
    let clean = withoutControls(text);
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, redacted);
    clean = redactText(clean).replace(/\s+/g, ' ').trim();
    return clean.length <= mostErrorChars ? clean : `${clean.slice(0, mostErrorChars)}…`;
  }
}

const busy: ReadonlySet<unknown> = new Set([
  429,
  529,
  'rate_limit_error',
  'overloaded_error',
  'rate_limit_exceeded',
]);

function requireAddress(owner: string, url: URL, hasSecrets: boolean): void {
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`${owner}: baseUrl must begin with http: or https:.`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError(`${owner}: baseUrl has a user name or password. Use the option "key", or "headers".`);
  if (hasSecrets && !isHttpsOrLoopback(url))
    throw new TypeError(
      `${owner}: baseUrl must begin with https:, because others on the network could read the key and the headers of a request to ${url.host}. Only an address of this machine may begin with http:.`,
    );
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the key, and that it may use the model.';
  if (status === 404) return 'Check the name of the model and the option "baseUrl".';
  if (status === 0 || (status >= 300 && status < 400))
    return 'Redirects are not followed: set "baseUrl" to the final address.';
  return 'Change the request or the model.';
}

/** Returns the beginning of an error response. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = mostErrorBytes;
  try {
    for await (const bytes of bytesOf(response)) {
      text += decoder.decode(bytes.subarray(0, left), { stream: true });
      left -= bytes.byteLength;
      if (left <= 0) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

/** Returns the error object of a response; pages of proxies have none. */
function problemIn(text: string): unknown {
  const body = jsonIn(text, text.trimStart().startsWith('<') ? undefined : text);
  return isRecord(body) && body.error !== undefined ? body.error : body;
}

function isLasting(problem: unknown): boolean {
  if (!isRecord(problem)) return false;
  const { type, code, details } = problem;
  return [type, code, isRecord(details) ? details.error_code : undefined].some((name) => lasting.has(name));
}

/** Milliseconds of `Retry-After`, which is in seconds or a date by the clock of the endpoint (RFC 9110, section 10.2.3). */
function retryAfterIn(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1_000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
