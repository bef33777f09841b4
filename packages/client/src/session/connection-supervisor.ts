import { detach, pause, unlessAborted } from '@tenon/foundation';
import { SessionError, TransportError } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-session';
import { delayBefore, type ReconnectBounds, type ReconnectSettings } from './reconnect-policy.js';
import { isUnhandled } from './retry.js';
import type { Session } from './session.js';
import type { SessionOpener } from './session-opener.js';

/**
 * The state of a client. `reconnecting`: the connection is being replaced, and calls wait; or a server over HTTP cannot be
 * reached, and calls are tried at once. A closed one stays closed.
 */
export type ClientState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** One change of state. */
export interface StateChange {
  readonly state: ClientState;
  /** The error for which the connection was lost or the client closed, if there was one. */
  readonly reason?: unknown;
}

/** The callbacks of a session's start and end. */
export interface SupervisorEvents {
  /** A session has begun; calls use it from now on. */
  onSession(session: Session): void;
  /** The session has ended. */
  onLost(reason?: Error): void;
  onStateChange(change: StateChange): void;
}

/** Sessions that one request may lose, one after the other: a server that ends each with it must not end the client. */
const mostLosses = 3;

/** Maintains one session to one server, and replaces it when it is lost. */
export class ConnectionSupervisor {
  readonly #opener: SessionOpener;
  readonly #settings: ReconnectSettings;
  readonly #events: SupervisorEvents;
  readonly #end = new AbortController();
  #state: ClientState = 'connecting';
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  /** Attempts in a row without a session that answered a call. */
  #attempts = 0;
  /** Attempts since the last session that lasted: pauses grow with their number. */
  #pauses = 0;
  #since = 0;
  /** Answers of the server to the handshake of the session. */
  #introduced = 0;
  #closing: Promise<void> | undefined;
  /** Ends the probes of a server that cannot be reached. */
  #probes: AbortController | undefined;

  constructor(opener: SessionOpener, settings: ReconnectSettings, events: SupervisorEvents) {
    this.#opener = opener;
    this.#settings = settings;
    this.#events = events;
  }

  get state(): ClientState {
    return this.#state;
  }

  /** The current session; undefined while there is none. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Aborts when there will be no further session; its reason is the error for callers. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** The last lines that the server printed beside its messages. */
  get stderr(): readonly string[] {
    return this.#opener.stderr;
  }

  /** Opens the first session. A failure is final. */
  async start(): Promise<Session> {
    try {
      this.#opening = unlessAborted(this.#open(), this.ended);
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      this.#enter({ state: 'closed', reason: error });
      throw error;
    }
  }

