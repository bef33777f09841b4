import type { Clock } from '@tenon/foundation';
import {
  type Answer,
  type CancelledParams,
  type Connection,
  decodeParams,
  type Exchange,
  type InboundNotification,
  type InboundRequest,
  type NotificationMethod,
  type NotificationTypes,
  type ParamsOf,
  type ProgressParams,
  type Receiver,
  type Rejection,
  type RequestMethod,
  type RequestStamp,
  type ResultOf,
  type Revision,
  readMessage,
  refusals,
  SessionError,
  type TransportFacts,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  type Allowance,
  errorFrame,
  failedAnswer,
  rejectBatch,
  rejectMalformed,
  type UnreadId,
} from '@tenon/mcp-protocol/internal';
import {
  type Callbacks,
  callSafely,
  callSoon,
  listed,
  report,
  withCallback,
  withoutCallback,
} from '../callbacks.js';
import { answerBatch, type BatchPlace, batchProblem, HeldAnswers, type Refusals } from '../incoming/batch.js';
import { reportCancelled } from '../incoming/cancelled-requests.js';
import { dispatch } from '../incoming/dispatch.js';
import { InFlight } from '../incoming/in-flight.js';
import type { SessionBounds } from '../limits/limits.js';
import { Outgoing } from '../outgoing/outgoing.js';
import { type BatchCall, fitsBatch, sendingRevision } from '../outgoing/sending.js';
import { Silence } from '../outgoing/silence.js';
import type { Behaviour, EndpointState } from '../requests/behaviour.js';
import {
  type Conversation,
  type RelatedRequestOptions,
  type RequestHost,
  unknownSender,
} from '../requests/incoming-request.js';
import { batchRefusalOf, forbiddenRequest, openingRevision } from './admitting.js';
import { type EndpointOptions, handshakeLifecycle, type Lifecycle } from './lifecycle.js';
import { refuseHandshake, withHandshake } from './negotiation.js';
import { closeConnection } from './unless-late.js';

type ClosedListener = (reason: Error | undefined, endpoint: Endpoint) => unknown;

/**
 * One end of one connection, or of all exchanges without a connection: receives messages of peers, and sends messages that belong to
 * no exchange.
 */
export class Endpoint implements Receiver, RequestHost, Conversation {
  readonly connection: Connection;
  /** Supported revisions, newest first. */
  readonly supported: readonly Revision[];
  /** The peer's info and capabilities in the handshake. */
  peer: RequestStamp = unknownSender;
  /** Counts the messages of the peer. */
  heard = 0;
  readonly #behaviour: Behaviour;
  readonly #notifications: EndpointOptions['notifications'];
  readonly #stamp: EndpointOptions['stamp'];
  readonly #lifecycle: Lifecycle;
  readonly #inFlight: InFlight;
  #revision: Revision | undefined;
  #state: EndpointState = 'open';
  #held: HeldAnswers | undefined;
  #outgoing: Outgoing | undefined;
  #silence: Silence | undefined;
  #endings: Callbacks<() => unknown>;
  #closedListeners: Callbacks<ClosedListener>;
  #closing: Promise<void> | undefined;
  #reason: Error | undefined;

  constructor(behaviour: Behaviour, connection: Connection, options: EndpointOptions = {}) {
    this.connection = connection;
    this.#behaviour = behaviour;
    this.#inFlight = new InFlight(behaviour.handling?.work);
    this.#notifications = options.notifications;
    this.#revision = options.revision;
    this.#stamp = options.stamp;
    this.#lifecycle = options.lifecycle ?? handshakeLifecycle;
    this.supported = connection.needsHandshake ? withHandshake(behaviour) : behaviour.revisions;
  }

  get side(): Behaviour['side'] {
    return this.#behaviour.side;
  }

  get clock(): Clock {
    return this.#behaviour.clock;
  }

  get limits(): SessionBounds {
    return this.#behaviour.limits;
  }

  get conversation(): this | undefined {
    return this.#lifecycle.converses ? this : undefined;
  }

  get state(): EndpointState {
    return this.#state;
  }

  /** The revision of the session; undefined before the handshake, and for stateless peers. */
  get revision(): Revision | undefined {
    return this.#revision;
  }

  /** Running requests of the peer, cancelled ones included while their handlers run. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Own requests without an answer. */
  get pending(): number {
    return this.#outgoing?.pending ?? 0;
  }

  /** Counts the answers of the peer to requests of this end. */
  get answered(): number {
    return this.#outgoing?.answered ?? 0;
  }

