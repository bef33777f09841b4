import { SessionError, TransportError } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { Clock, Endpoint } from '@tenon/mcp-session';
import { pause } from './pause.js';
import { delayBefore, type ReconnectPolicy } from './reconnect-policy.js';
import type { Session } from './session.js';
import type { SessionOpener } from './session-opener.js';

/** Where a client stands. A closed one stays closed. */
export type ClientState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** One change of state. */
export interface StateChange {
  readonly state: ClientState;
  /** Why the connection was lost, or the client closed, where it was not meant. */
  readonly reason?: unknown;
}

/** How sessions are replaced. */
export interface LifelineSettings {
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined when lost connections are not replaced. */
  readonly policy: ReconnectPolicy | undefined;
}

/** Who is told what becomes of the session. */
export interface LifelineEvents {
  /** A session begins; calls go to it from now on. */
  onSession(session: Session): void;
  /** The session is over. */
  onLost(): void;
  onState(change: StateChange): void;
}

/** Keeps one session to one server, and replaces it when it is lost. */
export class Lifeline {
  readonly #opener: SessionOpener;
  readonly #settings: LifelineSettings;
  readonly #events: LifelineEvents;
  readonly #end = new AbortController();
  #state: ClientState = 'connecting';
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #attempts = 0;
  #since = 0;
  #closing: Promise<void> | undefined;

  constructor(opener: SessionOpener, settings: LifelineSettings, events: LifelineEvents) {
    this.#opener = opener;
    this.#settings = settings;
    this.#events = events;
  }

  get state(): ClientState {
    return this.#state;
  }

  /** The session calls go to; undefined while there is none. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Aborts when there will be no further session; its reason is the error to tell callers. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Opens the first session. A failure is final. */
  async start(): Promise<Session> {
    try {
      this.#opening = this.#unlessEnded(this.#open());
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      this.#enter({ state: 'closed', reason: error });
      throw error;
    }
  }

  /**
   * The session, as soon as there is one again.
   * @throws SessionError `closed` when there will be none, `cancelled` when the signal aborts first.
   */
  ready(signal?: AbortSignal): Promise<Session> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    if (this.#opening === undefined) return Promise.reject(this.ended.reason);
    return signal === undefined ? this.#opening : unlessAborted(this.#opening, signal, cancelled);
  }

  /** Gives the connection up as lost, so that it is replaced. */
  lose(endpoint: Endpoint, reason: Error): void {
    endpoint.closed(reason);
    endpoint.connection.close().catch(() => undefined);
  }

  /** Ends the session for good. Calling it again waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#session = undefined;
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
    this.#events.onSession(session);
    this.#enter({ state: 'open' });
    return session;
  }

  #lost(endpoint: Endpoint, reason: Error | undefined): void {
    if (this.#session?.endpoint !== endpoint) return;
    this.#session = undefined;
    this.#events.onLost();
    const { policy, clock } = this.#settings;
    if (policy === undefined || isPermanent(reason)) {
      this.#enter({ state: 'closed', reason });
      return;
    }
    if (clock.now() - this.#since >= policy.healthy) this.#attempts = 0;
    this.#opening = this.#unlessEnded(this.#reopen(policy, reason));
    // Whoever waits hears of it; nobody need wait.
    this.#opening.catch(() => undefined);
    this.#enter({ state: 'reconnecting', reason });
  }

  async #reopen(policy: ReconnectPolicy, lost: unknown): Promise<Session> {
    const { clock, random } = this.#settings;
    let reason = lost;
    while (this.#attempts < policy.attempts && !isPermanent(reason)) {
      this.#attempts++;
      await pause(clock, delayBefore(this.#attempts, policy, random), this.ended);
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

  #unlessEnded(opening: Promise<Session>): Promise<Session> {
    return unlessAborted(opening, this.ended, (reason) => reason);
  }

  #enter(change: StateChange): void {
    if (this.#state === 'closed') return;
    this.#state = change.state;
    if (change.state === 'closed') this.#end.abort(closedBy(change.reason));
    this.#events.onState(change);
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

/** What is being opened, unless the signal aborts first. */
function unlessAborted(
  opening: Promise<Session>,
  signal: AbortSignal,
  errorOf: (reason: unknown) => unknown,
): Promise<Session> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(errorOf(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const over = () => signal.removeEventListener('abort', abort);
    follow(opening, resolve, reject);
    follow(opening, over, over);
  });
}
