import { type Connection, type Revision, SessionError } from '@tenon/mcp-protocol';
import type { Clock, Endpoint } from '@tenon/mcp-session';
import { delayBefore, type ReconnectPolicy } from './reconnect-policy.js';
import type { Session } from './session.js';

/** Where a client stands. A closed one stays closed. */
export type ClientState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** One change of state. */
export interface StateChange {
  readonly state: ClientState;
  /** Why the connection was lost, or the client closed, where it was not meant. */
  readonly reason?: unknown;
}

/** What a lifeline needs of its client. */
export interface LifelineHost {
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined when lost connections are not replaced. */
  readonly policy: ReconnectPolicy | undefined;
  /** The revision the application pinned. */
  readonly pinned: Revision | undefined;
  open(): Connection | Promise<Connection>;
  /** Listens to a new connection. */
  listen(connection: Connection, onClosed: (reason: Error | undefined) => void): Endpoint;
  negotiate(dial: () => Promise<Endpoint>, settled: Revision | undefined): Promise<Session>;
  /** A session begins; calls go to it from now on. */
  onSession(session: Session): void;
  /** The session is over. */
  onLost(): void;
  onState(change: StateChange): void;
}

/** Keeps one session to one server, and replaces it when it is lost. */
export class Lifeline {
  readonly #host: LifelineHost;
  #state: ClientState = 'connecting';
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #known: Revision | undefined;
  #attempts = 0;
  #since = 0;
  #wake: (() => void) | undefined;
  #dialled: Endpoint | undefined;

  constructor(host: LifelineHost) {
    this.#host = host;
  }

  get state(): ClientState {
    return this.#state;
  }

  /** The session calls go to; undefined while there is none. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Opens the first session. A failure is final. */
  async start(): Promise<Session> {
    try {
      return this.#adopt(await this.#negotiate());
    } catch (error) {
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
    if (this.#opening === undefined)
      return Promise.reject(new SessionError('closed', 'The client is closed.'));
    return signal === undefined ? this.#opening : abandonable(this.#opening, signal);
  }

  /** Gives the connection up as lost, so that it is replaced. */
  lose(endpoint: Endpoint, reason: Error): void {
    endpoint.closed(reason);
    endpoint.connection.close().catch(() => undefined);
  }

  /** Ends the session for good. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const endpoint = this.#session?.endpoint ?? this.#dialled;
    this.#session = undefined;
    this.#enter({ state: 'closed' });
    this.#wake?.();
    this.#host.onLost();
    await endpoint?.close();
  }

  get #over(): boolean {
    return this.#state === 'closed';
  }

  async #negotiate(): Promise<Session> {
    const { pinned } = this.#host;
    const known = pinned ?? this.#known;
    try {
      const session = await this.#host.negotiate(() => this.#dial(), known);
      this.#known = session.revision;
      return session;
    } catch (error) {
      // What was known of the server no longer holds, perhaps: the next attempt asks again.
      this.#known = undefined;
      throw error;
    }
  }

  async #dial(): Promise<Endpoint> {
    const connection = await this.#host.open();
    const endpoint = this.#host.listen(connection, (reason) => this.#lost(endpoint, reason));
    this.#dialled = endpoint;
    return endpoint;
  }

  #adopt(session: Session): Session {
    if (this.#over) {
      session.endpoint.close().catch(() => undefined);
      throw new SessionError('closed', 'The client was closed while it connected.');
    }
    if (session.endpoint.state !== 'open')
      throw new SessionError('closed', 'The server closed the connection.');
    this.#session = session;
    this.#opening = undefined;
    this.#dialled = undefined;
    this.#since = this.#host.clock.now();
    this.#host.onSession(session);
    this.#enter({ state: 'open' });
    return session;
  }

  #lost(endpoint: Endpoint, reason: Error | undefined): void {
    if (this.#session?.endpoint !== endpoint) return;
    this.#session = undefined;
    this.#host.onLost();
    const { policy, clock } = this.#host;
    if (policy === undefined) {
      this.#enter({ state: 'closed', reason });
      return;
    }
    if (clock.now() - this.#since >= policy.healthy) this.#attempts = 0;
    this.#opening = this.#reopen(policy, reason);
    // Whoever waits hears of it; nobody need wait.
    this.#opening.catch(() => undefined);
    this.#enter({ state: 'reconnecting', reason });
  }

  async #reopen(policy: ReconnectPolicy, lost: unknown): Promise<Session> {
    let reason = lost;
    while (this.#attempts < policy.attempts) {
      this.#attempts++;
      await this.#pause(delayBefore(this.#attempts, policy, this.#host.random));
      if (this.#over) throw new SessionError('closed', 'The client is closed.');
      try {
        return this.#adopt(await this.#negotiate());
      } catch (error) {
        if (this.#over) throw error;
        reason = error;
      }
    }
    const told = reason instanceof Error ? ` ${reason.message}` : '';
    const message = `The connection was lost, and ${policy.attempts} attempts did not bring it back.${told}`;
    const error = new SessionError('closed', message, { cause: reason });
    this.#opening = undefined;
    this.#enter({ state: 'closed', reason: error });
    throw error;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      // Calls may wait for this, and nothing else keeps the process alive while there is no connection.
      const cancel = this.#host.clock.schedule(resolve, ms, true);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #enter(change: StateChange): void {
    if (this.#state === 'closed') return;
    this.#state = change.state;
    this.#host.onState(change);
  }
}

function abandonable(opening: Promise<Session>, signal: AbortSignal): Promise<Session> {
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new SessionError('cancelled', 'The call was cancelled.', { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
