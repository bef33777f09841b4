import { type Clock, pause } from '@tenon/foundation';
import type { LeaseStore } from '@tenon/mcp-state';
import type { HeldLease } from '@tenon/mcp-state/internal';
import { AuthError } from '../auth-error.js';

/** The lease that a task needs. */
export interface LeaseLock {
  readonly leases: LeaseStore;
  readonly name: string;
  readonly clock: Clock;
  /** Milliseconds after which the lease of a process that has ended is free. A holder renews it three times in that time. */
  readonly stale: number;
  /** Milliseconds to wait for the lease. */
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
}

// Milliseconds between two attempts: doubled each time up to the longest, plus up to half of that at random.
const pauses = { first: 10, longest: 320 };

/**
 * Runs a task while holding a lease.
 * @throws AuthError `storage` if another process holds the lease for too long; StateError; the reason of the signal; the error of the task.
 */
export async function holdLease<T>(lock: LeaseLock, task: () => Promise<T>): Promise<T> {
  const lease = await acquire(lock);
  try {
    return await task();
  } finally {
    // If the state is away, the lease expires.
    await lease.release().catch(() => {});
  }
}

async function acquire({ leases, name, clock, stale, wait, signal }: LeaseLock): Promise<HeldLease> {
  // Loaded with the first lock: most clients have a store of their own.
  const { HeldLease } = await import('@tenon/mcp-state/internal');
  const options = { leases, clock, ttl: stale, report: () => {} };
  const until = clock.now() + wait;
  for (let ms = pauses.first; ; ms = Math.min(2 * ms, pauses.longest)) {
    signal?.throwIfAborted();
    const lease = await HeldLease.acquire(options, name);
    if (lease !== undefined) return lease;
    if (clock.now() >= until) {
      const seconds = Math.round(wait / 1_000);
      throw new AuthError(
        'storage',
        `Another process has held "${name}" for more than ${seconds} s: try again.`,
      );
    }
    await pause(clock, ms * (1 + Math.random() / 2), { signal, holds: true });
  }
}
