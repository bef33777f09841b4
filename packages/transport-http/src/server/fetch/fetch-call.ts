import { detach, follow } from '@tenon/foundation';
import type { EventPort, Principal, WorkBounds } from '@tenon/mcp-protocol';
import { ConnectionTraffic, type Traffic, type UnreadAnswer } from '../admission/traffic.js';
import { type Body, type Headers as HeaderValues, type HttpCall, readBefore } from '../call/http-call.js';
import { httpBounds } from '../call/http-limits.js';
import { readFetchBody } from './fetch-body.js';
import { piecedResponse } from './pieced-response.js';

const encoder = new TextEncoder();
/** Bytes buffered in a stream above which `write` returns a promise. */
const highWater = 65_536;
/** Characters above which a whole answer is sent in chunks, to measure how much of it is read. */
const longBody = 65_536;

/** Settings of a call beside its request. */
export interface FetchCallSettings {
  /** Counts the unread bytes. */
  readonly traffic: Traffic;
  /** The body, if the application has parsed it already. */
  readonly parsed?: { readonly value: unknown } | undefined;
}

/** One request of a runtime with `Request` and `Response`. */
export class FetchCall implements HttpCall, UnreadAnswer {
  readonly method: string;
  readonly url: string;
  remoteAddress: string | undefined;
  readonly response: Promise<Response>;
  unread: number = httpBounds.unread;
  bounds: WorkBounds | undefined;
  principal: Principal | undefined;
  readonly #request: Request;
  readonly #settings: FetchCallSettings;
  /** Unread bytes, as far as the runtime shows them: each answer counts as a connection of its own. */
  #connection: ConnectionTraffic | undefined;
  /** True if the stream ends when its buffer is read: the buffer of a closed stream cannot be measured. */
  #ending = false;
  #respond: (response: Response) => void = () => {};
  #added: Record<string, string> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  #closed = false;
  #gone: (() => void) | undefined;

  constructor(request: Request, settings: FetchCallSettings) {
    const { pathname, search } = new URL(request.url);
    this.#request = request;
    this.#settings = settings;
    this.method = request.method;
    this.url = pathname + search;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  get serverEvents(): EventPort | undefined {
    return this.#settings.traffic.events;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get streaming(): boolean {
    return this.#controller !== undefined;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    // Some runtimes hide the Host header; the URL has the same host.
    return value ?? (name === 'host' ? new URL(this.#request.url).host : undefined);
  }

  addHeaders(headers: HeaderValues): void {
    this.#added = { ...this.#added, ...headers };
  }

  readBody(limit: number, take: (body: Body) => void): void {
    const { parsed, traffic } = this.#settings;
    if (parsed !== undefined) take(parsed);
    else if (this.#request.bodyUsed) take(readBefore);
    else {
      const reading = { limit, traffic, caller: this };
      // A request is not started if its client has disconnected meanwhile.
      const taken = (body: Body) => (this.#request.signal.aborted ? this.#lost() : take(body));
      follow(readFetchBody(this.#request, reading), taken, () => this.#lost());
    }
  }

  send(status: number, headers: HeaderValues, body?: string): void {
    if (this.#closed) return;
    const isLong = body !== undefined && body.length > longBody && this.method !== 'HEAD';
    // May throw, for an invalid status or header: nothing is answered then.
    const response = isLong
      ? piecedResponse(this.#settings.traffic, {
          bytes: encoder.encode(body),
          status,
          headers: this.#headers(headers),
          remoteAddress: this.remoteAddress,
        })
      : new Response(this.method === 'HEAD' ? null : (body ?? null), {
          status,
          headers: this.#headers(headers),
        });
    this.#closed = true;
    this.#respond(response);
  }

  open(headers: HeaderValues): void {
    if (this.#closed) return;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: (controller) => {
          // Short answers are not counted until there is a long one.
          if (this.#connection !== undefined) this.#count(0);
          if (this.#ending && this.waiting() === 0) controller.close();
          this.#room?.open();
          this.#room = undefined;
        },
        cancel: () => this.#lost(),
      },
      byBytes,
    );
    this.#request.signal.addEventListener('abort', () => this.#lost(), { once: true });
    this.#respond(new Response(stream, { status: 200, headers: this.#headers(headers) }));
  }

  write(text: string): Promise<void> | undefined {
    const controller = this.#controller;
    if (this.#closed || controller === undefined) return undefined;
    const bytes = encoder.encode(text);
    controller.enqueue(bytes);
    const { desiredSize } = controller;
    if (desiredSize === null) return undefined;
    const isShort = desiredSize > 0 && highWater - desiredSize <= this.unread;
    if (isShort && this.#connection === undefined) return undefined;
    this.#count(bytes.byteLength);
    if (this.#closed || desiredSize > 0) return undefined;
    this.#room ??= room();
    return this.#room.promise;
  }

  end(text?: string): void {
    if (text !== undefined) detach(this.write(text), () => this.#lost());
    if (this.#closed) return;
    this.#closed = true;
    if (this.#connection === undefined || this.waiting() === 0) this.#controller?.close();
    else this.#ending = true;
    this.#room?.open();
  }

  waiting(): number {
    const { desiredSize = null } = this.#controller ?? {};
    return desiredSize === null ? 0 : highWater - desiredSize;
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.#request.signal.aborted) this.#lost();
    else if (this.#controller === undefined) {
      this.#request.signal.addEventListener('abort', () => this.#lost(), { once: true });
    }
  }

  #headers(headers: HeaderValues): HeaderValues {
    // Always a copy: some runtimes modify the object that is passed to them.
    return { ...headers, ...this.#added };
  }

  /** Counts the unread bytes, after `written` more. May end this answer. */
  #count(written: number): void {
    if (this.#connection === undefined) {
      if (this.waiting() === 0) return;
      this.#connection = new ConnectionTraffic(this.#settings.traffic, () => this.#overrun());
    }
    this.#connection.count(this, written, this.unread);
  }

  #overrun(): void {
    this.#controller?.error(new Error('The client did not read the answer within the limits.'));
    this.#lost();
  }

  #lost(): void {
    this.#connection?.end();
    if (this.#closed) return;
    this.#closed = true;
    this.#room?.open();
    this.#gone?.();
    // The client has gone, but the runtime waits for a response, or for its end.
    if (this.#controller === undefined) this.#respond(new Response(null, { status: 499 }));
    else endQuietly(this.#controller);
  }
}

/** Bytes of a stream count until they are read. */
const byBytes: QueuingStrategy<Uint8Array> = {
  highWaterMark: highWater,
  size: (chunk) => chunk?.byteLength ?? 0,
};

/** Closes instead of failing: some runtimes log an error each time a client disconnects. */
function endQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // The stream has ended already, or was cut off.
  }
}

function room(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
