import { type Envelope, isNestedDeeper, isObject, type RequestId, TransportError } from '@tenon/mcp-protocol';
import { carrierFailure } from './carrier-failure.js';
import { EventStream, type StreamHost, type StreamOwner } from './event-stream.js';
import { type AnswerHeaders, mediaTypeOf } from './http-sender.js';
import { tooDeep } from './inbox.js';
import type { Departing } from './outstanding.js';
import { refusalError } from './refusal.js';
import { type Outbound, Reply } from './reply.js';
import type { HeaderList } from './request-headers.js';
import { TextBody } from './text-body.js';

/** What a POST needs of its connection. */
export interface PostHost extends StreamHost {
  /** The server can give a broken stream again. */
  readonly resumable: boolean;
  /** The answer has begun, or will not. */
  headed(post: Post): void;
  /** The server took what was sent. Returns what is wrong with its headers, if anything is. */
  accepted(post: Post, headers: AnswerHeaders): TransportError | undefined;
  /** The server does not know the session it was sent in, and has not looked at it. */
  orphaned(post: Post, error: TransportError): void;
  /** Takes one message that was the whole answer. */
  deliver(value: unknown, source: Post): void;
  /** It is over, however that came. */
  finished(post: Post): void;
}

/** One frame to send. */
export interface Sent {
  readonly frame: string;
  readonly envelope: Envelope;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Bytes taken of a body that nobody reads, or that only tells people what went wrong. */
const maxIdleBytes = 65_536;

/** One frame on its way to the server, and everything that comes back for it. */
export class Post extends Reply implements Outbound, StreamOwner, Departing {
  readonly method = 'POST';
  readonly body: string;
  readonly envelope: Envelope;
  readonly ids: readonly RequestId[];
  readonly holds = true;
  turn: Departing['turn'];
  place: Departing['place'];
  readonly #host: PostHost;
  readonly #sent: Sent;
  #left: number;
  #begun = false;
  #hadSession = false;
  #status = 0;
  #answerHeaders: AnswerHeaders | undefined;
  /** What the body is; undefined while it is not known, or once nobody reads it. */
  #body: TextBody | EventStream | undefined;
  #settled = false;
  #lingers = false;
  #cancelWait: (() => void) | undefined;

  constructor(host: PostHost, sent: Sent) {
    super(host);
    this.#host = host;
    this.#sent = sent;
    this.envelope = sent.envelope;
    const { id, ids } = sent.envelope;
    this.ids = ids ?? (id === undefined ? none : [id]);
    this.#left = this.ids.length;
    this.body = sent.frame;
  }

  headers(): HeaderList {
    return this.#host.headers.post(this.envelope);
  }

  begin(): void {
    this.#begun = true;
    this.#hadSession = this.envelope.opening !== true && this.#host.headers.session !== undefined;
    if (this.ids.length === 0) this.#limitTaking();
    this.send();
  }

  wanted(): boolean {
    return this.#left > 0;
  }

  /** It has been sent, and nothing of its answer is there. */
  get unheard(): boolean {
    return this.#begun && this.#status === 0 && this.#left > 0;
  }

  /** It has been sent. */
  get begun(): boolean {
    return this.#begun;
  }

