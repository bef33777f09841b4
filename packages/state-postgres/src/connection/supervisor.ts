import { type Cancel, type Clock, detach } from '@tenon/foundation';
import { StateError, type StateStatus, type StatusListener } from '@tenon/mcp-state';
import { StatusSource } from '@tenon/mcp-state/adapter';
import type { ClientBase } from 'pg';
import { CommandQueue } from './command-queue.js';
import type { Dedicated } from './connections.js';
import { failureOf } from './statement.js';
import type { Waits } from './waits.js';

interface Connected extends Dedicated {
  readonly commands: CommandQueue;
}

/** Milliseconds between attempts to connect: the first pause doubles up to the last. */
const [firstPause, lastPause] = [50, 5_000];

/** The parts of a {@link ConnectionSupervisor}. */
export interface SupervisorParts {
  readonly clock: Clock;
  readonly waits: Waits;
  readonly timeout: number;
  readonly heartbeat: number;
  open(): Promise<Dedicated>;
  /** Prepares a new connection: migrates, subscribes. */
  prepare(client: ClientBase): Promise<void>;
  /** Called when a connection was lost. */
  lost(): void;
  /** Called when a connection replaced a lost one. */
  replaced(): void;
}

/** Keeps the connection for messages open. Its state is the status of the whole state. */
export class ConnectionSupervisor {
  readonly #parts: SupervisorParts;
  // An error of a listener is of no concern to the others, and the state has no other receiver for it.
  readonly #status = new StatusSource('unavailable', () => {});
  readonly #startedAt: number;
  #cause: Error | undefined;
  #current: Connected | undefined;
  /** The attempt to connect that is in progress; calls wait for its end. */
  #attempt: PromiseWithSettle = settleable();
  #attempts = 0;
  #wasReady = false;
  #isBeating = false;
  #cancel: Cancel | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  get status(): StateStatus {
    return this.#status.status;
  }

  start(): void {
    detach(this.#connect(), () => {});
  }

  onStatus(listener: StatusListener): () => void {
    return this.#status.add(listener);
  }

  requireOpen(): void {
    if (this.status === 'closed') throw closed();
  }

  /** Resolves when the database is reachable. Rejects at once between failed attempts to connect. */
  async waitUntilReady(until: number): Promise<void> {
    while (this.status !== 'ready') {
      this.requireOpen();
      if (this.#isAway()) throw this.#unreachable();
      try {
        await this.#parts.waits.wait(this.#attempt.promise, until, 'a connection');
      } catch (error) {
        const isClosed = error instanceof StateError && error.reason === 'closed';
        throw this.#cause === undefined || isClosed ? error : this.#unreachable();
      }
    }
  }

  /** Runs a command on the connection for messages. A connection that does not answer in time is replaced. */
  async run(command: string, until: number): Promise<void> {
    await this.waitUntilReady(until);
    const current = this.#current;
    if (current === undefined) throw this.#unreachable();
    try {
      await this.#parts.waits.wait(current.commands.run(command), until, 'the connection for messages');
    } catch (error) {
      if (error instanceof StateError && error.reason === 'unavailable') this.#lost(current.client, error);
      throw failureOf(error);
    }
  }

  /** Finds out soon whether the server still answers: calls wait longer than usual, or have failed. */
  check(): void {
    const current = this.#current;
    if (current === undefined || this.#isBeating) return;
    detach(this.#beatNow(current, this.#parts.timeout / 2), () => {});
  }

  /** Runs a command on the connection for messages if there is one, in the background. */
  attempt(command: string): void {
    detach(this.#current?.commands.run(command), () => {});
  }

  /** Ends the connection. Waiting calls reject with reason `closed`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#cancel?.();
    this.#set('closed');
    this.#attempt.settle();
    if (current !== undefined) await endWithin(current, this.#parts);
  }

  async #connect(): Promise<void> {
    const { open, prepare, replaced } = this.#parts;
    let dedicated: Dedicated | undefined;
    try {
      dedicated = await open();
      const opened = dedicated;
      const lost = (error?: Error) =>
        this.#lost(opened.client, error ?? new Error('The connection was closed.'));
      opened.client.on('error', lost);
      opened.client.on('end', () => lost());
      await prepare(opened.client);
    } catch (error) {
      if (dedicated !== undefined) detach(dedicated.end(), () => {});
      this.#failed(error);
      return;
    }
    if (this.#closing !== undefined) {
      detach(dedicated.end(), () => {});
      return;
    }
    const current = { ...dedicated, commands: new CommandQueue(dedicated.client) };
    this.#current = current;
    this.#attempts = 0;
    const again = this.#wasReady;
    this.#wasReady = true;
    this.#beat(current);
    this.#set('ready');
    this.#attempt.settle();
    if (again) replaced();
  }

  /** Plans the next attempt. */
  #failed(error: unknown): void {
    if (this.#closing !== undefined) return;
    this.#cause = error instanceof Error ? error : new Error(String(error));
    this.#attempts += 1;
    const pause = Math.min(lastPause, firstPause * 2 ** (this.#attempts - 1));
    this.#retry(pause * (0.5 + Math.random() / 2));
    // Calls see the failed attempt, or wait for the next one.
    const { settle } = this.#attempt;
    this.#attempt = settleable();
    settle();
  }

  #lost(client: ClientBase, cause: Error): void {
    const lost = this.#current;
    if (lost === undefined || lost.client !== client) return;
    this.#current = undefined;
    this.#cause = cause;
    this.#attempt = settleable();
    detach(lost.end(), () => {});
    this.#parts.lost();
    // Many processes lose their connections at the same moment.
    this.#retry(Math.random() * firstPause);
    this.#set('unavailable', cause);
  }

  #retry(pause: number): void {
    this.#cancel?.();
    this.#cancel = this.#parts.clock.schedule(() => this.start(), pause);
  }

  /** Finds out from time to time that the server is gone although the connection looks open. */
  #beat(current: Connected): void {
    const { clock, heartbeat, timeout } = this.#parts;
    this.#cancel?.();
    this.#cancel = clock.schedule(() => detach(this.#beatNow(current, timeout), () => {}), heartbeat);
  }

  /** @param limit - milliseconds after which the connection is replaced. */
  async #beatNow(current: Connected, limit: number): Promise<void> {
    const { clock, waits } = this.#parts;
    this.#isBeating = true;
    try {
      await waits.wait(current.commands.run('SELECT 1'), clock.now() + limit, 'a heartbeat');
    } catch (error) {
      this.#lost(current.client, error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#isBeating = false;
    }
    if (this.#current === current) this.#beat(current);
  }

  #set(status: StateStatus, cause?: Error): void {
    if (status === 'ready') this.#cause = undefined;
    this.#status.become(status, cause);
  }

  /** True if an attempt failed after the connection was lost, or for the whole time limit after the start. */
  #isAway(): boolean {
    if (this.#attempts === 0) return false;
    return this.#wasReady || this.#parts.clock.now() - this.#startedAt >= this.#parts.timeout;
  }

  #unreachable(): StateError {
    const reason = this.#cause?.message || 'The connection was lost.';
    return new StateError('unavailable', `State: PostgreSQL cannot be reached. ${reason}`, {
      cause: this.#cause,
    });
  }
}

/** Returns the error of calls on a closed state. */
export function closed(): StateError {
  return new StateError('closed', 'State: it was closed.');
}

interface PromiseWithSettle {
  readonly promise: Promise<void>;
  readonly settle: () => void;
}

function settleable(): PromiseWithSettle {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** Ends a connection; a server that does not answer is not waited for longer than the time limit. */
async function endWithin(dedicated: Dedicated, { waits, clock, timeout }: SupervisorParts): Promise<void> {
  try {
    await waits.wait(dedicated.end(), clock.now() + timeout, 'the end of a connection');
  } catch {
    dedicated.drop();
  }
}
