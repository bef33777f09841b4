import {
  type Answer,
  type CarrierFacts,
  type Exchange,
  type HttpRefusal,
  type Principal,
  type Revision,
  SessionError,
  type WorkBounds,
} from '@tenon/mcp-protocol';
import { failedAnswer } from '@tenon/mcp-protocol/internal';
import { demandOf, isAnonymous, sendDemand } from '../admission/scopes-lacking.js';
import type { HttpCall } from '../endpoint/http-call.js';
import { errorHeaders, jsonHeaders, leaving, refuse } from '../endpoint/refusal.js';
import type { HeartbeatListener } from '../streams/heartbeat.js';

/** The event stream of one POST. */
export interface AnswerStream {
  send(frame: string): Promise<void> | undefined;
  /** Sends the answer, if there is one, and ends. */
  finish(frame: string | undefined): void;
  /** Closes the connection of a stream that the client can resume. */
  release?(retry: number | undefined): void;
  /** Keeps the connection alive. Absent where the owner of the stream does so. */
  keepOpen?(): void;
}

/** What the POSTs of one kind have in common: all stateless ones, all without a session, or those of one session. */
export interface ExchangePolicy {
  /** Only the answer can be sent. */
  readonly answersOnly: boolean;
  /** The end of the connection cancels the request. Otherwise its handler runs on. */
  readonly cancelsOnClose: boolean;
  /** Streams outlive their connections. */
  readonly keepsStreams: boolean;
  /** Receives errors that no peer may see. Does not throw. */
  onError(error: unknown, where: string): void;
  /** The name that the work of a caller is counted under. */
  callerOf(principal: Principal | undefined, address: string | undefined): string | undefined;
  /** HTTP status of an error response; 200 for errors that have none of their own. */
  statusOf(code: number): number;
  openStream(call: HttpCall): AnswerStream;
  /** An exchange waits for its answer. */
  entered(exchange: HttpExchange): void;
  /** An exchange has its answer, or will have none. */
  left(exchange: HttpExchange): void;
  /** Runs `task` before the endpoint ends. Absent where the end of a session is known elsewhere. */
  onEnding?(task: () => void): () => void;
  /** The time on the endpoint's clock at which the credentials of a caller expire. */
  expiryOf?(principal: Principal | undefined): number | undefined;
}

/**
 * One POST from message to answer: JSON if nothing is sent ahead of the answer, else an event stream. The exchange is its
 * own facts: made per request, it creates nothing before it is needed.
 */
export class HttpExchange implements Exchange, CarrierFacts, HeartbeatListener {
  /** As this request states: scopes may differ from those of earlier requests. */
  readonly principal: Principal | undefined;
  readonly bounds: WorkBounds | undefined;
  /** The revision of its message, where that is known before the message is read. */
  revision: Revision | undefined;
  gone = false;
  readonly #call: HttpCall;
  readonly #policy: ExchangePolicy;
  #status = 200;
  #wait: number | undefined;
  #demand: HttpRefusal | undefined;
  #expiry: { readonly at: number; readonly end: () => void } | undefined;
  #stream: AnswerStream | undefined;
  #quiet = false;
  #controller: AbortController | undefined;
  #caller: string | undefined;

  constructor(call: HttpCall, principal: Principal | undefined, policy: ExchangePolicy) {
    this.principal = principal;
    this.bounds = call.bounds;
    this.revision = undefined;
    this.#call = call;
    this.#policy = policy;
  }

  get facts(): CarrierFacts {
    return this;
  }

  get protocolVersion(): string | undefined {
    return this.#call.header('mcp-protocol-version');
  }

  get anonymous(): boolean {
    return isAnonymous(this.#call, this.principal);
  }

  get remoteAddress(): string | undefined {
    return this.#call.remoteAddress;
  }

  get answersOnly(): boolean {
    return this.#policy.answersOnly;
  }

  // Kept: the address of a closed connection is no longer known.
  get caller(): string | undefined {
    this.#caller ??= this.#policy.callerOf(this.principal, this.#call.remoteAddress);
    return this.#caller;
  }

  get signal(): AbortSignal | undefined {
    if (!this.#policy.cancelsOnClose) return undefined;
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.gone) this.#controller.abort(disconnected());
    }
    return this.#controller.signal;
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }

