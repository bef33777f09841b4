import { Buffer } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { detach } from '@tenon/foundation';
import type { EventPort, Principal, WorkBounds } from '@tenon/mcp-protocol';
import { networkOf } from '../server/admission/network.js';
import type { ConnectionTraffic, Traffic, UnreadAnswer } from '../server/admission/traffic.js';
import type { Body, Headers, HttpCall } from '../server/call/http-call.js';
import { httpBounds } from '../server/call/http-limits.js';
import { pipelinedTooMany, refuse, unreadAnswers } from '../server/call/refusal.js';
import { parsedBefore, readNodeBody } from './node-body.js';
import { headOf } from './request-head.js';

/** Characters of a body above which it is written as bytes. */
const longBody = 65_536;
/** Characters of events that are buffered until the end of the tick. */
const maxPending = 65_536;
/** Bytes of a whole answer that are not counted: the socket takes them, or the loss is small. */
const shortAnswer = 4_096;

/** Bytes of an answer above which it counts as work of its turn of the event loop. */
const longAnswer = 262_144;

/** Settings of a call beside its request and its response. */
export interface NodeCallSettings {
  /** Counts the unread bytes on the connections of this server. */
  readonly traffic: Traffic;
  /** The body, if the application has parsed it already. */
  readonly parsed?: { readonly value: unknown } | undefined;
}

/** One request of a `node:http` server. Uses no object of the fetch API. */
export class NodeCall implements HttpCall, UnreadAnswer {
  unread: number = httpBounds.unread;
  bounds: WorkBounds | undefined;
  principal: Principal | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly url: string;
  readonly repeated: string | undefined;
  /** The host in the request target, which replaces the Host header. */
  readonly #host: string | undefined;
  readonly #settings: NodeCallSettings;
  /** Counts the unread bytes of this answer; undefined until there are some. */
  #counted: ConnectionTraffic | undefined;
  #located: string | undefined;
  #added: Record<string, string> | undefined;
  #pending = '';
  #scheduled = false;
  #drained: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  #gone: (() => void) | undefined;
  #watching = false;