  // Most ends of a server never send a request: the parts for it are created on first use.
  get #sender(): Outgoing {
    this.#outgoing ??= new Outgoing(this.#behaviour, {
      connection: this.connection,
      stamp: this.#stamp,
      silence: () => this.#silence,
    });
    return this.#outgoing;
  }

  get #noted(): Silence {
    this.#silence ??= new Silence(this.clock);
    return this.#silence;
  }

  /** Starts to receive messages of the connection. */
  start(): this {
    this.connection.start(this);
    return this;
  }

  /** Sets the revision: a server's when it is initialized, a client's whenever it tries another. */
  settle(revision: Revision): void {
    this.#revision = revision;
    this.connection.settled?.(revision, this.peer);
  }

  receive(value: unknown, exchange: Exchange): Answer {
    this.heard++;
    try {
      return Array.isArray(value) && (exchange.facts.revision ?? this.#revision)?.rules.batching === true
        ? this.#receiveBatch(value, exchange)
        : this.#receiveOne(value, exchange, undefined);
    } catch (error) {
      report(this.#behaviour, error, 'receive');
      return failedAnswer(value);
    }
  }

  malformed(reason: string, exchange: Exchange, unread?: UnreadId): Answer {
    if (unread?.kind !== 'request') this.#noted.unread = reason.slice(0, 200);
    if (unread?.kind === 'response') this.#outgoing?.abandon(unread.id, new SessionError('limit', reason));
    return this.#reject(rejectMalformed(reason, unread), exchange, exchange.facts);
  }

  onError(error: unknown, where: string): void {
    report(this.#behaviour, error, where);
  }

  waitsFor(step: Promise<unknown>): void {
    this.#noted.waitsFor(step);
  }

  closed(reason?: Error): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#reason = reason;
    const cause = reason === undefined ? undefined : { cause: reason };
    const error = new SessionError('closed', reason?.message ?? 'The connection is closed.', cause);
    this.#inFlight.cancelAll(error);
    this.#outgoing?.rejectAll(error);
    this.#runEndings();
    for (const listener of listed(this.#closedListeners))
      callSafely(this.#behaviour, 'onClosed', () => listener(reason, this));
    this.#closedListeners = undefined;
  }

  /**
   * Sends a request and resolves with its neutral result.
   * @throws RemoteError if the peer answers with an error; TransportError if the transport fails; RangeError for
   * invalid times; SessionError for everything else.
   */
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options: RelatedRequestOptions = {},
  ): Promise<ResultOf<M>> {
    const revision = sendingRevision(method, this, options);
    const sent =
      revision instanceof SessionError
        ? Promise.reject(revision)
        : this.#sender.request(revision, { method, params }, options);
    return sent as Promise<ResultOf<M>>;
  }

  /** Sends several requests: as one batch if possible, else one by one. */
  batch(calls: readonly BatchCall[], options: RelatedRequestOptions = {}): Promise<UnknownObject>[] {
    const revision = sendingRevision('a batch', this, options);
    if (!(revision instanceof SessionError) && fitsBatch(calls, revision, this.#behaviour))
      return this.#sender.batch(revision, calls, options);
    return calls.map((call) => this.request(call.method, call.params, options) as Promise<UnknownObject>);
  }

  /** Reports that a message of the peer needed a leniency: once for each leniency and method. */
  allowed(allowance: Allowance, method: string): void {
    this.#sender.problems.allowed(allowance, method);
  }

  /**
   * Sends a notification that belongs to no request; does nothing if the revision does not have it.
   * @returns a promise if the transport applies backpressure; it rejects if the transport fails, and may be ignored.
   */
  notify<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined {
    if (this.#state === 'closed' || this.#revision === undefined) return undefined;
    return this.#sender.notify(this.#revision, { method, params });
  }

  /**
   * Runs `task` when the conversation ends: on close before waiting for calls in flight, or when the transport has closed;
   * soon, if it has ended already. Errors of the task are reported.
   * @returns a function that removes the task.
   */
  onEnding(task: () => unknown): () => void {
    if (this.#state !== 'open') return callSoon(this.#behaviour, 'onEnding', task);
    this.#endings = withCallback(this.#endings, task);
    return () => {
      this.#endings = withoutCallback(this.#endings, task);
    };
  }

  /** Calls `listener` once when the conversation has ended; at once if it has ended already. */
  onClosed(listener: (reason: Error | undefined, endpoint: Endpoint) => unknown): void {
    if (this.#state !== 'closed') this.#closedListeners = withCallback(this.#closedListeners, listener);
    else callSafely(this.#behaviour, 'onClosed', () => listener(this.#reason, this));
  }

  /**
   * Stops accepting requests, lets those in flight finish within the drain limit, then closes the connection; once.
   * @param stopWithin - milliseconds that replace a longer drain limit; the signals of handlers abort at once.
   */
  close(stopWithin?: number): Promise<void> {
    this.#closing ??= this.#close(stopWithin);
    return this.#closing;
  }

  async #close(stopWithin: number | undefined): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#outgoing?.rejectAll(new SessionError('closed', 'The connection is closed.'), 'unrelated');
      this.#runEndings();
      await this.#inFlight.end(this.clock, this.limits.drain, stopWithin);
    }
    try {
      await closeConnection(this.connection, this.#behaviour);
    } catch (error) {
      report(this.#behaviour, error, 'close');
    }
    this.closed();
  }

  #receiveBatch(messages: readonly unknown[], exchange: Exchange): Answer {
    const problem = batchProblem(messages, this.limits.batch);
    if (problem !== undefined) return this.#reject(rejectBatch(problem), exchange, exchange.facts);
    // The limit applies to one peer: without a conversation, to one batch.
    const held =
      (this.#lifecycle.converses ? this.#held : undefined) ?? new HeldAnswers(this.limits.batchAnswers);
    this.#held = held;
    return answerBatch(messages, exchange, {
      held,
      receive: (one, batch) => this.#receiveOne(one, exchange, batch),
      report: (error) => report(this.#behaviour, error, 'batch'),
    });
  }

  #receiveOne(value: unknown, exchange: Exchange, batch: BatchPlace | undefined): Answer {
    const message = readMessage(value, exchange.facts, this);
    if (message.kind !== 'request') return this.#receiveOther(message, exchange, batch);
    const behaviour = this.#behaviour;
    if (behaviour.side === 'client' && this.#revision?.rules.inputRequestMode === 'in-result') {
      report(behaviour, forbiddenRequest(message), 'request');
      return undefined;
    }
    const from = message.stamp ?? this.peer;
    const refusal =
      (batch && batchRefusalOf(message, exchange.facts.revision ?? this.#revision)) ??
      this.#lifecycle.refusalOf(message, this, this.#inFlight);
    if (refusal !== undefined) this.#lifecycle.refused(batch ?? exchange);
    const revision = message.revision ?? openingRevision(message, this.supported);
    if (refusal !== undefined || revision === undefined) {
      const error = refusal ?? refuseHandshake(message.params?.protocolVersion, this.supported);
      behaviour.observer?.refused({ message, exchange, from, host: this }, error);
      return errorFrame(message.id, error);
    }
    const ledger = this.#lifecycle.converses ? this.#inFlight : behaviour.handling?.work;
    const answer = dispatch(behaviour, { message, revision, from, exchange, host: this, ledger, batch });
    if (behaviour.side === 'client' && answer instanceof Promise) this.#noted.waitsFor(answer);
    return answer;
  }

  #receiveOther(
    message: Exclude<ReturnType<typeof readMessage>, InboundRequest>,
    exchange: Exchange,
    batch: BatchPlace | undefined,
  ): Answer {
    if (message.kind === 'notification') this.#receiveNotification(message, exchange);
    else if (message.kind !== 'response') return this.#reject(message, batch ?? exchange, exchange.facts);
    else {
      (this.#outgoing ?? this.#sender).take(message);
      if (!this.#lifecycle.converses && exchange.facts.revision?.lifecycle !== 'handshake')
        this.#lifecycle.refused(batch ?? exchange);
    }
    return undefined;
  }

  #receiveNotification(message: InboundNotification, { facts }: Exchange): void {
    const revision = this.#revision ?? facts.revision ?? this.supported[0];
    const row = revision?.notifications[this.side === 'server' ? 'client' : 'server'].get(message.method);
    // Notifications of the core belong to a conversation.
    if (row === undefined || (row.open !== true && !this.#lifecycle.converses)) return;
    const decoded = decodeParams(row, message.params);
    if (!decoded.ok) {
      report(this.#behaviour, new SessionError('invalid-answer', decoded.problem), message.method);
    } else if (message.method === 'notifications/cancelled')
      this.#receiveCancelled(decoded.value as CancelledParams);
    else if (message.method === 'notifications/progress') {
      this.#receiveProgress(decoded.value as unknown as ProgressParams);
    } else {
      const handler = this.#notifications?.get(message.method);
      if (handler !== undefined)
        callSafely(this.#behaviour, message.method, () => handler(decoded.value, this));
    }
  }

  #receiveCancelled({ requestId, reason }: CancelledParams): void {
    if (requestId === undefined) return;
    if (this.side === 'client' && this.#revision?.rules.serverCancels === 'listen-only') {
      const why = reason ?? 'The server ended the subscription.';
      this.#outgoing?.end(requestId, new SessionError('closed', why));
    } else reportCancelled(this.#behaviour, this.#inFlight.cancel(requestId, reason), reason);
  }

  #receiveProgress(params: ProgressParams): void {
    const listener = this.#outgoing?.progress(params)?.onProgress;
    if (listener === undefined) return;
    const { progressToken: _token, _meta, ...progress } = params;
    callSafely(this.#behaviour, 'onProgress', () => listener(progress));
  }

  #reject(rejection: Rejection, exchange: Refusals, facts: TransportFacts): string | undefined {
    const { refusal, answerable, id, error } = rejection;
    const session = facts.revision ?? this.#revision;
    exchange.refused?.(refusals[refusal].status);
    this.#behaviour.observer?.unread({ facts }, error.message);
    const byClient = this.side === 'client';
    if (byClient || !answerable) {
      report(this.#behaviour, new SessionError('invalid-answer', error.message), refusal);
    }
    // Output that a server prints by mistake is not a message, and in some revisions a client must not answer at all.
    const wanted = !byClient || (id !== undefined && session?.rules.inputRequestMode === 'request');
    if (!answerable || !wanted) return undefined;
    return errorFrame(id ?? (session ?? this.supported[0])?.rules.unreadableId, error);
  }

  #runEndings(): void {
    for (const ending of listed(this.#endings)) callSafely(this.#behaviour, 'onEnding', ending);
    this.#endings = undefined;
  }
}
