import { beforeEach, describe, expect, it } from 'vitest';
import { CrowdedPageStore } from '../../../test/crowded-page-store.js';
import { type KeptPage, PageLedger } from './page-ledger.js';

const alice = { id: 'alice', issuer: 'https://auth.example' };

let now: number;
let store: CrowdedPageStore;
let ledger: PageLedger;
let handle: string;

beforeEach(async () => {
  now = 1_800_000_000_000;
  store = new CrowdedPageStore();
  ledger = new PageLedger(store, { now: () => now }, 600_000);
  handle = await ledger.open(alice, { what: 'api-key' });
});

async function found(): Promise<KeptPage> {
  const kept = await ledger.find(handle);
  if (kept === undefined) throw new Error('There is no page.');
  return kept;
}

describe('PageLedger', () => {
  it('keeps for whom a page is, and what it is about', async () => {
    expect((await found()).page).toEqual({
      ...alice,
      data: { what: 'api-key' },
      expiresAt: now + 600_000,
      browser: null,
    });
    expect((await found()).key).not.toContain(handle);
    expect(await ledger.find('')).toBeUndefined();
  });

  it('does not give out a page that is over, though the store still has it', async () => {
    now += 600_000;
    expect(await ledger.find(handle)).toBeUndefined();
  });

  it('gives a page to the browser that comes first, whatever others have read before', async () => {
    const [one, other] = [await found(), await found()];
    expect((await ledger.bind(one, 'browser-1'))?.page.browser).toBe('browser-1');
    expect(await ledger.bind(other, 'browser-2')).toBeUndefined();
    expect((await ledger.bind(other, 'browser-1'))?.page.browser).toBe('browser-1');
    expect(await ledger.bind(await found(), 'browser-2')).toBeUndefined();
  });

  it('has a page end once, even for those who end it at the same time', async () => {
    const kept = await found();
    store.crowd(3);
    const ends = await Promise.all([1, 2, 3].map(() => ledger.finish(kept)));
    expect(ends.filter((end) => end)).toHaveLength(1);
    expect(await ledger.finish(kept)).toBe(false);
    expect(await ledger.bind(kept, 'browser-1')).toBeUndefined();
  });

  it('ends a page that was changed since it was read', async () => {
    const kept = await found();
    await ledger.bind(kept, 'browser-1');
    expect(await ledger.finish(kept)).toBe(true);
    expect(await ledger.find(handle)).toBeUndefined();
  });

  it('finds the page of somebody who comes back, once', async () => {
    const state = await ledger.expectReturn(await found());
    store.crowd(2);
    const taken = await Promise.all([ledger.takeReturn(state), ledger.takeReturn(state)]);
    expect(taken.filter((kept) => kept !== undefined)).toHaveLength(1);
    expect(await ledger.takeReturn(state)).toBeUndefined();
    expect(await ledger.takeReturn(handle)).toBeUndefined();
    expect(await ledger.takeReturn('')).toBeUndefined();
  });

  it('finds nothing for somebody who comes back to a page that ended', async () => {
    const kept = await found();
    const state = await ledger.expectReturn(kept);
    await ledger.finish(kept);
    expect(await ledger.takeReturn(state)).toBeUndefined();
  });
});
