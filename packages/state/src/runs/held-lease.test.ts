import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { SharedMemory } from '../internal.js';
import { HeldLease, leaseTime, renewAfter } from './held-lease.js';

async function held() {
  const clock = new FakeClock();
  /** The time of the state: it goes on while the process of the lease is frozen. */
  const time = new FakeClock();
  const memory = new SharedMemory({ clock: time });
  const { leases } = memory.open();
  const report = vi.fn();
  const lost = vi.fn();
  const lease = await HeldLease.acquire({ leases, clock, report }, 'task/a');
  if (lease === undefined) throw new Error('The lease must be free.');
  lease.onLost(lost);
  const other = memory.open().leases;
  return { clock, time, lease, other, report, lost };
}

describe('HeldLease', () => {
  it('holds the lease until it is released', async () => {
    const { clock, time, lease, other } = await held();
    for (let third = 0; third < 12; third++) {
      await time.advance(leaseTime / 3);
      await clock.advance(leaseTime / 3);
      expect(await other.acquire('task/a', leaseTime)).toBeUndefined();
    }
    expect(await lease.renew()).toBe(true);
    await lease.release();
    expect(await other.acquire('task/a', leaseTime)).toBeDefined();
    expect(clock.waiting).toEqual([]);
  });

  it('acquires the lease again, with a greater token, when it expired and is free', async () => {
    const { clock, time, lease, other, report, lost } = await held();
    const { token } = lease;
    await time.advance(leaseTime);
    await clock.advance(renewAfter);
    await settled();
    expect(lease.token).toBeGreaterThan(token);
    expect(await other.acquire('task/a', leaseTime)).toBeUndefined();
    expect(lost).not.toHaveBeenCalled();
    expect(report).not.toHaveBeenCalled();
  });

  it('notifies its process, and renews nothing any more, when another process has acquired the lease', async () => {
    const { clock, time, lease, other, lost } = await held();
    await time.advance(leaseTime);
    const taken = await other.acquire('task/a', leaseTime);
    expect(await lease.renew()).toBe(false);
    expect(lost).toHaveBeenCalledOnce();
    expect(lease.token).toBe(0);
    expect(await lease.renew()).toBe(false);
    expect(await taken?.renew(leaseTime)).toBe(true);
    expect(clock.waiting).toEqual([]);
  });

  it('stays with its process when it is renewed twice at once after it expired', async () => {
    const { time, lease, other, lost } = await held();
    await time.advance(leaseTime);
    expect(await Promise.all([lease.renew(), lease.renew()])).toEqual([true, true]);
    expect(lost).not.toHaveBeenCalled();
    expect(await other.acquire('task/a', leaseTime)).toBeUndefined();
  });

  it('does not acquire a lease again that is released meanwhile', async () => {
    const { time, lease, other } = await held();
    await time.advance(leaseTime);
    const renewed = lease.renew();
    await lease.release();
    expect(await renewed).toBe(false);
    expect(await other.acquire('task/a', leaseTime)).toBeDefined();
  });
});
