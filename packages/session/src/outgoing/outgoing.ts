import { detach } from '@tenon/foundation';
import {
  type Connection,
  type Envelope,
  type Exchange,
  encodeParams,
  type InboundResponse,
  type LogLevel,
  type NotificationMethod,
  type NotificationTypes,
  type ProgressParams,
  RemoteError,
  type RequestId,
  type RequestRow,
  type RequestStamp,
  type Revision,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  type Allowance,
  callName,
  mirroredHeaders,
  notificationFrame,
  numberIn,
  requestFrame,
  subjectOf,
} from '@tenon/mcp-protocol/internal';
import type { Behaviour } from '../requests/behaviour.js';
import { type RelatedRequestOptions, unknownSender } from '../requests/incoming-request.js';
import { runThrough } from '../requests/middleware.js';
import { AbortListeners, cancellationReason } from './abort-listeners.js';
import { GivenUp } from './given-up.js';
import { PeerProblems } from './peer-problems.js';
import { type Pending, PendingRequests } from './pending-requests.js';
import type { BatchCall } from './sending.js';
import type { Silence } from './silence.js';

const textId: Allowance = { leniency: 'text-id' };

/** One notification to send, and its exchange. */
export interface OutgoingNotification<M extends NotificationMethod = NotificationMethod> {
  readonly method: M;
  readonly params: NotificationTypes[M];
  readonly exchange?: Exchange | undefined;
}

/** One outbound request. */
interface Sending {
  readonly revision: Revision;
  readonly method: string;
  readonly params: object;
  readonly options: RelatedRequestOptions;
  /** Receives the frame instead of the transport. */
  readonly collect?: (id: RequestId, frame: string) => void;
}

/** The dependencies of the sending part. */
export interface OutgoingParts {
  readonly connection: Connection;
  /** The client info and capabilities that requests of a stateless revision carry; undefined for none. */
  readonly stamp: ((revision: Revision) => RequestStamp) | undefined;
  /** The reason for the peer's silence, if there is one. */
  readonly silence: () => Silence | undefined;
}

/** The sending part of one end: requests with their answers, notifications, cancellations. */
export class Outgoing {
  readonly #behaviour: Behaviour;
  readonly #connection: Connection;
  readonly #stampIn: OutgoingParts['stamp'];
  readonly #silence: OutgoingParts['silence'];
  #abortListeners: AbortListeners | undefined;
  #stamp: RequestStamp = unknownSender;
  #stampRevision: Revision | undefined;
  #levelled: RequestStamp | undefined;
  #pending: PendingRequests | undefined;
  #late: GivenUp | undefined;
  readonly problems: PeerProblems;
  /** Counts the answers that settled a request. */
  answered = 0;

  constructor(behaviour: Behaviour, { connection, stamp, silence }: OutgoingParts) {
    this.#behaviour = behaviour;
    this.#connection = connection;
    this.#stampIn = stamp;
    this.#silence = silence;
    this.problems = new PeerProblems(behaviour);
  }

  get pending(): number {
    return this.#pending?.size ?? 0;
  }

  /** Sends a request and resolves with its neutral result. */
  request(revision: Revision, call: BatchCall, options: RelatedRequestOptions): Promise<UnknownObject> {
    const { method, params } = call;
    const { middleware } = this.#behaviour;
    if (middleware.length === 0 || options.pastMiddleware === true)
      return this.#send({ revision, method, params, options });
    const { request } = options;
    const seen = {
      direction: 'outbound',
      method,
      params: params as UnknownObject,
      revision,
      request,
    } as const;
    return runThrough(middleware, seen, (changed) =>
      this.#send({ revision, method, params: changed, options }),
    );
  }

  /** Sends several requests in one frame, without middleware; each settles on its own. */
  batch(
    revision: Revision,
    calls: readonly BatchCall[],
    options: RelatedRequestOptions,
  ): Promise<UnknownObject>[] {
    const ids: RequestId[] = [];
    const frames: string[] = [];
    const collect = (id: RequestId, frame: string) => {
      ids.push(id);
      frames.push(frame);
    };
    const answers = calls.map(({ method, params }) =>
      this.#send({ revision, method, params, options, collect }),
    );
    if (frames.length > 0) {
      const { headers } = options;
      this.#carry(`[${frames.join(',')}]`, headers ? { ids, headers } : { ids }, options);
    }
    return answers;
  }

