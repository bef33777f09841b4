import type { Body, Headers, HttpCall } from '../src/server/endpoint/http-call.js';
import { readEvents, type ServerEvent } from './fake-events.js';

/** What a client sends. */
export interface FakeRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the body; a call without one is never asked for it. */
  readonly text?: string;
  readonly remoteAddress?: string;
  /** What has let it in. */
  readonly guard?: HttpCall['guard'];
}

/** An HTTP request without HTTP: it keeps what it is answered. */
export class FakeCall implements HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  remoteAddress: string | undefined;
  guard: HttpCall['guard'];
  bounds: HttpCall['bounds'];
  /** How often the body was asked for. */
  bodyReads = 0;
  status: number | undefined;
  sent: Record<string, string> = {};
  text = '';
  streaming = false;
  closed = false;
  /** Texts of each write and of the end, in order. */
  readonly writes: string[] = [];
  /** Set to make every write ask for patience. */
  patience: Promise<void> | undefined;
  readonly #body: string | undefined;
  #gone: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor({ method = 'POST', url = '/mcp', headers = {}, text, ...known }: FakeRequest = {}) {
    this.remoteAddress = known.remoteAddress;
    this.guard = known.guard;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#body = text;
  }

  header(name: string): string | undefined {
    return this.headers[name];
  }

  addHeaders(headers: Headers): void {
    this.sent = { ...this.sent, ...headers };
  }

  readBody(_limit: number, take: (body: Body) => void): void {
    this.bodyReads++;
    if (this.#body !== undefined) take({ text: this.#body });
  }

  send(status: number, headers: Headers, body = ''): void {
    if (this.closed) return;
    this.status = status;
    this.sent = { ...headers, ...this.sent };
    this.text = body;
    this.#close();
  }

  open(headers: Headers): void {
    if (this.closed) return;
    this.status = 200;
    this.sent = { ...headers, ...this.sent };
    this.streaming = true;
  }

  write(text: string): Promise<void> | undefined {
    if (this.closed) return undefined;
    this.text += text;
    this.writes.push(text);
    this.#wake();
    return this.patience;
  }

  end(text?: string): void {
    if (this.closed) return;
    if (text !== undefined) void this.write(text);
    this.#close();
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.closed) queueMicrotask(task);
  }

  /** The client goes away. */
  leave(): void {
    if (this.closed) return;
    this.#close();
    this.#gone?.();
  }

  /** The answer, where it was JSON. */
  get json(): Message {
    return JSON.parse(this.text);
  }

  /** What was sent as events so far. */
  get events(): ServerEvent[] {
    return readEvents(this.text);
  }

  /** The messages of the stream so far. */
  get messages(): Message[] {
    return this.events.flatMap(({ data }) => (data ? [JSON.parse(data)] : []));
  }

  /** Waits until something holds of this call. */
  async until(condition: () => boolean): Promise<this> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this;
  }

  /** Waits for the end of the response. */
  done(): Promise<this> {
    return this.until(() => this.closed);
  }

  #close(): void {
    this.closed = true;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A JSON-RPC message as far as tests look at it. */
export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
