import type { State } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';

/** A state that records the calls of a process, which it can also leave without an answer. */
export class CountingState implements State {
  readonly kv: State['kv'];
  readonly log: State['log'];
  readonly bus: State['bus'];
  readonly leases: State['leases'];
  /** The calls in their order, such as `kv.get`. */
  readonly calls: string[] = [];
  readonly #from: State;
  readonly #waiting: (() => void)[] = [];
  #holds = false;
  #onHeld = () => {};

  constructor(from: State) {
    this.#from = from;
    this.kv = this.#counted('kv');
    this.log = this.#counted('log');
    this.bus = this.#counted('bus');
    this.leases = this.#counted('leases');
  }

  get status(): State['status'] {
    return this.#from.status;
  }

  onStatus(listener: Parameters<State['onStatus']>[0]): () => void {
    return this.#from.onStatus(listener);
  }

  close(): Promise<void> {
    return this.#from.close();
  }

  join(settings: Parameters<NonNullable<State['join']>>[0]): ReturnType<NonNullable<State['join']>> {
    return joinProcesses(this, settings);
  }

  /** Leaves calls without an answer until {@link release}. Resolves when the first one is made. */
  hold(): Promise<void> {
    this.#holds = true;
    return new Promise((resolve) => {
      this.#onHeld = resolve;
    });
  }

  release(): void {
    this.#holds = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  #released(): Promise<void> {
    this.#onHeld();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #counted<Name extends 'kv' | 'log' | 'bus' | 'leases'>(part: Name): State[Name] {
    return new Proxy(this.#from[part], {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          this.calls.push(`${part}.${String(name)}`);
          if (this.#holds) await this.#released();
          return Reflect.apply(member, target, given);
        };
      },
    });
  }
}