  /**
   * Sends a notification; does nothing if the revision does not have it.
   * @returns a promise if the transport applies backpressure or fails; it may be ignored.
   */
  notify<M extends NotificationMethod>(
    revision: Revision,
    notice: OutgoingNotification<M>,
  ): Promise<void> | undefined {
    const { method, params, exchange } = notice;
    const row = revision.notifications[this.#behaviour.side].get(method);
    if (row === undefined) return undefined;
    const frame = notificationFrame(method, encodeParams(row, params as UnknownObject));
    const patience = attempt(() =>
      exchange === undefined ? this.#connection.send(frame, { unrelated: true }) : exchange.send(frame),
    );
    patience?.catch(() => undefined);
    return patience;
  }

  /** Receives an answer of the peer: it settles its request, or is reported. */
  take({ id: given, result, error, problem }: InboundResponse): void {
    const id = this.#ownId(given);
    if (id === undefined || id === null) {
      this.problems.unmatched(id, error && new RemoteError(error));
      return;
    }
    const settled =
      problem === undefined
        ? this.#pending?.settle(id, result, error)
        : this.#end(id, new SessionError('invalid-answer', `The answer cannot be read: ${problem}.`));
    if (settled !== undefined && typeof id === 'string') this.problems.allowed(textId, settled.method);
    if (settled === undefined) this.#unmatched(id);
    else this.answered++;
  }

  /** Receives a progress notification of the peer. Returns the request with the listener to call. */
  progress(params: ProgressParams): Pending | undefined {
    const { progressToken } = params;
    return this.#pending?.progress(this.#ownId(progressToken) ?? progressToken, params.progress);
  }

  /** Fails a request of this end that the peer has ended without an answer. */
  abandon(id: RequestId, error: unknown): void {
    const entry = this.#end(this.#ownId(id) ?? id, error);
    if (entry !== undefined) this.#givenUp.add(entry.id);
  }

  /** Fails a request that the peer may end at any time; does nothing for any other. */
  end(id: RequestId, error: unknown): void {
    if (this.#pending?.find(this.#ownId(id) ?? id)?.row.lasting === true) this.abandon(id, error);
  }

  /** Fails waiting requests: all, or those that belong to no request of the peer. */
  rejectAll(error: Error, which: 'all' | 'unrelated' = 'all'): void {
    if (this.#pending === undefined) return;
    this.#givenUp.excuse(this.#pending.lastId);
    this.#pending.rejectAll(error, which);
  }

  /** Returns the id of a request as the peer knows it: with the prefix of the connection, if it has one. */
  #wireId(number: number): RequestId {
    const idPrefix = this.#connection.shared?.idPrefix;
    return idPrefix === undefined ? number : `${idPrefix}${number}`;
  }

  /** Returns the number of a request of this end; any other id unchanged. */
  #ownId(id: RequestId | null | undefined): RequestId | null | undefined {
    const idPrefix = this.#connection.shared?.idPrefix;
    if (idPrefix === undefined || typeof id !== 'string' || !id.startsWith(idPrefix)) return id;
    return numberIn(id.slice(idPrefix.length)) ?? id;
  }

  #end(id: RequestId, error: unknown): Pending | undefined {
    return this.#pending?.fail(id, error);
  }

  #unmatched(id: RequestId): void {
    const number = typeof id === 'number' ? id : numberIn(id);
    if (number === undefined || this.#late?.takes(number) !== true) this.problems.unmatched(id);
  }

