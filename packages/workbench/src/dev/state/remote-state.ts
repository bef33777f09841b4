import { detach } from '@tenon/foundation';
import type {
  JoinSettings,
  KeyValueStore,
  Lease,
  LeaseStore,
  LogStore,
  MessageBus,
  Processes,
  State,
  StateError,
  StateFailure,
  StateStatus,
  StatusListener,
  Subscriber,
} from '@tenon/mcp-state';
import type { Delivery, joinProcesses, StatusSource } from '@tenon/mcp-state/adapter';
import { type ChildMessage, type SupervisorMessage, stateMethods } from '../child-messages.js';

/** The parts of `@tenon/mcp-state` in the version that the server uses: its errors are compared by class. */
export interface StateParts {
  readonly joinProcesses: typeof joinProcesses;
  readonly Delivery: typeof Delivery;
  readonly StatusSource: typeof StatusSource;
  readonly StateError: typeof StateError;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Calls without an answer. */
const mostPending = 10_000;

/** The state of the supervisor, in the child. */
export class RemoteState implements State {
  readonly kv: KeyValueStore;
  readonly log: LogStore;
  readonly bus: MessageBus;
  readonly leases: LeaseStore;
  readonly #parts: StateParts;
  readonly #send: (message: ChildMessage) => void;
  readonly #status: StatusSource;
  readonly #pending = new Map<number, Pending>();
  readonly #deliveries = new Map<number, Delivery>();
  #next = 1;

  /** @param send - sends to the supervisor. Must not throw. */
  constructor(parts: StateParts, send: (message: ChildMessage) => void) {
    this.#parts = parts;
    this.#send = send;
    this.#status = new parts.StatusSource('ready', () => {});
    this.kv = this.#called('kv') as KeyValueStore;
    this.log = this.#called('log') as LogStore;
    this.bus = {
      ...(this.#called('bus') as Pick<MessageBus, 'publish'>),
      subscribe: (topic, subscriber) => this.#subscribe(topic, subscriber),
    };
    this.leases = { acquire: (name, ttl) => this.#acquire(name, ttl) };
  }

  get status(): StateStatus {
    return this.#status.status;
  }

  join(settings: JoinSettings): Processes {
    return this.#parts.joinProcesses(this, settings);
  }

  onStatus(listener: StatusListener): () => void {
    return this.#status.add(listener);
  }

  /** Receives a message of the supervisor. */
  receive(message: SupervisorMessage): void {
    if (message.type === 'topic') {
      const delivery = this.#deliveries.get(message.handle);
      if (message.text === undefined) delivery?.lose();
      else delivery?.push(message.text);
      return;
    }
    if (message.type !== 'state-answer' && message.type !== 'state-error') return;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'state-answer') pending?.resolve(message.value);
    else pending?.reject(this.#errorOf(message));
  }

  async close(): Promise<void> {
    this.#status.become('closed');
    for (const { reject } of this.#pending.values()) reject(this.#closedError());
    for (const delivery of this.#deliveries.values()) delivery.end();
    this.#pending.clear();
    this.#deliveries.clear();
  }

  #errorOf({ reason, message }: Extract<SupervisorMessage, { type: 'state-error' }>): Error {
    if (reason === 'range') return new RangeError(message);
    if (reason === 'type') return new TypeError(message);
    return new this.#parts.StateError(reason as StateFailure, message);
  }

  #closedError(): Error {
    return new this.#parts.StateError('closed', 'State: it was closed.');
  }

  /** Returns the methods of a part that are called as they are. */
  #called(part: keyof typeof stateMethods): object {
    return Object.fromEntries(
      stateMethods[part].map((name) => [
        name,
        (...args: readonly unknown[]) => this.#call(`${part}.${name}`, args),
      ]),
    );
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.status === 'closed') return Promise.reject(this.#closedError());
    if (this.#pending.size >= mostPending) {
      const message = `State: ${mostPending} calls wait for an answer.`;
      return Promise.reject(new this.#parts.StateError('unavailable', message));
    }
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ type: 'state', id, method, args });
    });
  }

  async #subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    const handle = this.#next++;
    const delivery = new this.#parts.Delivery(subscriber, () => {});
    this.#deliveries.set(handle, delivery);
    try {
      await this.#call('bus.subscribe', [handle, topic]);
    } catch (error) {
      this.#deliveries.delete(handle);
      throw error;
    }
    return async () => {
      delivery.end();
      this.#deliveries.delete(handle);
      if (this.status !== 'closed') detach(this.#call('held.release', [handle]), () => {});
    };
  }

  async #acquire(name: string, ttl: number): Promise<Lease | undefined> {
    const handle = this.#next++;
    const token = await this.#call('leases.acquire', [handle, name, ttl]);
    if (typeof token !== 'number') return undefined;
    return {
      name,
      token,
      renew: (longer) => this.#call('held.renew', [handle, longer]) as Promise<boolean>,
      release: () => this.#call('held.release', [handle]) as Promise<boolean>,
    };
  }
}