  answered(): void {
    if (--this.#left > 0) return;
    const body = this.#body;
    // It was the body itself that answered.
    if (body instanceof TextBody && this.over) return;
    // A stream that was taken up again is another request, which brings nothing more that is wanted.
    const resumed = body instanceof EventStream && body.isResumed;
    queueMicrotask(() => (resumed ? this.settle() : this.#linger()));
  }

  /** Nothing more is expected; only the end of the answer is not there. */
  get lingering(): boolean {
    return this.#lingers;
  }

  /**
   * Nothing waits for the answer under this id any more.
   * @param readsOn - its stream is read for a while yet: the server takes back there what it requested for the call.
   */
  giveUp(readsOn: boolean): void {
    if (--this.#left > 0) return;
    if (readsOn && this.#body instanceof EventStream && !this.over) this.#linger();
    else this.settle();
  }

  ended(): void {
    this.settle();
  }

  lost(error: TransportError): void {
    this.settle(error);
  }

  refused(status: number): void {
    const { origin } = this.#host.route;
    const message = `The stream of ${origin} ended before the answer, and cannot be resumed: HTTP ${status}.`;
    this.settle(new TransportError(message, { status }));
  }

  /** Ends it: with an error, or well. */
  settle(error?: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelWait?.();
    this.abort();
    if (this.#body instanceof EventStream) this.#body.stop();
    if (this.#status === 0) this.#host.headed(this);
    this.#host.finished(this);
    if (error === undefined) this.#sent.resolve();
    else this.#sent.reject(error);
  }

  // Itself: one object less for each call.
  protected get outbound(): Outbound {
    return this;
  }

  protected onHead(status: number, headers: AnswerHeaders): void {
    this.#host.headed(this);
    this.#status = status;
    if (status < 200 || status >= 300) this.#refuse(status, headers);
    else {
      const flaw = this.#host.accepted(this, headers);
      if (flaw === undefined) this.#accept(status, headers);
      else this.settle(flaw);
    }
  }

  protected onChunk(bytes: Uint8Array): void {
    if (this.#body instanceof EventStream) this.#body.chunk(bytes, this);
    else if (this.#body?.push(bytes) === false) this.#overflow();
  }

  protected onEnd(): void {
    const body = this.#body;
    if (this.#status >= 300) this.settle(this.#refusal());
    else if (body instanceof EventStream) this.#streamOver(body);
    else this.settle(this.#readJson(body));
  }

  protected onFailed(error: unknown): void {
    const body = this.#body;
    if (this.#left === 0 && this.#status >= 200 && this.#status < 300) this.settle();
    else if (body instanceof EventStream && this.#host.resumable && body.resumable)
      body.over('broken', error);
    else this.settle(error instanceof TypeError ? error : carrierFailure(error, this.#host.route.origin));
  }

  protected override onHeld(held: boolean): void {
    if (this.ids.length > 0) return;
    this.#cancelWait?.();
    if (!held) this.#limitTaking();
  }

  #accept(status: number, headers: AnswerHeaders): void {
    const type = mediaTypeOf(headers);
    if (type === 'text/event-stream') this.#body = new EventStream(this.#host, this);
    else if (type === 'application/json' && status !== 202) {
      this.#body = new TextBody(this.#host.limits.maxAnswerBytes);
    } else if (this.#left > 0) this.settle(this.#unusable(status, type));
    else this.#body = new TextBody(maxIdleBytes);
    if (this.#left > 0) return;
    // Nothing is waited for: that it was taken is all there is to know.
    this.#sent.resolve();
    this.#linger();
  }

  #unusable(status: number, type: string | undefined): TransportError {
    const { origin } = this.#host.route;
    const what =
      type === undefined || status === 202 || status === 204
        ? `HTTP ${status} and no content`
        : `the content type "${type.slice(0, 60)}"`;
    const message = `${origin} answered a request with ${what}; JSON or an event stream was expected. Is this the URL of an MCP server?`;
    return new TransportError(message, { status });
  }

  #refuse(status: number, headers: AnswerHeaders): void {
    if (status === 404 && this.#hadSession) {
      const message = `${this.#host.route.origin} does not know the session any more (HTTP 404).`;
      this.abort();
      this.#host.orphaned(this, new TransportError(message, { status, unhandled: true }));
      return;
    }
    const isJson = mediaTypeOf(headers) === 'application/json';
    this.#answerHeaders = headers;
    this.#body = new TextBody(isJson ? this.#host.limits.maxAnswerBytes : maxIdleBytes);
  }

  #refusal(text = textOf(this.#body)): Error {
    const { limits, route } = this.#host;
    return refusalError({
      origin: route.origin,
      status: this.#status,
      headers: this.#answerHeaders ?? {},
      text,
      ids: this.ids,
      maxNesting: limits.maxNesting,
    });
  }

  /** Delivers the one message of a JSON answer. Returns why it is none. */
  #readJson(body: TextBody | undefined): TransportError | undefined {
    const expected = this.#left > 0;
    if (!expected && (body === undefined || body.empty)) return undefined;
    const text = textOf(body);
    let value: unknown;
    let flaw = text === undefined ? 'it is not UTF-8' : undefined;
    try {
      if (text !== undefined) value = JSON.parse(text);
    } catch {
      flaw = text === '' ? 'it is empty' : 'it is not JSON';
    }
    const { maxNesting } = this.#host.limits;
    if (flaw === undefined && isNestedDeeper(value, text, maxNesting)) flaw = tooDeep(maxNesting);
    if (flaw === undefined && (expected || isMessage(value))) this.#host.deliver(value, this);
    if (!expected || (flaw === undefined && this.#left === 0)) return undefined;
    const why = flaw ?? 'it answers another request, one that was answered before, or none';
    const message = `The answer of ${this.#host.route.origin} cannot be used: ${why.replace(/\.$/, '')}.`;
    return new TransportError(message, { status: this.#status });
  }

  #streamOver(body: EventStream): void {
    if (this.#left === 0) this.settle();
    else if (this.#host.resumable && body.resumable) body.over('ended');
    else {
      const message = `${this.#host.route.origin} ended the stream before the answer.`;
      this.settle(new TransportError(message, { status: this.#status }));
    }
  }

  #overflow(): void {
    if (this.#status >= 300) this.settle(this.#refusal(undefined));
    else if (this.#left === 0) this.settle();
    else {
      const bound = this.#host.limits.maxAnswerBytes;
      const message = `The answer of ${this.#host.route.origin} is longer than ${bound} bytes (limit maxAnswerBytes).`;
      this.settle(new TransportError(message, { status: this.#status }));
    }
  }

  // No request, so no time limit of the session holds for it.
  #limitTaking(): void {
    const { clock, limits, route } = this.#host;
    const ms = limits.acceptWaitMs;
    const message = `${route.origin} did not take a message within ${ms} ms (limit acceptWaitMs).`;
    this.#cancelWait = clock.schedule(() => this.settle(new TransportError(message)), ms);
  }

  /** Nothing more is expected, but the answer goes on: for a while, something may still follow. */
  // The end mostly comes with the answer. A server that forgets it must not keep the connection for ever.
  #linger(): void {
    if (this.#settled) return;
    const { clock, limits } = this.#host;
    this.#cancelWait?.();
    this.#lingers = true;
    this.#cancelWait = clock.schedule(() => this.settle(), limits.closeWaitMs);
  }
}

const none: readonly RequestId[] = [];

function textOf(body: TextBody | EventStream | undefined): string | undefined {
  if (!(body instanceof TextBody)) return '';
  try {
    return body.text();
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && value.jsonrpc === '2.0');
}
