import {
  type Answer,
  type Exchange,
  type HttpRefusal,
  type Principal,
  type Revision,
  SessionError,
  type SuspendedCall,
  type TransportFacts,
  type WorkBounds,
} from '@tenon/mcp-protocol';
import { failedAnswer } from '@tenon/mcp-protocol/internal';
import { demandOf, sendDemand } from '../admission/scopes-lacking.js';
import type { HeartbeatListener } from '../call/heartbeat.js';
import type { HttpCall } from '../call/http-call.js';
import { cancelledByClosing, errorHeaders, jsonHeaders, refuse } from '../call/refusal.js';

/** The event stream of one POST. */
export interface AnswerStream {
  send(frame: string): Promise<void> | undefined;
  /** Sends the answer, if there is one, and ends the stream. */
  finish(frame: string | undefined): void;
  /** Closes the connection of a stream that the client can resume. */
  release?(retry: number | undefined): void;
  /** Keeps the connection alive. Absent if the owner of the stream does so. */
  keepOpen?(): void;
  /**
   * Keeps the state of the call for other processes: it waits for input, or runs again. Does not reject.
   * @returns false if another process has continued the call.
   */
  suspend?(call: SuspendedCall): Promise<boolean> | undefined;
  /** Leaves a suspended call to another process: nothing more is sent. */
  leave?(): void;
}

/** The shared rules of a group of POSTs: all stateless ones, all without a session, or those of one session. */
export interface ExchangePolicy {
  /** True if only the answer can be sent. */
  readonly answersOnly: boolean;
  /** True if the end of the connection cancels the request. Otherwise its handler continues. */
  readonly cancelsOnClose: boolean;
  /** True if streams outlive their connections. */
  readonly keepsStreams: boolean;
  /** True if another process can continue the calls. */
  readonly keepsCalls?: boolean;
  /** Receives errors that are not shown to clients. Does not throw. */
  onError(error: unknown, where: string): void;
  /** Returns the name that the requests of a caller are counted under. */
  callerOf(principal: Principal | undefined, address: string | undefined): string | undefined;
  /** Returns the HTTP status of an error response; 200 for errors without a status of their own. */
  statusOf(code: number): number;
  /** @param message - the message of the POST, if it is known. */
  openStream(call: HttpCall, message: unknown): AnswerStream;
  /** Called when the handler of an exchange begins or ends to wait for input, in a session that other processes can continue. */
  suspended?(exchange: HttpExchange, waits: boolean): void;
  /** Called when an exchange starts to wait for its answer. */
  entered(exchange: HttpExchange): void;
  /** Called when an exchange has its answer, or will have none. */
  left(exchange: HttpExchange): void;
  /** Runs `task` before the endpoint ends. Absent if the end of a session is known elsewhere. */
  onEnding?(task: () => void): () => void;
  /** Returns the time on the endpoint's clock at which the credentials of a caller expire. */
  expiryOf?(principal: Principal | undefined): number | undefined;
}

/** True if a call waits for input; false if it goes on with its answers. */
export function waits({ waiting }: SuspendedCall): boolean {
  return Object.keys(waiting).length > 0;
}

/**
 * One POST from message to answer: JSON if nothing is sent before the answer, else an event stream. The exchange is also its
 * own facts object, which saves allocations for each request.
 */
export class HttpExchange implements Exchange, TransportFacts, HeartbeatListener {
  /** The principal of this request: its scopes may differ from those of earlier requests. */
  readonly principal: Principal | undefined;
  readonly bounds: WorkBounds | undefined;
  /** The revision of the message, if it is known before the message is read. */
  revision: Revision | undefined;
  gone = false;
  /** The message of the POST. Set where a stream must know it. */
  message: unknown;
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
    this.message = undefined;
    this.#call = call;
    this.#policy = policy;
  }

  get facts(): TransportFacts {
    return this;
  }

  get protocolVersion(): string | undefined {
    return this.#call.header('mcp-protocol-version');
  }

  get transport(): string {
    return 'http';
  }

  get anonymous(): boolean {
    return this.principal === undefined;
  }

  get remoteAddress(): string | undefined {
    return this.#call.remoteAddress;
  }

  get answersOnly(): boolean {
    return this.#policy.answersOnly;
  }

  // Cached: the address of a closed connection is no longer known.
  get caller(): string | undefined {
    this.#caller ??= this.#policy.callerOf(this.principal, this.#call.remoteAddress);
    return this.#caller;
  }

  get signal(): AbortSignal | undefined {
    if (!this.#policy.cancelsOnClose && this.#policy.keepsCalls !== true) return undefined;
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.gone) this.#controller.abort(disconnected());
    }
    return this.#controller.signal;
  }

  get suspend(): Exchange['suspend'] {
    if (this.#policy.keepsCalls !== true) return undefined;
    return async (call) => {
      this.#stream ??= this.#policy.openStream(this.#call, this.message);
      const kept = this.#stream.suspend?.(call);
      this.#policy.suspended?.(this, waits(call));
      if ((await kept) !== false) return true;
      this.leave();
      return false;
    };
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }

  send(frame: string): Promise<void> | undefined {
    if (this.gone || this.#policy.answersOnly) return undefined;
    this.#quiet = false;
    this.#stream ??= this.#policy.openStream(this.#call, this.message);
    return this.#stream.send(frame);
  }

  release(retry: number | undefined): void {
    if (this.#policy.answersOnly || !this.#policy.keepsStreams) return;
    this.#stream ??= this.#policy.openStream(this.#call, this.message);
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

  /** Sends the answer to a message when it is ready. */
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

  /** Sends the answer. With undefined, accepts a message that needs none, or rejects it. */
  finish(frame: string | undefined): void {
    if (this.gone) return;
    if (this.#stream !== undefined) this.#stream.finish(frame);
    else if (this.#call.closed) return;
    else if (frame === undefined) this.#call.send(this.#status === 200 ? 202 : this.#status, {});
    // A batch is answered with 200, whatever the status of its requests.
    else if ((this.#status === 200 && this.#demand === undefined) || frame.startsWith('['))
      this.#call.send(200, jsonHeaders, frame);
    else if (this.#demand !== undefined) sendDemand(this.#call, this.#demand, frame);
    else this.#call.send(this.#status, errorHeaders(this.#status, this.#wait), frame);
  }

  /** Leaves the call to another process: its handler is cancelled here, and the client resumes the stream elsewhere. */
  leave(): void {
    this.#stream?.leave?.();
    this.#disconnect(new SessionError('closed', 'Another process continues the call.'));
  }

  /** Ends the exchange because the endpoint ends, and sends the reason to the client. */
  cutOff(): void {
    if (this.#policy.cancelsOnClose) this.#disconnect(new SessionError('closed', 'The server is closing.'));
    if (this.#stream === undefined) refuse(this.#call, cancelledByClosing);
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
      this.#stream ??= this.#policy.openStream(this.#call, this.message);
      this.#stream.keepOpen?.();
    }
    this.#quiet = true;
  }

  /** Ends the stream of a cancelled request, if the client waits for it. */
  #finishUnanswered(): void {
    if (this.#policy.keepsStreams && !this.#policy.answersOnly && !this.#call.closed)
      this.#stream ??= this.#policy.openStream(this.#call, this.message);
    this.finish(undefined);
  }

  /** Answers with an error, because the application failed or its answer cannot be sent. */
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