  get #givenUp(): GivenUp {
    this.#late ??= new GivenUp(this.#behaviour.limits.pending);
    return this.#late;
  }

  #send(sending: Sending): Promise<UnknownObject> {
    const { revision, method, options } = sending;
    const row = revision.requests[this.#behaviour.side].get(method);
    const obstacle = row === undefined ? lacking(revision, method) : this.#obstacle(sending);
    if (row === undefined || obstacle !== undefined) return Promise.reject(obstacle);
    const waiting = this.#waiting();
    const number = waiting.nextId();
    const id = this.#wireId(number);
    const progress = options.progress === true || options.onProgress !== undefined;
    let frame: string;
    let envelope: Envelope;
    try {
      const wire = this.#wireParams(sending, row, progress ? id : undefined);
      frame = requestFrame(id, method, wire);
      envelope = this.#envelope(id, sending, wire);
    } catch (error) {
      return Promise.reject(error);
    }
    options.onId?.(id);
    return new Promise((resolve, reject) => {
      const { clock, limits } = this.#behaviour;
      const { timeout: idle = limits.requestTimeout, total = limits.requestTotal, signal } = options;
      const now = clock.now();
      waiting.open({
        id: number,
        method,
        params: sending.params,
        revision,
        row,
        exchange: options.request?.exchange,
        resolve,
        reject,
        progress,
        onProgress: options.onProgress,
        prolong: options.prolong,
        idle,
        total,
        totalDeadline: now + total,
        idleDeadline: now + idle,
        lastProgress: Number.NEGATIVE_INFINITY,
        release: signal === undefined ? undefined : this.#cancelOn(signal, number),
        background: options.background === true,
        timeoutOption: options.timeoutOption,
      });
      if (sending.collect === undefined) this.#carry(frame, envelope, options);
      else sending.collect(id, frame);
    });
  }

  #waiting(): PendingRequests {
    this.#pending ??= new PendingRequests(this.#behaviour.clock, {
      silence: this.#silence,
      onExpired: (expired) => {
        this.#givenUp.add(expired.id);
        this.#notifyCancelled(expired, 'The request timed out.');
      },
      onAllowed: (allowance, method) => this.problems.allowed(allowance, method),
      // An input request belongs to a call, and its transport keeps the process alive.
      holds: this.#behaviour.side === 'client',
    });
    return this.#pending;
  }

  #envelope(id: RequestId, sending: Sending, wire: UnknownObject | undefined): Envelope {
    const { revision, method, options } = sending;
    const own = this.#connection.carriesHeaders
      ? mirroredHeaders(revision, { method, params: wire })
      : undefined;
    const headers = own && options.headers ? { ...own, ...options.headers } : (own ?? options.headers);
    if (method === 'initialize') return headers ? { id, opening: true, headers } : { id, opening: true };
    return headers ? { id, headers } : { id };
  }

  /** Returns the error for a request that cannot be sent now. */
  #obstacle(sending: Sending): Error | undefined {
    const { method, options } = sending;
    const { signal, timeout, total } = options;
    if (signal?.aborted) return abortError(sending, signal);
    if ((timeout !== undefined && !(timeout > 0)) || (total !== undefined && !(total > 0))) {
      return new RangeError(`The time allowed for ${method} must be a positive number of milliseconds.`);
    }
    if (this.pending < this.#behaviour.limits.pending) return undefined;
    const message = `${this.pending} requests already wait for an answer; ${method} was not sent.`;
    return new SessionError('limit', message, { unhandled: true });
  }

  #wireParams(
    { revision, params, options }: Sending,
    row: RequestRow,
    token: RequestId | undefined,
  ): UnknownObject | undefined {
    const wire = encodeParams(row, params as UnknownObject);
    const marked = token === undefined ? withoutToken(wire) : withToken(wire, token);
    const stamped = revision.codec.stampRequest(marked, this.#stampFor(revision, options.logLevel));
    for (const _ in stamped) return stamped;
    return undefined;
  }

  /** The same object as before while revision and level stay the same: codecs write a stamp once. */
  #stampFor(revision: Revision, logLevel: LogLevel | undefined): RequestStamp {
    if (revision !== this.#stampRevision && this.#stampIn !== undefined) {
      this.#stampRevision = revision;
      this.#stamp = this.#stampIn(revision);
      this.#levelled = undefined;
    }
    if (logLevel === undefined) return this.#stamp;
    if (this.#levelled?.logLevel !== logLevel) this.#levelled = { ...this.#stamp, logLevel };
    return this.#levelled;
  }

  /** Cancels a request when the signal aborts. Returns a function that removes the listener. */
  #cancelOn(signal: AbortSignal, id: number): () => void {
    const abort = () => {
      const entry = this.#pending?.take(id);
      if (entry === undefined) return;
      entry.reject(abortError(entry, signal));
      this.#givenUp.add(entry.id);
      this.#notifyCancelled(entry, cancellationReason(signal.reason));
    };
    this.#abortListeners ??= new AbortListeners();
    return this.#abortListeners.add(signal, abort);
  }

  #carry(frame: string, envelope: Envelope, { request }: RelatedRequestOptions): void {
    const failed = (error: unknown) => {
      for (const id of envelope.ids ?? [envelope.id as RequestId]) this.abandon(id, error);
    };
    try {
      const patience =
        request === undefined ? this.#connection.send(frame, envelope) : request.exchange.send(frame);
      patience?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #notifyCancelled(entry: Pending, reason: string | undefined): void {
    if (entry.method === 'initialize' || this.#connection.cancel?.(entry.id) === true) return;
    const params = { requestId: this.#wireId(entry.id), ...(reason !== undefined && { reason }) };
    const { revision, exchange } = entry;
    detach(this.notify(revision, { method: 'notifications/cancelled', params, exchange }), () => {});
  }
}

function withToken(params: UnknownObject, progressToken: RequestId): UnknownObject {
  // A member added after a spread costs ten times as much as one named before it.
  const marked: Record<string, unknown> = { _meta: undefined, ...params };
  marked._meta =
    params._meta === undefined ? { progressToken } : Object.assign({}, params._meta, { progressToken });
  return marked;
}

/** A progress token in the caller's params would name another request of this end, or none. */
function withoutToken(params: UnknownObject): UnknownObject {
  const meta = params._meta as UnknownObject | undefined;
  return meta?.progressToken === undefined
    ? params
    : { ...params, _meta: { ...meta, progressToken: undefined } };
}

function lacking(revision: Revision, method: string): SessionError {
  return new SessionError('not-in-revision', `The revision in use (${revision.id}) has no ${method}.`);
}

function abortError(
  { method, params }: Pick<Pending, 'method' | 'params'>,
  signal: AbortSignal,
): SessionError {
  const name = callName(method, subjectOf(params));
  return new SessionError('cancelled', `${name} was cancelled by its caller.`, { cause: signal.reason });
}

function attempt(send: () => Promise<void> | undefined): Promise<void> | undefined {
  try {
    return send();
  } catch (error) {
    return Promise.reject(error);
  }
}
