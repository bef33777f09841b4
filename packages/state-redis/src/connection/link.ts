import { detach, unlessAborted } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';
import type { OpenWire, Wire } from './wire.js';

/** Runs a task later. Returns a function that cancels it. */
export type Schedule = (task: () => void, ms: number) => () => void;

export interface LinkSettings {
  readonly open: OpenWire;
  /** Milliseconds that opening or an answer to PING may take, and milliseconds between PINGs. */
  readonly timeout: number;
  /** The longest pause between two attempts to open, in milliseconds. */
  readonly reconnectDelay: number;
  readonly schedule: Schedule;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Prepares a wire before it replaces the last one. If it rejects, opening failed. */
  readonly prepare?: (wire: Wire) => Promise<void>;
  /** Called when a connection is lost, and after each attempt that failed. */
  readonly onDown: (cause: Error) => void;
  readonly onUp: () => void;
}

const firstDelay = 50;

/** Keeps a wire open: opens another one when a connection is lost or does not answer. */
export class Link {
  readonly #settings: LinkSettings;
  #state: 'idle' | 'opening' | 'up' | 'down' | 'closed' = 'idle';
  #wire: Wire | undefined;
  #first: Promise<Wire> | undefined;
  #cause: Error | undefined;
  #failures = 0;
  #cancelTimer = () => {};
  #opening: AbortController | undefined;

  constructor(settings: LinkSettings) {
    this.#settings = settings;
  }

  /** The wire that commands are sent on; it may have lost connections to some nodes of a cluster. */
  get wire(): Wire | undefined {
    return this.#wire;
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** Opens the first wire, in the background. */
  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'opening';
    this.#first = this.#attempt();
    detach(this.#first, () => {});
  }

  /**
   * Returns the wire; while the first one is being opened, a promise of it.
   * @throws StateError with reason `unavailable` while the connection is lost.
   */
  current(): Wire | Promise<Wire> {
    this.start();
    if (this.#wire !== undefined) return this.#wire;
    if (this.#state === 'opening' && this.#first !== undefined) return this.#first;
    throw this.unavailable();
  }

  /** Returns the error for calls while the connection is lost. */
  unavailable(): StateError {
    const reason = this.#cause === undefined ? '' : `: ${messageOf(this.#cause)}`;
    return new StateError('unavailable', `State: Redis cannot be reached${reason}`, { cause: this.#cause });
  }

  /** Opens another wire: the present one is of no use any more. */
  reopen(cause: Error): void {
    if (this.#wire !== undefined) this.#lost(this.#wire, cause);
  }

  close(): void {
    this.#state = 'closed';
    this.#cancelTimer();
    this.#opening?.abort();
    this.#wire?.destroy();
    this.#wire = undefined;
  }

  /** Opens a wire, and puts it in the place of the last one. Rejects if that failed; another attempt follows by itself. */
  async #attempt(): Promise<Wire> {
    try {
      const { wire, lost } = await this.#openInTime();
      if (this.#state === 'closed') {
        wire.destroy();
        throw new StateError('closed', 'State: it was closed.');
      }
      const last = this.#wire;
      this.#wire = wire;
      this.#state = 'up';
      last?.destroy();
      this.#settings.onUp();
      this.#watch(wire);
      const cause = lost();
      if (cause !== undefined) this.#lost(wire, cause);
      return wire;
    } catch (error) {
      this.#down(asError(error));
      throw this.unavailable();
    }
  }

  async #openInTime(): Promise<{ readonly wire: Wire; readonly lost: () => Error | undefined }> {
    const { open, timeout, prepare, schedule } = this.#settings;
    const controller = new AbortController();
    this.#opening = controller;
    let opened: Wire | undefined;
    let lost: Error | undefined;
    const onLost = (cause: Error) => {
      lost = cause;
      if (opened !== undefined) this.#lost(opened, cause);
    };
    const work = async () => {
      const wire = await open({ onLost, signal: controller.signal });
      try {
        // Errors from here on are losses; those before concern attempts that the client repeated.
        lost = undefined;
        await prepare?.(wire);
        controller.signal.throwIfAborted();
        if (lost !== undefined) throw lost;
      } catch (error) {
        wire.destroy();
        throw error;
      }
      opened = wire;
      return { wire, lost: () => lost };
    };
    const cancel = schedule(
      () => controller.abort(new Error(`Redis did not answer within ${timeout} ms.`)),
      timeout,
    );
    try {
      return await unlessAborted(work(), controller.signal, asError);
    } finally {
      cancel();
      this.#opening = undefined;
    }
  }

  /** Sends PING again and again: a network that is gone closes no connection. */
  #watch(wire: Wire): void {
    const { timeout, schedule } = this.#settings;
    this.#cancelTimer = schedule(() => {
      this.#cancelTimer = schedule(
        () => this.#lost(wire, new Error(`Redis did not answer a PING within ${timeout} ms.`)),
        timeout,
      );
      const answered = async () => {
        await wire.ping();
        if (this.#wire !== wire || this.#state !== 'up') return;
        this.#failures = 0;
        this.#cancelTimer();
        this.#watch(wire);
      };
      detach(answered(), (error) => this.#lost(wire, asError(error)));
    }, timeout);
  }

  #lost(wire: Wire, cause: Error): void {
    if (this.#state !== 'up' || this.#wire !== wire) return;
    if (!wire.partial) {
      this.#wire = undefined;
      wire.destroy();
    }
    this.#down(cause);
  }

  #down(cause: Error): void {
    if (this.#state === 'closed') return;
    this.#state = 'down';
    this.#cause = cause;
    this.#cancelTimer();
    this.#cancelTimer = this.#settings.schedule(() => detach(this.#attempt(), () => {}), this.#delay());
    this.#settings.onDown(cause);
  }

  /** Twice the last pause, with half of it at random, so that many processes do not return at once. */
  #delay(): number {
    const { reconnectDelay, random } = this.#settings;
    const full = Math.min(reconnectDelay, firstDelay * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    return full / 2 + (full / 2) * random();
  }
}

/** A refusal by all addresses of a host is an error without a message. */
function messageOf(error: Error): string {
  return error instanceof AggregateError && error.message === ''
    ? error.errors.map(String).join('; ')
    : error.message;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
