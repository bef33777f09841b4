import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonIn, systemClock, withinTime } from '@tenon/foundation';
import { ErrorCode } from '@tenon/mcp-protocol';
import { errorFrame, isObject } from '@tenon/mcp-protocol/internal';
import { bodyOf } from '../../connections/send-request.js';
import { EventSplitter, type StreamEvent } from '../../forwarding/event-splitter.js';
import { forwardedHeaders, isEventStream, passOn } from '../../forwarding/pass-on.js';
import { type CallTrace, clientNameIn, isLasting, type OpenCall, type WireMessage } from '../call-trace.js';
import type { DevChild } from '../supervisor/dev-child.js';
import type { FrontParts } from '../supervisor/dev-front.js';

interface ProxyParts extends Pick<FrontParts, 'gate' | 'bounds'> {
  readonly trace: CallTrace;
  /** The names of clients by session. */
  readonly names: Map<string, string>;
}

interface HttpPair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The way in which the answer of a child ended. */
type Ending = 'complete' | 'broken';

/** Bytes of an answer that are read for the report. */
const mostRead = 1_048_576;
/** Bytes of one event. */
const mostEventBytes = 32 << 20;
/** Streams that end without an event, in a row, before the proxy gives up. */
const mostEmptyStreams = 5;

/** One request of a client, and the requests to one child after the other that answer it. */
export class ProxiedRequest {
  /** Resolves when the client has its answer, or has left. */
  readonly done: Promise<void>;
  /** The child that works on the request. */
  child: DevChild | undefined;
  /** True for a stream that stays open as long as the client listens. */
  isLasting = false;
  readonly #parts: ProxyParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #message: WireMessage | undefined;
  #call: OpenCall | undefined;
  #client = 'client';
  #lastEvent: string | undefined;
  #acknowledged = false;
  /** True if the stream cannot continue at another child. */
  #isBound = false;
  #answered = false;
  #emptyStreams = 0;
  #isDone: () => void = () => {};

