import type { Clock } from '@tenon/foundation';
import { detach } from '@tenon/mcp-protocol/internal';
import type { ClusterNode, Lease, State } from '@tenon/mcp-state';

/** The dependencies of {@link CallLease}. */
export interface CallLeaseSettings {
  readonly cluster: Pick<ClusterNode, 'id'> & { readonly state: Pick<State, 'kv' | 'leases'> };
  readonly clock: Clock;
  readonly onError: (error: unknown, where: string) => void;
}

/** Milliseconds for which a process holds the lease of a call that it continues, and after which it renews it. */
const leaseTime = 10_000;
const renewAfter = 3_000;

/** The lease of a call that this process continues. While its handler waits for input, any process can continue the call. */
export class CallLease {
  readonly #settings: CallLeaseSettings;
  readonly #name: string;
  #lease: Lease | undefined;
  #stop = (): void => {};

  constructor(name: string, settings: CallLeaseSettings) {
    this.#name = name;
    this.#settings = settings;
  }

  /** Returns false if another process holds the lease. */
  async acquire(): Promise<boolean> {
    if (this.#lease !== undefined) return true;
    this.#lease = await this.#settings.cluster.state.leases.acquire(this.#name, leaseTime);
    if (this.#lease === undefined) return false;
    this.#renewLater();
    return true;
  }

  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#stop();
    await lease?.release();
  }

  #renewLater(): void {
    const { clock, onError } = this.#settings;
    this.#stop = clock.schedule(() => {
      detach(this.#renew(), (error) => onError(error, 'state'));
      this.#renewLater();
    }, renewAfter);
  }

  /** Renews the lease. After an interruption of the state, it may be free: this process still continues the call. */
  async #renew(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined || (await lease.renew(leaseTime))) return;
    const next = await this.#settings.cluster.state.leases.acquire(this.#name, leaseTime);
    if (next === undefined) return;
    if (this.#lease === lease) this.#lease = next;
    else await next.release();
  }
}