  /**
   * Returns the session, reconnecting if needed.
   * @throws SessionError `closed` if there will be none, `cancelled` if the signal aborts first.
   */
  waitForSession(signal?: AbortSignal): Promise<Session> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    if (this.#opening === undefined) return Promise.reject(this.ended.reason);
    return unlessAborted(this.#opening, signal, cancelled);
  }

  /** True if requests are sent again that a closing server has refused. */
  get repeatsRefused(): boolean {
    return this.#settings.policy !== undefined && this.#state !== 'closed';
  }

  /**
   * Waits after a closing server has refused a request, as long as before an attempt to reconnect.
   * @param attempt - the number of the next attempt to send the request, counted from 1.
   * @returns the session for that attempt; undefined if there must be none.
   */
  async afterRefusal(
    { endpoint }: Session,
    attempt: number,
    signal: AbortSignal = this.ended,
  ): Promise<Session | undefined> {
    const { policy, clock, random } = this.#settings;
    if (policy === undefined || attempt > policy.attempts) return undefined;
    if (endpoint.connection.carriesHeaders === true)
      await pause(clock, delayBefore(attempt, policy, random), { signal, holds: true });
    else {
      // A later request on the same connection would have the same end, or none.
      const closed = new AbortController();
      endpoint.onClosed(() => closed.abort());
      const either = AbortSignal.any([signal, closed.signal]);
      await pause(clock, policy.maxDelay, { signal: either, holds: true });
    }
    return signal.aborted || this.#state === 'closed' ? undefined : this.waitForSession(signal);
  }

  /**
   * Replaces a session that did not handle a request.
   * @param attempt - the number of the next attempt to send the request, counted from 1.
   * @returns the session for that attempt; undefined if there must be none.
   */
  async afterLoss(
    { endpoint }: Session,
    { reason, attempt, signal }: { reason: Error; attempt: number; signal?: AbortSignal | undefined },
  ): Promise<Session | undefined> {
    this.lose(endpoint, reason);
    const { policy } = this.#settings;
    if (policy === undefined || this.#state === 'closed') return undefined;
    return attempt > Math.min(policy.attempts, mostLosses) ? undefined : this.waitForSession(signal);
  }

  /** Treats the connection as lost, so that it is replaced. */
  lose(endpoint: Endpoint, reason: Error): void {
    endpoint.closed(reason);
    endpoint.connection.close().catch(() => undefined);
  }

  /** Ends the session for good. Later calls wait for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#session = undefined;
    this.#probes?.abort();
    this.#enter({ state: 'closed' });
    this.#events.onLost();
    await this.#opener.close();
  }

  async #open(): Promise<Session> {
    const session = await this.#opener.open((endpoint, reason) => this.#lost(endpoint, reason));
    if (this.ended.aborted) throw this.ended.reason;
    if (session.endpoint.state !== 'open')
      throw new SessionError('closed', 'The server closed the connection.');
    this.#session = session;
    this.#opening = undefined;
    this.#since = this.#settings.clock.now();
    this.#introduced = session.endpoint.answered;
    this.#events.onSession(session);
    this.#enter({ state: 'open' });
    session.endpoint.connection.onReachable?.((failure) => this.#reachable(session, failure));
    return session;
  }

  /** The session stays open: its server cannot be reached, or can be reached again. */
  #reachable(session: Session, failure: Error | undefined): void {
    if (this.#session !== session) return;
    this.#probes?.abort();
    if (failure === undefined) this.#enter({ state: 'open' });
    else {
      this.#probes = new AbortController();
      detach(this.#probe(session, this.#probes.signal), () => {});
      this.#enter({ state: 'reconnecting', reason: failure });
    }
  }

  /** Sends requests to a server that cannot be reached, after growing pauses. The connection detects whether they reach it. */
  async #probe(session: Session, signal: AbortSignal): Promise<void> {
    const { clock, random, policy } = this.#settings;
    const method = session.revision.lifecycle === 'stateless' ? 'server/discover' : 'ping';
    // Counted from 2: the failed request was the first attempt. These pauses do not keep the process alive.
    for (let attempt = 2; policy !== undefined; attempt++) {
      await pause(clock, delayBefore(attempt, policy, random), { signal });
      if (signal.aborted) return;
      try {
        await session.endpoint.request(method, {}, { background: true });
      } catch (error) {
        if (isUnhandled(error, session)) this.lose(session.endpoint, error);
      }
    }
  }

  #lost(endpoint: Endpoint, reason: Error | undefined): void {
    if (this.#session?.endpoint !== endpoint) return;
    this.#session = undefined;
    this.#probes?.abort();
    this.#events.onLost(reason);
    const { policy, clock } = this.#settings;
    if (policy === undefined || isPermanent(reason)) {
      this.#enter({ state: 'closed', reason });
      return;
    }
    const isLasting = clock.now() - this.#since >= policy.healthy;
    // A session that answered was worth its attempt. The pauses still grow: its server may end each session soon.
    if (isLasting || endpoint.answered > this.#introduced) this.#attempts = 0;
    if (isLasting) this.#pauses = 0;
    this.#opening = unlessAborted(this.#reopen(policy, reason), this.ended);
    // Waiting callers receive the error; without them it is dropped.
    this.#opening.catch(() => undefined);
    this.#enter({ state: 'reconnecting', reason });
  }

  async #reopen(policy: ReconnectBounds, lost: unknown): Promise<Session> {
    const { clock, random } = this.#settings;
    let reason = lost;
    while (this.#attempts < policy.attempts && !isPermanent(reason)) {
      this.#attempts++;
      this.#pauses++;
      await pause(clock, delayBefore(this.#pauses, policy, random), { signal: this.ended, holds: true });
      if (this.ended.aborted) throw this.ended.reason;
      try {
        return await this.#open();
      } catch (error) {
        if (this.ended.aborted) throw error;
        reason = error;
      }
    }
    const why = isPermanent(reason)
      ? 'trying again would not bring it back'
      : `${policy.attempts} attempts did not bring it back`;
    const message = `The connection was lost, and ${why}.${messageOf(reason)}`;
    const error = new SessionError('closed', message, { cause: reason });
    this.#opening = undefined;
    this.#enter({ state: 'closed', reason: error });
    throw error;
  }

  #enter(change: StateChange): void {
    if (this.#state === 'closed') return;
    this.#state = change.state;
    if (change.state === 'closed') this.#end.abort(closedBy(change.reason));
    this.#events.onStateChange(change);
  }
}

function isPermanent(reason: unknown): boolean {
  return reason instanceof TransportError && reason.permanent;
}

function closedBy(reason: unknown): SessionError {
  const cause = reason === undefined ? undefined : { cause: reason };
  return new SessionError('closed', `The client is closed.${messageOf(reason)}`, cause);
}

function cancelled(cause: unknown): SessionError {
  return new SessionError('cancelled', 'The call was cancelled.', { cause });
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? ` ${reason.message}` : '';
}
