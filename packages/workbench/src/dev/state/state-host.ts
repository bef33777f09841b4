import { detach } from '@tenon/mcp-protocol/internal';
import { type Lease, type State, StateError, type StateFailure } from '@tenon/mcp-state';
import { type ChildMessage, type SupervisorMessage, stateMethods } from '../child-messages.js';

/** A call of the state by a child. */
type StateCall = Omit<Extract<ChildMessage, { readonly type: 'state' }>, 'type'>;

type Served = (...args: readonly never[]) => Promise<unknown>;

/** Subscriptions and leases of one child. */
const mostHeld = 10_000;

/** Serves the state of the supervisor to one child. */
export class StateHost {
  readonly #state: State;
  readonly #send: (message: SupervisorMessage) => void;
  readonly #subscriptions = new Map<number, () => Promise<void>>();
  readonly #leases = new Map<number, Lease>();
  readonly #methods: ReadonlyMap<string, Served>;
  #closed = false;

  /** @param send - sends to the child. Must not throw. */
  constructor(state: State, send: (message: SupervisorMessage) => void) {
    this.#state = state;
    this.#send = send;
    const { leases } = state;
    this.#methods = new Map<string, Served>([
      ...Object.entries(stateMethods).flatMap(([part, names]) =>
        names.map((name): [string, Served] => {
          const target = state[part as keyof typeof stateMethods];
          return [`${part}.${name}`, (...args) => Reflect.get(target, name).apply(target, args)];
        }),
      ),
      ['bus.subscribe', (topic: string, subscription: number) => this.#subscribe(topic, subscription)],
      ['bus.unsubscribe', (subscription: number) => this.#unsubscribe(subscription)],
      [
        'leases.acquire',
        (name: string, ttl: number, lease: number) => this.#acquire(leases, name, { ttl, lease }),
      ],
      ['leases.renew', async (lease: number, ttl: number) => this.#leases.get(lease)?.renew(ttl) ?? false],
      ['leases.release', (lease: number) => this.#release(lease)],
    ]);
  }

  /** Answers one call. */
  receive({ id, part, method, args }: StateCall): void {
    const served = this.#methods.get(`${part}.${method}`);
    const answer = async () => {
      if (served === undefined) throw new TypeError(`The state has no ${part}.${method}.`);
      // A hole of JSON is null where the call had undefined.
      const value = await served(...(args.map((one) => (one === null ? undefined : one)) as never[]));
      this.#send({ type: 'state-answer', id, value });
    };
    detach(answer(), (error) => {
      const reason = reasonOf(error);
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ type: 'state-error', id, reason, message });
    });
  }

  /** Ends the subscriptions of the child, which has ended. Its leases expire. */
  close(): void {
    this.#closed = true;
    for (const end of this.#subscriptions.values()) detach(end(), () => {});
    this.#subscriptions.clear();
    this.#leases.clear();
  }

  async #subscribe(topic: string, subscription: number): Promise<void> {
    this.#requireRoom(this.#subscriptions.size);
    const end = await this.#state.bus.subscribe(topic, {
      message: (text) => this.#send({ type: 'topic', subscription, text }),
      gap: () => this.#send({ type: 'topic', subscription }),
    });
    if (this.#closed) await end();
    else this.#subscriptions.set(subscription, end);
  }

  async #unsubscribe(subscription: number): Promise<void> {
    const end = this.#subscriptions.get(subscription);
    this.#subscriptions.delete(subscription);
    await end?.();
  }

  async #acquire(
    leases: State['leases'],
    name: string,
    { ttl, lease }: { ttl: number; lease: number },
  ): Promise<number | undefined> {
    this.#requireRoom(this.#leases.size);
    const held = await leases.acquire(name, ttl);
    if (held !== undefined) this.#leases.set(lease, held);
    return held?.token;
  }

  async #release(lease: number): Promise<boolean> {
    const held = this.#leases.get(lease);
    this.#leases.delete(lease);
    return held === undefined ? false : held.release();
  }

  #requireRoom(size: number): void {
    if (size >= mostHeld) throw new TypeError(`A process may have ${mostHeld} leases or subscriptions.`);
  }
}

function reasonOf(error: unknown): StateFailure | 'type' | 'range' {
  if (error instanceof StateError) return error.reason;
  return error instanceof RangeError ? 'range' : 'type';
}