  constructor(request: IncomingMessage, response: ServerResponse, settings: NodeCallSettings) {
    this.#request = request;
    this.#response = response;
    this.#settings = settings;
    const { url, host, repeated } = headOf(request);
    this.url = url;
    this.#host = host;
    this.repeated = repeated;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get remoteAddress(): string | undefined {
    if (this.#located !== undefined) return this.#located;
    const address = this.#request.socket?.remoteAddress;
    return address === undefined || address.includes('.') ? address : networkOf(address);
  }

  set remoteAddress(located: string | undefined) {
    this.#located = located;
  }

  get serverEvents(): EventPort | undefined {
    return this.#settings.traffic.events;
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
    // HTTP/2 has its own field for the host.
    const value = name === 'host' ? (this.#host ?? headers.host ?? headers[':authority']) : headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  /** Returns all Authorization headers: Node shows only the first of several, and a proxy in front may have checked another. */
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

  /**
   * Rejects a request if too many on its connection wait behind another; returns false if it may be handled. Not needed
   * for a response that has its socket.
   */
  refusesPipelining(): boolean {
    const socket = this.#socket;
    if (!this.#isQueued || !socket) return false;
    const { traffic } = this.#settings;
    const connection = traffic.connection(socket);
    if (connection.queued >= traffic.pipelined) {
      refuse(this, pipelinedTooMany);
      return true;
    }
    connection.queued++;
    this.#response.once('socket', () => connection.queued--);
    return false;
  }

  readBody(limit: number, take: (body: Body) => void): void {
    const { parsed, traffic } = this.#settings;
    if (parsed !== undefined) take(parsed);
    else if (this.#request.readableEnded) take(parsedBefore(this.#request, limit));
    else readNodeBody(this.#request, { limit, traffic, caller: this }, take);
  }

  send(status: number, headers: Headers | OutgoingHttpHeaders, body?: string | Uint8Array): void {
    if (this.closed) return;
    // A long text is converted to bytes once. For a short text, counting the bytes is cheaper than converting.
    const sent = typeof body === 'string' && body.length > longBody ? Buffer.from(body) : body;
    const length = sent === undefined ? 0 : Buffer.byteLength(sent);
    if (length > shortAnswer && this.#isQueued && this.#connection.isFull(length, this.unread)) {
      refuse(this, unreadAnswers);
      return;
    }
    const head: OutgoingHttpHeaders = { ...headers, ...this.#added };
    if (status !== 204 && status !== 304) head['content-length'] = length;
    this.#response.writeHead(status, head);
    this.#response.end(sent);
    if (length > shortAnswer) this.#count(length);
  }

  open(headers: Headers): void {
    if (this.closed) return;
    this.#response.writeHead(200, this.#added === undefined ? headers : { ...headers, ...this.#added });
    if (this.#isQueued) this.#response.once('socket', () => this.#schedule());
    else this.#schedule();
  }

  // Texts written in one tick are sent in one write.
  write(text: string): Promise<void> | undefined {
    if (this.closed) return undefined;
    this.#pending += text;
    if (this.#response.socket === null) {
      this.#count(text.length);
      return this.#patience();
    }
    if (this.#pending.length >= maxPending) return this.#flush();
    this.#schedule();
    return this.#response.writableNeedDrain ? this.#patience() : undefined;
  }

  end(text = ''): void {
    if (this.closed) return;
    const last = this.#pending + text;
    this.#pending = '';
    this.#response.end(last);
    if (last.length > shortAnswer || this.#counted !== undefined) this.#count(text.length);
  }

  waiting(): number {
    return this.#pending.length + this.#response.writableLength;
  }

  onGone(task: () => void): void {
    this.#gone = task;
    if (this.#watching) return;
    this.#watching = true;
    if (this.#response.destroyed || this.#socket?.destroyed) queueMicrotask(this.#closed);
    else this.#watch();
  }

  /** Requests of frameworks and of HTTP/2 may have no socket. */
  get #socket(): Socket | null | undefined {
    return this.#request.socket;
  }

  /** True while an earlier request of the connection has no complete answer. */
  get #isQueued(): boolean {
    return this.#response.socket === null;
  }

  get #connection(): ConnectionTraffic {
    return this.#settings.traffic.connection(this.#socket ?? this.#response);
  }

  /** Counts the unread bytes, after `written` more. May end the connection. */
  #count(written: number): void {
    if (written > longAnswer) this.#settings.traffic.turns.spend(this, written);
    if (this.#counted === undefined) {
      if (this.waiting() === 0) return;
      const connection = this.#connection;
      this.#counted = connection;
      this.#response.once('finish', () => connection.forget(this));
      this.#response.on('drain', () => connection.count(this, 0, this.unread));
    }
    this.#counted.count(this, written, this.unread);
  }

  #watch(): void {
    this.#response.once('close', this.#closed);
    const socket = this.#socket;
    if (this.#response.socket !== null || !socket) return;
    // Node does not notify an answer that waits behind another one when their connection ends.
    socket.setMaxListeners(0).once('close', this.#closed);
    this.#response.once('close', () => socket.off('close', this.#closed));
  }

  readonly #closed = (): void => {
    const gone = this.#gone;
    this.#gone = undefined;
    this.#pending = '';
    this.#drained?.open();
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
    const isTaken = this.#response.write(text);
    if (!isTaken || this.#counted !== undefined) this.#count(text.length);
    if (!isTaken) return this.#patience();
    this.#drained?.open();
    return undefined;
  }

  #patience(): Promise<void> {
    if (this.#drained === undefined) {
      let open = () => {};
      const promise = new Promise<void>((resolve) => {
        open = () => {
          this.#drained = undefined;
          resolve();
        };
      });
      this.#drained = { promise, open };
      this.#response.once('drain', open);
      this.onGone(this.#gone ?? (() => {}));
    }
    return this.#drained.promise;
  }
}