  send(frame: string): Promise<void> | undefined {
    if (this.gone || this.#policy.answersOnly) return undefined;
    this.#quiet = false;
    this.#stream ??= this.#policy.openStream(this.#call);
    return this.#stream.send(frame);
  }

  release(retry: number | undefined): void {
    if (this.#policy.answersOnly || !this.#policy.keepsStreams) return;
    this.#stream ??= this.#policy.openStream(this.#call);
    this.#stream.release?.(retry);
  }

  onEnding(task: () => void): () => void {
    const at = this.#policy.expiryOf?.(this.principal);
    if (at !== undefined) this.#expiry = { at, end: task };
    return this.#policy.onEnding?.(task) ?? (() => {});
  }

  refused(status: number): void {
    this.#status = status;
  }

  failed(code: number, wait?: number): void {
    const status = this.#policy.statusOf(code);
    if (status === 200) return;
    this.#status = status;
    this.#wait = wait;
  }

  scopesLacking(scopes: readonly string[]): void {
    this.#demand = demandOf(this.#call, scopes, this.principal);
  }

  /** Sends the answer to a message when there is one. */
  answer(given: Answer, message: unknown): void {
    if (!(given instanceof Promise)) {
      this.finish(given);
      return;
    }
    this.#policy.entered(this);
    if (this.#policy.cancelsOnClose) this.#call.onGone(() => this.#disconnect(disconnected()));
    const failed = (error: unknown) => this.#fail(error, message);
    given.then((frame) => {
      try {
        this.#policy.left(this);
        if (frame === undefined) this.#finishUnanswered();
        else this.finish(frame);
      } catch (error) {
        failed(error);
      }
    }, failed);
  }

  /** Sends the answer; undefined accepts a message that needs none, or refuses it. */
  finish(frame: string | undefined): void {
    if (this.gone) return;
    if (this.#stream !== undefined) this.#stream.finish(frame);
    else if (this.#call.closed) return;
    else if (frame === undefined) this.#call.send(this.#status === 200 ? 202 : this.#status, {});
    // A batch is answered with 200, whatever its requests are answered with.
    else if ((this.#status === 200 && this.#demand === undefined) || frame.startsWith('['))
      this.#call.send(200, jsonHeaders, frame);
    else if (this.#demand !== undefined) sendDemand(this.#call, this.#demand, frame);
    else this.#call.send(this.#status, errorHeaders(this.#status, this.#wait), frame);
  }

  /** Ends because the endpoint ends, and tells the client. */
  cutOff(): void {
    if (this.#policy.cancelsOnClose) this.#disconnect(new SessionError('closed', 'The server is closing.'));
    if (this.#stream === undefined) refuse(this.#call, leaving);
    else this.#call.end();
  }

  beat(now: number, isDue: boolean): void {
    if (this.#call.closed) return;
    if (this.#expiry !== undefined && now >= this.#expiry.at) {
      const { end } = this.#expiry;
      this.#expiry = undefined;
      end();
      return;
    }
    if (!isDue || this.#policy.answersOnly) return;
    if (this.#quiet) {
      this.#stream ??= this.#policy.openStream(this.#call);
      this.#stream.keepOpen?.();
    }
    this.#quiet = true;
  }

  /** A request was cancelled: a client that waits for its stream gets one that ends. */
  #finishUnanswered(): void {
    if (this.#policy.keepsStreams && !this.#policy.answersOnly && !this.#call.closed)
      this.#stream ??= this.#policy.openStream(this.#call);
    this.finish(undefined);
  }

  /** The application failed, or its answer cannot be sent. */
  #fail(error: unknown, message: unknown): void {
    this.#policy.onError(error, 'http');
    try {
      this.#policy.left(this);
      this.refused(500);
      this.finish(failedAnswer(message));
    } catch (again) {
      this.#policy.onError(again, 'http');
    }
  }

  #disconnect(reason: Error): void {
    this.gone = true;
    this.#controller?.abort(reason);
  }
}

function disconnected(): Error {
  return new Error('The client closed the connection.');
}
