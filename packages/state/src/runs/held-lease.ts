import { type Clock, detach } from '@tenon/foundation';
import type { Fence, Lease, LeaseStore } from '../state.js';

/** Milliseconds until another process may go on with a run after the last sign of its process. */
export const leaseTime = 15_000;
/** Milliseconds between two renewals. */
export const renewAfter: number = leaseTime / 3;

/** The dependencies of a {@link HeldLease}. */
export interface HeldLeaseOptions {
  readonly leases: LeaseStore;
  readonly clock: Pick<Clock, 'schedule'>;
  /** Milliseconds after which the lease of a process that has ended is free. It is renewed three times in that time. Default: 15,000. */
  readonly ttl?: number;
  /** Receives failures of the state. A lease that cannot be renewed in time may be lost. */
  readonly report: (error: unknown) => void;
}

/** The lease of a run or another task, which its process renews until it releases it; also the fence of writes that depend on it. */
export class HeldLease implements Fence {
  readonly name: string;
  readonly #options: HeldLeaseOptions;
  /** Undefined once it was released. */
  #lease: Lease | undefined;
  #stop: () => void = () => {};
  #lost: (() => void) | undefined;
  #renewal: Promise<boolean> | undefined;

  private constructor(options: HeldLeaseOptions, name: string, lease: Lease) {
    this.#options = options;
    this.name = name;
    this.#lease = lease;
    this.#renewLater();
  }

  /** Acquires a lease. @returns undefined if a process has it. Rejects with a StateError. */
  static async acquire(options: HeldLeaseOptions, name: string): Promise<HeldLease | undefined> {
    const lease = await options.leases.acquire(name, options.ttl ?? leaseTime);
    return lease && new HeldLease(options, name, lease);
  }

  /** No write passes with the token of a lease that was lost or released. */
  get token(): number {
    return this.#lease?.token ?? 0;
  }

  /**
   * Renews the lease now. After an interruption of the state it may be free: then this process acquires it again.
   * @returns false if it is lost or was released. Rejects with a StateError.
   */
  renew(): Promise<boolean> {
    // Two at once would be in each other's way when the lease has expired.
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<boolean> {
    const lease = this.#lease;
    if (lease === undefined) return false;
    const { leases, ttl = leaseTime } = this.#options;
    if (await lease.renew(ttl)) return true;
    const next = await leases.acquire(this.name, ttl);
    if (this.#lease !== lease) {
      await next?.release();
      return false;
    }
    this.#lease = next;
    if (next !== undefined) return true;
    this.#stop();
    this.#lost?.();
    return false;
  }

  /** Calls the listener when another process has acquired the lease. There is one listener. */
  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  /** Releases the lease, for good. Rejects with a StateError: the lease ends by itself then. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#stop();
    await lease?.release();
  }

  #renewLater(): void {
    const { clock, report, ttl = leaseTime } = this.#options;
    this.#stop = clock.schedule(() => {
      this.#renewLater();
      detach(this.renew(), report);
    }, ttl / 3);
  }
}
