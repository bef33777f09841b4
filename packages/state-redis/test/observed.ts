import type { State, StateStatus } from '@tenon/mcp-state';
import type { Schedule } from '../src/connection/link.js';

/** For tests that are not about the time limit: on a busy machine, Redis answers late. */
export const unlimited = { timeout: 1_000_000 } as const;

/** Resolves when a state has a status. */
export function reached(state: State, status: StateStatus): Promise<Error | undefined> {
  return new Promise((resolve) => {
    if (state.status === status) {
      resolve(undefined);
      return;
    }
    const remove = state.onStatus((now, cause) => {
      if (now !== status) return;
      remove();
      resolve(cause);
    });
  });
}

/** Returns the reason of the StateError that a call rejects with; otherwise its result. */
export async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error instanceof Error && 'reason' in error ? error.reason : error;
  }
}

/** A subscriber that collects what it receives; a gap is `GAP`. */
export class Collector {
  readonly received: string[] = [];
  readonly #waiting = new Set<() => void>();

  readonly message = (text: string): void => {
    this.received.push(text);
    for (const look of [...this.#waiting]) look();
  };

  readonly gap = (): void => this.message('GAP');

  /** Resolves when a text has been received. */
  has(text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.received.includes(text)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** Counts the connections that were lost because a PING had no answer. */
export class LostConnections {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  readonly onError = (error: unknown): void => {
    if (error instanceof Error && error.message.includes('PING')) this.#count += 1;
    for (const look of [...this.#waiting]) look();
  };

  /** Resolves when so many connections were lost. */
  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#count < count) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** Timers of a state with {@link unlimited} calls: their time limits expire only when a test says so. */
export class HeldLimits {
  readonly #tasks = new Set<() => void>();

  readonly schedule: Schedule = (task, ms) => {
    if (ms < unlimited.timeout) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    }
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  };

  /** Ends the time of all present limits. */
  expire(): void {
    const tasks = [...this.#tasks];
    this.#tasks.clear();
    for (const task of tasks) task();
  }
}
