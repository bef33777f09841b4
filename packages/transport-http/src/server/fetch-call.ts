import { detach, follow, type WorkBounds } from '@tenon/mcp-protocol';
import { GatheredBytes } from '../gathered-bytes.js';
import { type Body, type Headers as HeaderValues, type HttpCall, readBefore } from './http-call.js';
import { defaultHttpLimits } from './http-limits.js';

const encoder = new TextEncoder();
/** Bytes that wait in a stream before patience is asked for. */
const highWater = 65_536;

/** One request of a runtime that speaks `Request` and `Response`. */
export class FetchCall implements HttpCall {
  readonly method: string;
  readonly url: string;
  remoteAddress: string | undefined;
  readonly response: Promise<Response>;
  unread: number = defaultHttpLimits.unread;
  bounds: WorkBounds | undefined;
  readonly #request: Request;
  readonly #parsed: { readonly value: unknown } | undefined;
  #respond: (response: Response) => void = () => {};
  #added: Record<string, string> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  #closed = false;
  #gone: (() => void) | undefined;

  /** @param parsed - the body, where the application has read it already. */
  constructor(request: Request, parsed?: { readonly value: unknown }) {
    const { pathname, search } = new URL(request.url);
    this.#request = request;
    this.#parsed = parsed;
    this.method = request.method;
    this.url = pathname + search;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  get streaming(): boolean {
    return this.#controller !== undefined;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    // Some runtimes keep the header to themselves; the URL then says the same.
    return value ?? (name === 'host' ? new URL(this.#request.url).host : undefined);
  }

  addHeaders(headers: HeaderValues): void {
    this.#added = { ...this.#added, ...headers };
  }

  readBody(limit: number, take: (body: Body) => void): void {
    if (this.#parsed !== undefined) take(this.#parsed);
    else if (this.#request.bodyUsed) take(readBefore);
    else follow(this.#read(limit), take, () => this.#lost());
  }

  send(status: number, headers: HeaderValues, body?: string): void {
    if (this.#closed) return;
    // May throw, for a status or header that cannot be: nothing is answered then.
    const response = new Response(this.method === 'HEAD' ? null : (body ?? null), {
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
        pull: () => {
          this.#room?.open();
          this.#room = undefined;
        },
        cancel: () => this.#lost(),
      },
      { highWaterMark: highWater, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    this.#request.signal.addEventListener('abort', () => this.#lost(), { once: true });
    this.#respond(new Response(stream, { status: 200, headers: this.#headers(headers) }));
  }

  write(text: string): Promise<void> | undefined {
    const controller = this.#controller;
    if (this.#closed || controller === undefined) return undefined;
    controller.enqueue(encoder.encode(text));
    const { desiredSize } = controller;
    if (desiredSize === null) return undefined;
    if (highWater - desiredSize > this.unread) return this.#overrun(controller);
    if (desiredSize > 0) return undefined;
    this.#room ??= room();
    return this.#room.promise;
  }

  end(text?: string): void {
    if (text !== undefined) detach(this.write(text), () => this.#lost());
    if (this.#closed) return;
    this.#closed = true;
    this.#controller?.close();
    this.#room?.open();
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.#request.signal.aborted) this.#lost();
    else if (this.#controller === undefined) {
      this.#request.signal.addEventListener('abort', () => this.#lost(), { once: true });
    }
  }

  #headers(headers: HeaderValues): HeaderValues {
    // A copy in any case: some runtimes write into what they are given.
    return { ...headers, ...this.#added };
  }

  async #read(limit: number): Promise<Body> {
    const declared = Number(this.#request.headers.get('content-length') ?? 0);
    if (declared > limit) return tooLong(limit);
    const gathered = new GatheredBytes(declared);
    const reader = this.#request.body?.getReader();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk?.value === undefined) break;
      if (gathered.size + chunk.value.byteLength > limit) {
        reader?.cancel().catch(() => undefined);
        return tooLong(limit);
      }
      gathered.add(chunk.value);
    }
    return decoded(gathered.bytes);
  }

  #overrun(controller: ReadableStreamDefaultController<Uint8Array>): undefined {
    controller.error(new Error('The client does not read.'));
    this.#lost();
  }

  #lost(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#room?.open();
    this.#gone?.();
    // Nobody reads it, but whoever made the request waits for one, or for the end of it.
    if (this.#controller === undefined) this.#respond(new Response(null, { status: 499 }));
    else endQuietly(this.#controller);
  }
}

/** An error would be written to the log of some runtimes each time a client goes away. */
function endQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {
    // It has ended already, or was cut off.
  }
}

function room(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

function tooLong(limit: number): Body {
  return { flaw: { status: 413, reason: `The body is longer than ${limit} bytes.` } };
}

function decoded(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { flaw: { status: 400, reason: 'The body is not UTF-8.' } };
  }
}