  constructor(parts: ProxyParts, { request, response }: HttpPair) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.done = new Promise((resolve) => {
      this.#isDone = resolve;
    });
  }

  /** Answers the request. */
  async run(): Promise<void> {
    try {
      await this.#run();
    } finally {
      if (!this.#answered && this.#response.destroyed) this.#call?.cancel();
      this.#isDone();
    }
  }

  /** Ends the answer now. */
  end(): void {
    if (this.#response.headersSent) this.#response.end();
    else this.#fail('The development server was stopped.');
  }

  async #run(): Promise<void> {
    const body = await this.#readBody();
    if (body === undefined) return;
    this.#message = messageIn(body);
    const session = this.#request.headers['mcp-session-id'];
    this.#client =
      clientNameIn(this.#message) ??
      (typeof session === 'string' ? this.#parts.names.get(session) : undefined) ??
      'client';
    if (this.#isRequest) this.#call = this.#parts.trace.begin(this.#message ?? {}, this.#client);
    this.isLasting = this.#request.method === 'GET' || isLasting(this.#message);
    let resumes = false;
    for (;;) {
      if (!(await this.#choose())) return;
      const ending = await this.#forward(body, resumes);
      if (this.#isOver) return;
      if (ending === 'broken') await this.#exit();
      if (ending === 'complete' && this.child === this.#parts.gate.child) break;
      if (!this.#canResume) {
        const reason = this.child?.stopping === true ? 'was reloaded' : 'ended';
        this.#fail(`The server ${reason} before it answered. Send the request again.`);
        return;
      }
      resumes = true;
    }
    this.#response.end();
  }

  get #isRequest(): boolean {
    return typeof this.#message?.method === 'string' && this.#message.id !== undefined;
  }

  get #isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** True if another child can continue the stream: a client listens, or the stream has positions. */
  get #canResume(): boolean {
    if (!this.#response.headersSent || this.#isBound || this.#emptyStreams >= mostEmptyStreams) return false;
    return this.isLasting || this.#lastEvent !== undefined;
  }

  /** Waits for a child; false if the client received an error. */
  async #choose(): Promise<boolean> {
    try {
      this.child = await this.#parts.gate.wait();
      return !this.#isOver;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#call?.reject(reason);
      this.#fail(reason);
      return false;
    }
  }

  /** Waits for the end of the child after its connection broke, within `stopTime`. */
  async #exit(): Promise<void> {
    const limit = { clock: systemClock, ms: this.#parts.bounds.stopTime, holds: true };
    await withinTime(Promise.resolve(this.child?.exited), limit);
  }

  /** Sends the request to the child, and its answer to the client. Resolves when the answer has ended; does not reject. */
  async #forward(body: Buffer, resumes: boolean): Promise<Ending> {
    const { headers: given, method = 'GET', url: path } = this.#request;
    const resumesPost = resumes && !isLasting(this.#message);
    const headers = forwardedHeaders(given);
    if (resumesPost) {
      for (const name of ['content-length', 'content-type']) delete headers[name];
      headers.accept = 'text/event-stream';
    }
    if (resumesPost && this.#lastEvent !== undefined) headers['last-event-id'] = this.#lastEvent;
    else if (body.length > 0) headers['content-length'] = body.length;
    const url = new URL(this.child?.url ?? 'http://127.0.0.1:9');
    const options = { method: resumesPost ? 'GET' : method, path, headers, agent: false } as const;
    try {
      const sent = { body: resumesPost ? undefined : body, response: this.#response };
      const answer = await passOn(url, options, sent);
      const closed = new Promise((resolve) => answer.once('close', resolve));
      this.#receive(answer, resumes);
      await closed;
      return answer.complete ? 'complete' : 'broken';
    } catch {
      return 'broken';
    }
  }

  #receive(answer: IncomingMessage, resumes: boolean): void {
    const { statusCode = 502, headers } = answer;
    const isStream = statusCode === 200 && isEventStream(answer);
    if (resumes && !isStream) {
      // The session has ended, or the call is not known any more.
      this.#emptyStreams = mostEmptyStreams;
      answer.resume();
      return;
    }
    const session = headers['mcp-session-id'];
    if (typeof session === 'string') this.#parts.names.set(session, this.#client);
    if (!resumes) this.#response.writeHead(statusCode, forwardedHeaders(headers));
    if (isStream) {
      this.#response.flushHeaders();
      this.#emptyStreams++;
      this.#receiveStream(answer);
    } else this.#receiveWhole(answer);
  }

  #receiveWhole(answer: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let size = 0;
    this.isLasting = false;
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostRead) chunks.push(chunk);
      this.#write(answer, chunk);
    });
    answer.once('end', () => {
      this.#answered = true;
      this.#call?.end(size <= mostRead ? messageIn(Buffer.concat(chunks)) : undefined);
      this.#response.end();
    });
  }

  #receiveStream(answer: IncomingMessage): void {
    const splitter = new EventSplitter(mostEventBytes);
    answer.on('data', (chunk: Buffer) => {
      try {
        for (const event of splitter.push(chunk)) if (this.#passes(event)) this.#write(answer, event.bytes);
      } catch {
        answer.destroy();
      }
    });
  }

  /** Notes an event; false if the client must not receive it. */
  #passes({ id, event, data }: StreamEvent): boolean {
    this.#emptyStreams = 0;
    if (id !== undefined) this.#lastEvent = id;
    if (event === 'endpoint') this.#isBound = true;
    const message = data === undefined ? undefined : messageIn(data);
    if (message === undefined) return true;
    if (message.method === 'notifications/subscriptions/acknowledged') {
      const isFirst = !this.#acknowledged;
      this.#acknowledged = true;
      return isFirst;
    }
    if (typeof message.method === 'string') {
      this.#parts.trace.note(message, this.#client);
      return true;
    }
    if (message.id !== this.#message?.id) return true;
    // A server that closes ends its listen streams: the next one continues this stream.
    if (this.isLasting && this.child !== this.#parts.gate.child) return false;
    this.#answered = true;
    this.#call?.end(message);
    return true;
  }

  #write(answer: IncomingMessage, data: Buffer): void {
    if (this.#isOver || this.#response.write(data)) return;
    answer.pause();
    this.#response.once('drain', () => answer.resume());
  }

  /** Answers with an error. */
  #fail(detail: string): void {
    if (this.#isOver) return;
    const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(
      this.#request.headers.host ?? '',
    );
    // Pages of other sites must not read the source of the server.
    const message = isLocal ? detail : 'The server is not available.';
    const error = { code: ErrorCode.internalError, message };
    const { id } = this.#message ?? {};
    const isKnown = typeof id === 'string' || typeof id === 'number';
    this.#answered = true;
    this.#call?.end({ error });
    if (this.#response.headersSent) {
      this.#response.end(isKnown ? `event: message\ndata: ${errorFrame(id, error)}\n\n` : undefined);
      return;
    }
    this.#response.writeHead(isKnown ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '1' });
    this.#response.end(errorFrame(isKnown ? id : null, error));
  }

  /** Returns the body; undefined if the client left or sent too much, and was answered. */
  async #readBody(): Promise<Buffer | undefined> {
    const { bodyBytes } = this.#parts.bounds;
    try {
      const body = await bodyOf(this.#request, bodyBytes);
      if (body !== undefined) return body;
      this.#response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' });
      this.#response.end(`The body is longer than ${bodyBytes} bytes.\n`);
    } catch {
      // The client has left.
    }
    return undefined;
  }
}

function messageIn(bytes: Buffer | string): WireMessage | undefined {
  const value = jsonIn(bytes.toString());
  return isObject(value) ? value : undefined;
}
