import type { State } from '@tenon/mcp-state';
import { leaseTime } from '@tenon/mcp-state/extension';
import { newTaskId } from './task-store.js';

/** The turn of one stream among those that wait for the same task, in all processes. The newest stream takes it from the others. */
export class StreamTurn {
  readonly #kv: State['kv'];
  readonly #key: string;
  readonly #stream: string = newTaskId();
  #isNew = true;
  #hasTurn = false;

  constructor(kv: State['kv'], taskId: string) {
    this.#kv = kv;
    this.#key = `task-stream/${taskId}`;
  }

  /** Begins the turn, or extends it. @returns false if another stream has it. */
  async take(): Promise<boolean> {
    this.#hasTurn = await this.#take();
    this.#isNew = false;
    return this.#hasTurn;
  }

  /** Ends the turn. @returns true if this stream had it. */
  async end(): Promise<boolean> {
    if (!this.#hasTurn) return false;
    this.#hasTurn = false;
    try {
      const found = await this.#kv.get(this.#key);
      return found?.value === this.#stream && (await this.#kv.delete(this.#key, found.version));
    } catch {
      // It ends by itself if the state cannot be reached.
      return false;
    }
  }

  async #take(): Promise<boolean> {
    const found = this.#isNew ? undefined : await this.#kv.get(this.#key);
    if (this.#isNew) await this.#kv.put(this.#key, this.#stream, { ttl: leaseTime });
    else if (found?.value === this.#stream) await this.#kv.touch(this.#key, leaseTime);
    else if (found !== undefined) return false;
    else return this.#claim();
    return true;
  }

  async #claim(): Promise<boolean> {
    const options = { expected: undefined, ttl: leaseTime };
    return (await this.#kv.compareAndSet(this.#key, this.#stream, options)) !== undefined;
  }
}
