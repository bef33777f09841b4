import {
  type CallHistory,
  type Exchange,
  SessionError,
  type SuspendedCall,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import { waits } from '../exchange/http-exchange.js';
import type { HttpSession } from './http-session.js';

/** The work of a {@link ContinuedExchange} on the shared state. */
export interface ContinuedWork {
  readonly history: CallHistory | undefined;
  /** Appends a frame to the stream of the call. Does not reject. */
  append(frame: string, last: boolean): Promise<void>;
  /**
   * Keeps the state of the call that waits or runs again; undefined: the call has ended. Does not reject.
   * @returns false if another process continues the call.
   */
  keep(call: SuspendedCall | undefined): Promise<boolean>;
}

/** The exchange of a call that another process began. Its frames go to the stream of that process. */
export class ContinuedExchange implements Exchange {
  readonly caller: string | undefined;
  readonly history: CallHistory | undefined;
  gone = false;
  readonly #session: HttpSession;
  readonly #work: ContinuedWork;
  readonly #controller = new AbortController();

  constructor(session: HttpSession, work: ContinuedWork) {
    this.caller = session.callerOf();
    this.history = work.history;
    this.#session = session;
    this.#work = work;
  }

  /** The facts of the caller that continues a call: the owner of the session. */
  get facts(): TransportFacts {
    const { principal, anonymous, revision } = this.#session;
    return { principal, anonymous, revision, transport: 'http' };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  send(frame: string): Promise<void> | undefined {
    return this.gone ? undefined : this.#work.append(frame, false);
  }

  readonly suspend = (call: SuspendedCall): Promise<boolean> => this.#keep(call);

  /** Sends the answer, unless another process continues the call. */
  async finish(frame: string | undefined): Promise<void> {
    if (await this.#keep(undefined)) await this.#work.append(frame ?? '', true);
  }

  /** Leaves the call to another process: its handler is cancelled here. */
  leave(): void {
    this.gone = true;
    this.#controller.abort(new SessionError('closed', 'Another process continues the call.'));
  }

  async #keep(call: SuspendedCall | undefined): Promise<boolean> {
    if (this.gone) return false;
    const kept = this.#work.keep(call);
    this.#session.suspended(this, call !== undefined && waits(call));
    if (!(await kept)) this.leave();
    return !this.gone;
  }
}
