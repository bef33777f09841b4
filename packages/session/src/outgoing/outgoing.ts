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
  detach,
  mirroredHeaders,
  notificationFrame,
  numberIn,
  requestFrame,
  subjectOf,
} from '@tenon/mcp-protocol/internal';
import type { Behaviour, EndpointOptions } from '../endpoint/behaviour.js';
import { type AskOptions, nobody } from '../incoming/incoming-request.js';
import { runThrough } from '../incoming/middleware.js';
import { Cancellations } from './cancellations.js';
import { GivenUp } from './given-up.js';
import { PeerProblems } from './peer-problems.js';
import { type Pending, PendingRequests } from './pending-requests.js';
import type { BatchCall } from './sending.js';
import type { Silence } from './silence.js';

const textId: Allowance = { leniency: 'text-id' };

/** One notification to send, and where. */
export interface Notice<M extends NotificationMethod = NotificationMethod> {
  readonly method: M;
  readonly params: NotificationTypes[M];
  readonly exchange?: Exchange | undefined;
}

/** One request on its way out. */
interface Sending {
  readonly revision: Revision;
  readonly method: string;
  readonly params: object;
  readonly options: AskOptions;
  /** Takes the frame in the carrier's stead. */
  readonly collect?: (id: RequestId, frame: string) => void;
}

/** What sending needs of its end. */
export interface OutgoingParts {
  readonly connection: Connection;
  /** The client info and capabilities that requests of a stateless revision carry; undefined for none. */
  readonly stamp: EndpointOptions['stamp'];
  /** What excuses the peer's silence, if anything does. */
  readonly silence: () => Silence | undefined;
}

/** What one end sends: requests with their answers, notifications, cancellations. */
export class Outgoing {
  readonly #behaviour: Behaviour;
  readonly #connection: Connection;
  readonly #stampIn: OutgoingParts['stamp'];
  readonly #silence: OutgoingParts['silence'];
  #cancellations: Cancellations | undefined;
  #stamp: RequestStamp = nobody;
  #stampRevision: Revision | undefined;
  #levelled: RequestStamp | undefined;
  #pending: PendingRequests | undefined;
  #late: GivenUp | undefined;
  readonly problems: PeerProblems;

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
  request(revision: Revision, call: BatchCall, options: AskOptions): Promise<UnknownObject> {
    const { method, params } = call;
    const { middleware } = this.#behaviour;
    if (middleware.length === 0) return this.#send({ revision, method, params, options });
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

  /** Sends several requests in one frame, past all middleware; each settles on its own. */
  batch(revision: Revision, calls: readonly BatchCall[], options: AskOptions): Promise<UnknownObject>[] {
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
   * Sends a notification; silently nothing where the revision does not have it.
   * @returns a promise where the carrier asks for patience or fails; it need not be looked at.
   */
  notify<M extends NotificationMethod>(revision: Revision, notice: Notice<M>): Promise<void> | undefined {
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

  /** Takes an answer of the peer: it settles the request that waits for it, or is reported. */
  take({ id, result, error, flaw }: InboundResponse): void {
    if (id === undefined || id === null) {
      const told = error && new RemoteError(error);
      this.problems.unmatched(id, told);
      return;
    }
    const settled =
      flaw === undefined
        ? this.#pending?.settle(id, result, error)
        : this.#end(id, new SessionError('invalid-answer', `The answer cannot be read: ${flaw}.`));
    if (settled !== undefined && typeof id === 'string') this.problems.allowed(textId, settled.method);
    if (settled === undefined) this.#unmatched(id);
  }

  /** Takes a progress notification of the peer; the request whose listener is to be told. */
  progress(params: ProgressParams): Pending | undefined {
    return this.#pending?.progress(params);
  }

  /** Fails a request of this end that the peer has ended without an answer. */
  abandon(id: RequestId, error: unknown): void {
    const entry = this.#end(id, error);
    if (entry !== undefined) this.#givenUp.add(entry.id);
  }

  /** Fails a request that the peer may end whenever it wants; nothing happens for any other. */
  end(id: RequestId, error: unknown): void {
    if (this.#pending?.find(id)?.row.lasting === true) this.abandon(id, error);
  }

  /** Fails what waits: everything, or what belongs to no request of the peer. */
  rejectAll(error: Error, which: 'all' | 'unrelated' = 'all'): void {
    if (this.#pending === undefined) return;
    this.#givenUp.excuse(this.#pending.lastId);
    this.#pending.rejectAll(error, which);
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
    const id = waiting.nextId();
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
        id,
        method,
        params: sending.params,
        revision,
        row,
        exchange: options.request?.exchange,
        resolve,
        reject,
        progress,
        onProgress: options.onProgress,
        idle,
        total,
        totalDeadline: now + total,
        idleDeadline: now + idle,
        lastProgress: Number.NEGATIVE_INFINITY,
        release: signal === undefined ? undefined : this.#cancelOn(signal, id),
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
        this.#tellCancelled(expired, 'The request timed out.');
      },
      onAllowed: (allowance, method) => this.problems.allowed(allowance, method),
      // What a server asks belongs to a call, whose end holds the process.
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

  /** Why a request cannot be sent now. */
  #obstacle(sending: Sending): Error | undefined {
    const { method, options } = sending;
    const { signal, timeout, total } = options;
    if (signal?.aborted) return abortError(sending, signal);
    if ((timeout !== undefined && !(timeout > 0)) || (total !== undefined && !(total > 0))) {
      return new RangeError(`The time allowed for ${method} must be a positive number of milliseconds.`);
    }
    if (this.pending < this.#behaviour.limits.pending) return undefined;
    const message = `${this.pending} requests already wait for an answer; ${method} was not sent.`;
    return new SessionError('limit', message);
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

  /** Cancels a request when the signal aborts; the function returned makes it stop listening. */
  #cancelOn(signal: AbortSignal, id: RequestId): () => void {
    const abort = () => {
      const entry = this.#pending?.take(id);
      if (entry === undefined) return;
      entry.reject(abortError(entry, signal));
      this.#givenUp.add(entry.id);
      this.#tellCancelled(entry, reasonToTell(signal.reason));
    };
    this.#cancellations ??= new Cancellations();
    return this.#cancellations.add(signal, abort);
  }

  #carry(frame: string, envelope: Envelope, { request }: AskOptions): void {
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

  #tellCancelled(entry: Pending, reason: string | undefined): void {
    if (entry.method === 'initialize' || this.#connection.cancel?.(entry.id) === true) return;
    const params = { requestId: entry.id, ...(reason !== undefined && { reason }) };
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

/** A token in the caller's own params would name another request of this end, or none. */
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

/** What the peer is told of why a request was cancelled: what the caller said, or that its time was over. */
function reasonToTell(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  if (!(reason instanceof SessionError)) return undefined;
  return reason.reason === 'timeout' ? 'The request timed out.' : reasonToTell(reason.cause);
}

function attempt(send: () => Promise<void> | undefined): Promise<void> | undefined {
  try {
    return send();
  } catch (error) {
    return Promise.reject(error);
  }
}
