import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { Account } from './account.js';
import { WrittenBook } from './written-book.js';

function book(most: number) {
  const clock = new FakeClock();
  return { clock, written: new WrittenBook(clock, () => {}, most) };
}

const account = (name: string) => new Account(name, undefined);

describe('the values that a process remembers', () => {
  it('are bounded, and those of the caller with the most are forgotten first', () => {
    const { written } = book(100);
    const [ann, bob] = [account('ann'), account('bob')];
    for (let count = 0; count < 10; count++) written.set(`b/${count}`, { account: bob, bytes: 100 }, 10_000);
    for (let count = 0; count < 500; count++) written.set(`a/${count}`, { account: ann, bytes: 100 }, 10_000);
    expect([ann.remembered, bob.remembered]).toEqual([90, 10]);
    expect([ann.used, bob.used]).toEqual([50_000, 1_000]);
    expect(written.get('b/0')?.bytes).toBe(100);
    expect(written.get('a/0')).toBeUndefined();
    expect(written.get('a/499')?.bytes).toBe(100);
  });

  it('count until they would have expired when they are forgotten, a quarter of their time later at most', async () => {
    const { clock, written } = book(10);
    const ann = account('ann');
    for (let count = 0; count < 100; count++) written.set(`a/${count}`, { account: ann, bytes: 100 }, 60_000);
    expect(ann.used).toBe(10_000);
    written.delete('a/0');
    written.set('a/1', { account: ann, bytes: 100 }, 60_000);
    expect(ann.used).toBe(10_100);
    await clock.advance(60_000);
    written.sweep();
    expect(ann.used).toBeGreaterThan(0);
    await clock.advance(16_000);
    written.sweep();
    expect([ann.used, ann.remembered, ann.keys.size]).toEqual([0, 0, 0]);
  });

  it('are freed in the same moment as they expire in the state, or within a second', async () => {
    const { clock, written } = book(10);
    const ann = account('ann');
    written.set('a/1', { account: ann, bytes: 100 }, 1_500);
    await clock.advance(1_499);
    written.sweep();
    expect(ann.used).toBe(100);
    await clock.advance(1_000);
    written.sweep();
    expect([ann.used, ann.keys.size]).toEqual([0, 0]);
  });

  it('count log entries one by one', () => {
    const { written } = book(50);
    const [ann, bob] = [account('ann'), account('bob')];
    const entries = Array.from({ length: 45 }, (_, index) => ({ position: index + 1, bytes: 10 }));
    written.set('#a/log', { account: ann, bytes: 450, entries }, 10_000);
    for (let count = 0; count < 10; count++) written.set(`b/${count}`, { account: bob, bytes: 1 }, 10_000);
    expect([ann.remembered, ann.used, bob.remembered]).toEqual([0, 450, 10]);
  });
});
