import type { Lease, State } from '@tenon/mcp-state';

/** The state of one process that a test stops before a chosen call: the process is frozen, or dies there. */
export class SteppedState {
  readonly state: State;
  /** Calls of kv, logs and leases until the process stops. */
  #left = Number.POSITIVE_INFINITY;
  #gate: Promise<void> | undefined;
  #open = (): void => {};

  constructor(state: State) {
    const kv = this.#stepped(state.kv);
    const log = this.#stepped(state.log);
    const leases = {
      acquire: async (name: string, ttl: number) => {
        const lease = await this.#stepped(state.leases).acquire(name, ttl);
        return lease && this.#stepped<Lease>(lease);
      },
    };
    this.state = new Proxy(state, {
      get(target, name) {
        if (name === 'kv') return kv;
        if (name === 'log') return log;
        return name === 'leases' ? leases : Reflect.get(target, name, target);
      },
    });
  }

  /** True after the process has stopped. */
  get stopped(): boolean {
    return this.#gate !== undefined;
  }

  /** Stops the process before one of its next calls, counted from 1. */
  stopBefore(call: number): void {
    this.#left = call;
  }

  /** Ends the stop: the process goes on. */
  resume(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#gate = undefined;
    this.#open();
  }

  /** Returns the part with methods that wait while the process is stopped. */
  #stepped<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          this.#left -= 1;
          if (this.#left === 0)
            this.#gate = new Promise((resolve) => {
              this.#open = resolve;
            });
          if (this.#gate !== undefined) await this.#gate;
          return Reflect.apply(member, target, given);
        };
      },
    });
  }
}
