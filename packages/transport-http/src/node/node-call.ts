import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { detach, type WorkBounds } from '@tenon/mcp-protocol';
import { GatheredBytes } from '../gathered-bytes.js';
import { type Body, type Headers, type HttpCall, readBefore } from '../server/http-call.js';
import { defaultHttpLimits } from '../server/http-limits.js';
import { networkOf } from '../server/network.js';
import { headOf } from './request-head.js';

/** Characters past which a body is written as bytes. */
const longBody = 65_536;
/** Characters of events that wait for the end of the tick. */
const maxPending = 65_536;

/** One request of a `node:http` server, without any object of the fetch API. */
export class NodeCall implements HttpCall {
  unread: number = defaultHttpLimits.unread;
  bounds: WorkBounds | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #parsed: { readonly value: unknown } | undefined;
  readonly url: string;
  readonly repeated: string | undefined;
  /** The host that the request target names, in place of the header. */
  readonly #host: string | undefined;
  #told: string | undefined;
  #added: Record<string, string> | undefined;
  #pending = '';
  #scheduled = false;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  #gone: (() => void) | undefined;
  #watching = false;

  /** @param parsed - the body, where the application has read it already. */
  constructor(request: IncomingMessage, response: ServerResponse, parsed?: { readonly value: unknown }) {
    this.#request = request;
    this.#response = response;
    this.#parsed = parsed;
    const { url, host, repeated } = headOf(request);
    this.url = url;
    this.#host = host;
    this.repeated = repeated;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get remoteAddress(): string | undefined {
    if (this.#told !== undefined) return this.#told;
    const address = this.#request.socket?.remoteAddress;
    return address === undefined || address.includes('.') ? address : networkOf(address);
  }

  set remoteAddress(told: string | undefined) {
    this.#told = told;
  }

  get closed(): boolean {
    const response = this.#response;
    return response.writableEnded || response.destroyed || this.#socket?.destroyed === true;
  }

  get streaming(): boolean {
    return this.#response.headersSent;
  }

  header(name: string): string | undefined {
    const { headers } = this.#request;
    if (name === 'authorization') return this.#credentials();
    // HTTP/2 has a field of its own for the host.
    const value = name === 'host' ? (this.#host ?? headers.host ?? headers[':authority']) : headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  /** Of several that say who is calling, Node shows the first alone, and what is in front may have looked at another. */
  #credentials(): string | undefined {
    const { rawHeaders = [], headers } = this.#request;
    const found = rawHeaders.filter(
      (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
    );
    return found.length > 1 ? found.join(', ') : headers.authorization;
  }

  addHeaders(headers: Headers): void {
    this.#added = { ...this.#added, ...headers };
  }

  readBody(limit: number, take: (body: Body) => void): void {
    if (this.#parsed !== undefined) take(this.#parsed);
    else if (this.#request.readableEnded) take(readBefore);
    else {
      const announced = Number(this.#request.headers['content-length'] ?? 0);
      if (announced > limit) take(tooLong(limit));
      else this.#collect(limit, new GatheredBytes(announced), take);
    }
  }

  send(status: number, headers: Headers, body?: string): void {
    if (this.closed) return;
    const head: Record<string, string | number> = { ...headers, ...this.#added };
    // A long text is turned into bytes once; of a short one counting them is cheaper than having them.
    const sent = body !== undefined && body.length > longBody ? Buffer.from(body) : body;
    if (sent !== undefined) head['content-length'] = Buffer.byteLength(sent);
    else if (status !== 204 && status !== 304) head['content-length'] = 0;
    this.#response.writeHead(status, head);
    this.#response.end(sent);
  }

  open(headers: Headers): void {
    if (this.closed) return;
    this.#response.writeHead(200, this.#added === undefined ? headers : { ...headers, ...this.#added });
    this.#schedule();
  }

  // What is written in one tick leaves in one write.
  write(text: string): Promise<void> | undefined {
    if (this.closed) return undefined;
    this.#pending += text;
    if (this.#pending.length >= maxPending) return this.#flush();
    this.#schedule();
    return this.#response.writableNeedDrain ? this.#patience() : undefined;
  }

  end(text = ''): void {
    if (this.closed) return;
    const last = this.#pending + text;
    this.#pending = '';
    this.#response.end(last);
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.#watching) return;
    this.#watching = true;
    if (this.#response.destroyed || this.#socket?.destroyed) queueMicrotask(this.#closed);
    else this.#watch();
  }

  /** Frameworks and HTTP/2 have requests without one. */
  get #socket(): Socket | null | undefined {
    return this.#request.socket;
  }

  #watch(): void {
    this.#response.once('close', this.#closed);
    const socket = this.#socket;
    if (this.#response.socket !== null || !socket) return;
    // An answer that waits behind another one hears nothing of the end of their connection.
    socket.setMaxListeners(0).once('close', this.#closed);
    this.#response.once('close', () => socket.off('close', this.#closed));
  }

  readonly #closed = (): void => {
    const gone = this.#gone;
    this.#gone = undefined;
    this.#room?.open();
    if (!this.#response.writableFinished) gone?.();
  };

  readonly #tick = (): void => {
    this.#scheduled = false;
    if (this.closed) return;
    if (this.#pending === '') this.#response.flushHeaders();
    else detach(this.#flush(), () => this.#response.destroy());
  };

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    process.nextTick(this.#tick);
  }

  #flush(): Promise<void> | undefined {
    const text = this.#pending;
    this.#pending = '';
    if (this.#response.write(text)) return undefined;
    if (this.#response.writableLength <= this.unread) return this.#patience();
    this.#response.destroy();
    return undefined;
  }

  #patience(): Promise<void> {
    if (this.#room === undefined) {
      let open = () => {};
      const promise = new Promise<void>((resolve) => {
        open = () => {
          this.#room = undefined;
          resolve();
        };
      });
      this.#room = { promise, open };
      this.#response.once('drain', open);
      this.onGone(this.#gone ?? (() => {}));
    }
    return this.#room.promise;
  }

  #collect(limit: number, gathered: GatheredBytes, take: (body: Body) => void): void {
    const request = this.#request;
    const onData = (chunk: Buffer) => {
      if (gathered.size + chunk.length <= limit) {
        gathered.add(chunk);
        return;
      }
      letGo().resume();
      take(tooLong(limit));
    };
    const onEnd = () => {
      letGo();
      take(textOf(gathered.bytes));
    };
    // What listens keeps the bytes, and the request stays as long as its answer takes.
    const letGo = () => request.off('data', onData).off('end', onEnd);
    request.on('data', onData).on('end', onEnd);
    // A client that goes away in the middle is no error of anybody; 'close' follows.
    request.on('error', ignore);
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): Body {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8') }
    : { flaw: { status: 400, reason: 'The body is not UTF-8.' } };
}

function tooLong(limit: number): Body {
  return { flaw: { status: 413, reason: `The body is longer than ${limit} bytes.` } };
}

function ignore(): void {}
