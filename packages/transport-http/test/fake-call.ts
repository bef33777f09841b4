import type { Body, Headers, HttpCall } from '../src/server/call/http-call.js';
import { readEvents, type ServerEvent } from './fake-events.js';

/** A request of a client. */
export interface FakeRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the body. A call without it must not read its body. */
  readonly text?: string;
  readonly remoteAddress?: string;
  /** The guard that authorized the call. */
  readonly guard?: HttpCall['guard'];
}

/** An HTTP call without HTTP that records its response. */
export class FakeCall implements HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  remoteAddress: string | undefined;
  guard: HttpCall['guard'];
  bounds: HttpCall['bounds'];
  /** Number of reads of the body. */
  bodyReads = 0;
  status: number | undefined;
  sent: Record<string, string> = {};
  text = '';
  streaming = false;
  closed = false;
  /** Texts of each write and of the end, in order. */
  readonly writes: string[] = [];
  /** Set to make every write wait. */
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

  /** Disconnects the client. */
  leave(): void {
    if (this.closed) return;
    this.#close();
    this.#gone?.();
  }

  /** The answer, if it was JSON. */
  get json(): Message {
    return JSON.parse(this.text);
  }

  /** The events sent so far. */
  get events(): ServerEvent[] {
    return readEvents(this.text);
  }

  /** The messages on the stream so far. */
  get messages(): Message[] {
    return this.events.flatMap(({ data }) => (data ? [JSON.parse(data)] : []));
  }

  /** Waits until a condition is true. */
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

/** The parts of a JSON-RPC message that tests read. */
export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
