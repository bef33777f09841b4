import { ExpiringMap } from '../expiring-map.js';
import { fenced, fenceLifetime, requireFenceOf, requireLeaseName, requireTtl } from '../keys.js';
import type { Fence, Lease, LeaseStore } from '../state.js';
import type { MemoryShared } from './memory-budget.js';

interface Held {
  readonly token: number;
}

/** Leases by name, in memory. */
export class MemoryLeases implements LeaseStore {
  readonly #shared: MemoryShared;
  readonly #held: ExpiringMap<Held>;
  /** The greatest token of each name that was ever held; bounded with the held leases. */
  readonly #greatest: ExpiringMap<number>;
  #tokens = 0;

  constructor(shared: MemoryShared) {
    this.#shared = shared;
    const { clock, budget } = shared;
    this.#held = new ExpiringMap(clock, () => budget.remove(1, 0));
    this.#greatest = new ExpiringMap(clock, () => budget.remove(1, 0));
    for (const map of [this.#held, this.#greatest]) budget.onFull(() => map.sweep());
  }

  async acquire(name: string, ttl: number): Promise<Lease | undefined> {
    this.#shared.requireOpen();
    requireLeaseName(name);
    requireTtl(name, ttl);
    if (this.#held.get(name) !== undefined) return undefined;
    this.#shared.budget.requireRoom(2, 0);
    this.#shared.budget.add(2, 0);
    this.#tokens += 1;
    const held: Held = { token: this.#tokens };
    this.#held.set(name, held, ttl);
    this.#greatest.set(name, held.token, fenceLifetime);
    return {
      name,
      token: held.token,
      renew: async (longer) => {
        this.#shared.requireOpen();
        requireTtl(name, longer);
        if (this.#held.get(name) !== held) return false;
        this.#held.set(name, held, longer);
        return true;
      },
      release: async () => {
        this.#shared.requireOpen();
        return this.#held.get(name) === held && this.#held.delete(name);
      },
    };
  }

  /** @throws StateError with reason `fenced` if a later holder acquired the lease. */
  requireFence(key: string, fence: Fence | undefined): void {
    if (fence === undefined) return;
    requireFenceOf(key, fence);
    if (fence.token < (this.#greatest.get(fence.name) ?? 0)) throw fenced(key, fence);
  }

  clear(): void {
    this.#held.clear();
    this.#greatest.clear();
  }
}
