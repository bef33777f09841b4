import { TransportError } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { BodySink, HttpRequest } from '../request/http-request.js';
import { maxIdleBytes, TextBody } from '../request/text-body.js';
import { requestFailure } from '../sender/transport-failure.js';
import { ResumableStream, type StreamOwner, type StreamPorts } from '../streams/resumable-stream.js';
import type { RequestEvent } from './request-state.js';

/** The POST that a response belongs to. */
export interface ReadRequest {
  readonly http: HttpRequest;
  /** The status of the response. */
  readonly status: number;
  /** Number of its requests that wait for answers. */
  readonly unanswered: number;
  /** Changes the state of the POST; `error` is for `settle`. */
  apply(event: RequestEvent, error?: Error): boolean;
  /** Called when the server does not know the session any more. */
  sessionLost(): void;
}

/** Reads the body of the response to a POST, and settles the POST with the result. */
export interface ResponseBody extends BodySink {
  /** Ends the stream that continues after the response. */
  stop?(): void;
}

/** Reads a body that has no meaning for the request. */
export class IdleBody implements ResponseBody {
  readonly #request: ReadRequest;
  #size = 0;

  constructor(request: ReadRequest) {
    this.#request = request;
  }

  chunk(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (this.#size > maxIdleBytes) this.end();
  }

  end(): void {
    this.#request.apply('settle');
  }

  failed(): void {
    this.#request.apply('settle');
  }
}

/** Reads a body that is one JSON value: a message or a batch. */
export class JsonBody implements ResponseBody {
  readonly #ports: StreamPorts;
  readonly #request: ReadRequest;
  readonly #text: TextBody;

  /** @param limit - bytes. */
  constructor(ports: StreamPorts, request: ReadRequest, limit: number) {
    this.#ports = ports;
    this.#request = request;
    this.#text = new TextBody(limit);
  }

  chunk(bytes: Uint8Array): void {
    if (this.#text.push(bytes)) return;
    const { maxAnswerBytes } = this.#ports.limits;
    this.#settle(`is longer than ${maxAnswerBytes} bytes (limit maxAnswerBytes)`);
  }

  end(): void {
    const request = this.#request;
    const text = this.#text;
    const isExpected = request.unanswered > 0;
    if (!isExpected && text.empty) {
      request.apply('settle');
      return;
    }
    const { inbox, limits } = this.#ports;
    const problem = text.parse(limits.maxNesting);
    if (problem === undefined && (isExpected || isMessage(text.value)))
      inbox.deliver(text.value, request.http);
    if (request.unanswered === 0 && (problem === undefined || !isExpected)) request.apply('settle');
    else {
      const reason = problem ?? 'it answers another request, one that was answered before, or none';
      this.#settle(`cannot be used: ${reason.replace(/\.$/, '')}`);
    }
  }

  failed(error: unknown): void {
    const { origin } = this.#ports.route;
    const failure = this.#request.unanswered > 0 ? requestFailure(error, origin) : undefined;
    this.#request.apply('settle', failure);
  }

  /** Settles the request, with the problem if it still waits for answers. */
  #settle(problem: string): void {
    const { status, unanswered } = this.#request;
    const message = `The answer of ${this.#ports.route.origin} ${problem}.`;
    this.#request.apply('settle', unanswered > 0 ? new TransportError(message, { status }) : undefined);
  }
}

/** Reads a body that is an event stream, and resumes the stream if the response ends before the answer. */
export class EventsBody implements ResponseBody, StreamOwner {
  readonly holds = true;
  readonly #ports: StreamPorts;
  readonly #request: ReadRequest;
  readonly #stream: ResumableStream;

  constructor(ports: StreamPorts, request: ReadRequest) {
    this.#ports = ports;
    this.#request = request;
    this.#stream = new ResumableStream(ports, this, request.http);
  }

  // Fewer attempts than for the stream of a session, because a caller waits.
  get maxRefused(): number {
    return this.#ports.limits.maxRefusedResumes;
  }

  chunk(bytes: Uint8Array): void {
    this.#stream.chunk(bytes);
  }

  end(): void {
    if (!this.wanted()) this.#request.apply('settle');
    else if (this.#resumes()) this.#stream.over('ended');
    else this.#fail(`${this.#ports.route.origin} ended the stream before the answer.`, this.#request.status);
  }

  failed(error: unknown): void {
    if (!this.wanted()) this.#request.apply('settle');
    else if (this.#resumes()) this.#stream.over('broken', error);
    else this.#request.apply('settle', requestFailure(error, this.#ports.route.origin));
  }

  stop(): void {
    this.#stream.stop();
  }

  wanted(): boolean {
    return this.#request.unanswered > 0;
  }

  ended(): void {
    this.#request.apply('settle');
  }

  lost(error: TransportError): void {
    this.#request.apply('settle', error);
  }

  refused(status: number): void {
    const { origin } = this.#ports.route;
    this.#fail(
      `The stream of ${origin} ended before the answer, and cannot be resumed: HTTP ${status}.`,
      status,
    );
  }

  sessionLost(): void {
    this.#request.sessionLost();
  }

  #resumes(): boolean {
    const { revision } = this.#ports.headers;
    const mayResume = this.#stream.resumable && revision?.rules.resumable === true;
    return mayResume && this.#request.apply('stream-over');
  }

  #fail(message: string, status: number): void {
    this.#request.apply('settle', new TransportError(message, { status }));
  }
}

function isMessage(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && value.jsonrpc === '2.0');
}
