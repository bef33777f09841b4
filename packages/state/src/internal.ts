import { type MemoryStateOptions, memoryState } from './memory/memory-state.js';
import { joinProcesses } from './processes/processes.js';
import {
  type JoinSettings,
  type Processes,
  type State,
  StateError,
  type StateStatus,
  type StatusListener,
  type Subscriber,
} from './state.js';
import { StatusSource } from './status-source.js';

export { type ChangedKey, ConflictError, change, type NextValue, type SeenValue } from './change/change.js';
export { swapTarget } from './change/swap-target.js';
export { digestSegment } from './keys.js';
export { namedState } from './named-state.js';
export { isProcessId } from './processes/process-message.js';
export { ProcessGoneError } from './processes/processes.js';
export { quotaOn } from './quota/caller-quota.js';
export { type ReplayStore, replayStoreOn } from './replay-store.js';
export { HeldLease } from './runs/held-lease.js';
export { untilReached } from './runs/until-reached.js';
export { SecretList, type Secrets } from './secret-list.js';

/** State that other processes share. */
type SharedState = State & Required<Pick<State, 'join'>>;

/** State that several servers in one process share, as several processes share a database. For tests. */
export class SharedMemory {
  readonly #memory: State;
  readonly #views = new Set<View>();

  constructor(options?: MemoryStateOptions) {
    this.#memory = memoryState(options);
  }

  /** Returns the state for one more server. Closing it does not affect the others. */
  open(): SharedState {
    const view = new View(this.#memory);
    this.#views.add(view);
    return view;
  }

  /** Makes every call of all views reject with reason `unavailable`, and drops messages, until {@link restore}. */
  interrupt(): void {
    for (const view of this.#views) view.become('unavailable');
  }

  /** Ends an interruption: subscribers receive a gap. */
  restore(): void {
    for (const view of this.#views) view.become('ready');
  }
}

class View implements State {
  readonly bytes: number | undefined;
  readonly kv: State['kv'];
  readonly log: State['log'];
  readonly bus: State['bus'];
  readonly leases: State['leases'];
  readonly #subscribers = new Set<Subscriber>();
  readonly #status = new StatusSource('ready', () => {});

  constructor(memory: State) {
    this.bytes = memory.bytes;
    this.kv = this.#guarded(memory.kv);
    this.log = this.#guarded(memory.log);
    this.leases = this.#guarded(memory.leases);
    this.bus = this.#guarded({
      publish: (topic: string, text: string) => memory.bus.publish(topic, text),
      subscribe: (topic: string, subscriber: Subscriber) => this.#subscribe(memory, topic, subscriber),
    });
  }

  join(settings: JoinSettings): Processes {
    return joinProcesses(this, settings);
  }

  get status(): StateStatus {
    return this.#status.status;
  }

  onStatus(listener: StatusListener): () => void {
    return this.#status.add(listener);
  }

  /** Closed for good, once it is closed. */
  become(status: StateStatus): void {
    if (this.status === 'closed' || this.status === status) return;
    this.#status.become(status);
    if (status === 'ready') for (const subscriber of this.#subscribers) subscriber.gap();
  }

  async close(): Promise<void> {
    this.become('closed');
    this.#subscribers.clear();
  }

  async #subscribe(memory: State, topic: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    this.#subscribers.add(subscriber);
    const end = await memory.bus.subscribe(topic, {
      message: (text) => (this.status === 'ready' ? subscriber.message(text) : undefined),
      gap: () => subscriber.gap(),
    });
    return () => {
      this.#subscribers.delete(subscriber);
      return end();
    };
  }

  /** Returns the part with methods that reject while the view is not ready. */
  #guarded<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          if (this.status === 'closed') throw new StateError('closed', 'State: it was closed.');
          if (this.status !== 'ready') throw new StateError('unavailable', 'State: it was interrupted.');
          return Reflect.apply(member, target, given);
        };
      },
    });
  }
}
