import type { Clock } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';
import type { Connections } from './connections.js';
import { failureOf, isReadOnly, type Result, send, type Value } from './statement.js';
import type { ConnectionSupervisor } from './supervisor.js';
import type { Waits } from './waits.js';

/** The parts that a {@link Database} consists of. */
export interface DatabaseParts {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly supervisor: ConnectionSupervisor;
  /** The waits for connections, which end when the state is closed. */
  readonly waits: Waits;
  /** The waits for answers: statements in progress finish when the state is closed. */
  readonly answers: Waits;
  readonly timeout: number;
  readonly maxCalls: number;
}

/** Runs statements on connections of the pool, each within the time limit of its call. */
export class Database {
  readonly #parts: DatabaseParts;
  #calls = 0;
  /** True if the server has answered a statement since the last look. */
  #hasAnswered = false;
  #isLooking = false;

  constructor(parts: DatabaseParts) {
    this.#parts = parts;
  }

  requireOpen(): void {
    this.#parts.supervisor.requireOpen();
  }

  /** Returns the time at which a call that begins now fails. */
  deadline(): number {
    return this.#parts.waits.now() + this.#parts.timeout;
  }

  /** @throws StateError if the database cannot be reached, does not answer in time, or reports an error. */
  async run(text: string, values: readonly Value[], until: number = this.deadline()): Promise<Result> {
    const { supervisor, maxCalls } = this.#parts;
    supervisor.requireOpen();
    if (this.#calls >= maxCalls)
      throw new StateError('full', `State: ${maxCalls} calls are in progress, and no more are allowed.`);
    this.#calls += 1;
    this.#look();
    try {
      await supervisor.waitUntilReady(until);
      return await this.#send(text, values, until);
    } catch (error) {
      if (error instanceof StateError && error.reason === 'unavailable') supervisor.check();
      // A pool that ends reports errors of its own to calls that wait for a connection.
      supervisor.requireOpen();
      throw failureOf(error);
    } finally {
      this.#calls -= 1;
    }
  }

  async #send(text: string, values: readonly Value[], until: number): Promise<Result> {
    const { connections, answers } = this.#parts;
    const client = await connections.acquire(until);
    let broken = false;
    try {
      const result = await answers.wait(send(client, text, values), until, 'a statement');
      this.#hasAnswered = true;
      return result;
    } catch (error) {
      // After a wait that ended early, the connection has an answer that no call waits for.
      broken = error instanceof StateError || isReadOnly(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Has the connection checked while calls wait and none was answered for half of their time: the status shows then that the server is away. */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock, supervisor, timeout } = this.#parts;
    clock.schedule(() => {
      this.#isLooking = false;
      if (this.#calls === 0) return;
      if (!this.#hasAnswered) supervisor.check();
      this.#hasAnswered = false;
      this.#look();
    }, timeout / 2);
  }
}
