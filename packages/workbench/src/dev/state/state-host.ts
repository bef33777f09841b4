import { detach } from '@tenon/foundation';
import { type Lease, type State, StateError, type StateFailure } from '@tenon/mcp-state';
import { type ChildMessage, type SupervisorMessage, stateMethods } from '../child-messages.js';

/** A call of the state by a child. */
type StateCall = Omit<Extract<ChildMessage, { readonly type: 'state' }>, 'type'>;

type Served = (...args: readonly never[]) => Promise<unknown>;

/** A lease, or a subscription, which only ends. */
type Held = Pick<Lease, 'release'> & Partial<Lease>;

/** Subscriptions and leases of one child. */
const mostHeld = 20_000;

/** Serves the state of the supervisor to one child. */
export class StateHost {
  readonly #state: State;
  readonly #send: (message: SupervisorMessage) => void;
  /** By the handles that the child has chosen. */
  readonly #held = new Map<number, Held>();
  readonly #methods: ReadonlyMap<string, Served>;
  #closed = false;

  /** @param send - sends to the child. Must not throw. */
  constructor(state: State, send: (message: SupervisorMessage) => void) {
    this.#state = state;
    this.#send = send;
    this.#methods = new Map<string, Served>([
      ...Object.entries(stateMethods).flatMap(([part, names]) =>
        names.map((name): [string, Served] => {
          const target = state[part as keyof typeof stateMethods];
          return [`${part}.${name}`, (...args) => Reflect.get(target, name).apply(target, args)];
        }),
      ),
      ['bus.subscribe', (handle: number, topic: string) => this.#subscribe(handle, topic)],
      ['leases.acquire', (handle: number, name: string, ttl: number) => this.#acquire(handle, { name, ttl })],
      ['held.renew', async (handle: number, ttl: number) => this.#held.get(handle)?.renew?.(ttl) ?? false],
      ['held.release', (handle: number) => this.#release(handle)],
    ]);
  }

  /** Answers one call. */
  receive({ id, method, args }: StateCall): void {
    const served = this.#methods.get(method);
    const answer = async () => {
      if (served === undefined) throw new TypeError(`The state has no ${method}.`);
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
    for (const held of this.#held.values()) if (held.token === undefined) detach(held.release(), () => {});
    this.#held.clear();
  }

  async #subscribe(handle: number, topic: string): Promise<void> {
    this.#requireRoom();
    const end = await this.#state.bus.subscribe(topic, {
      message: (text) => this.#send({ type: 'topic', handle, text }),
      gap: () => this.#send({ type: 'topic', handle }),
    });
    if (this.#closed) await end();
    else this.#held.set(handle, { release: async () => end().then(() => true) });
  }

  async #acquire(
    handle: number,
    { name, ttl }: { readonly name: string; readonly ttl: number },
  ): Promise<number | undefined> {
    this.#requireRoom();
    const lease = await this.#state.leases.acquire(name, ttl);
    if (lease !== undefined) this.#held.set(handle, lease);
    return lease?.token;
  }

  async #release(handle: number): Promise<boolean> {
    const held = this.#held.get(handle);
    this.#held.delete(handle);
    return held === undefined ? false : held.release();
  }

  #requireRoom(): void {
    if (this.#held.size >= mostHeld)
      throw new TypeError(`A process may have ${mostHeld} leases and subscriptions.`);
  }
}

function reasonOf(error: unknown): StateFailure | 'type' | 'range' {
  if (error instanceof StateError) return error.reason;
  return error instanceof RangeError ? 'range' : 'type';
}
