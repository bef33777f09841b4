import { beforeEach, describe, expect, it } from 'vitest';
import { CrowdedState } from '../../../test/crowded-state.js';
import { StatePageStore } from './state-page-store.js';
import { type StoredPage, StoredPages } from './stored-pages.js';

const alice = { id: 'alice', issuer: 'https://auth.example' };

let now: number;
let crowded: CrowdedState;
let ledger: StoredPages;
/** The pages of one more process. */
let process: () => StoredPages;
let handle: string;

beforeEach(async () => {
  now = 1_800_000_000_000;
  crowded = new CrowdedState();
  const clock = { now: () => now };
  process = () => new StoredPages(new StatePageStore(crowded.state, clock), clock, 600_000);
  ledger = process();
  handle = await ledger.open(alice, { what: 'api-key' });
});

async function found(): Promise<StoredPage> {
  const kept = await ledger.find(handle);
  if (kept === undefined) throw new Error('There is no page.');
  return kept;
}

describe('StoredPages', () => {
  it('stores the owner and the data of a page', async () => {
    expect((await found()).page).toEqual({
      ...alice,
      data: { what: 'api-key' },
      expiresAt: now + 600_000,
      browser: null,
    });
    expect((await found()).key).not.toContain(handle);
    expect(await ledger.find('')).toBeUndefined();
  });

  it('returns no expired page that the store still has', async () => {
    now += 600_000;
    expect(await ledger.find(handle)).toBeUndefined();
  });

  it('binds a page to the first browser', async () => {
    const [one, other] = [await found(), await found()];
    expect((await ledger.bind(one, 'browser-1'))?.page.browser).toBe('browser-1');
    expect(await ledger.bind(other, 'browser-2')).toBeUndefined();
    expect((await ledger.bind(other, 'browser-1'))?.page.browser).toBe('browser-1');
    expect(await ledger.bind(await found(), 'browser-2')).toBeUndefined();
  });

  it('ends a page once if several calls come at the same time', async () => {
    const kept = await found();
    crowded.crowd(3);
    const ends = await Promise.all([1, 2, 3].map(() => process().finish(kept)));
    expect(ends.filter((end) => end)).toHaveLength(1);
    expect(await ledger.finish(kept)).toBe(false);
    expect(await ledger.bind(kept, 'browser-1')).toBeUndefined();
  });

  it('ends a page once if one process receives several calls at the same time', async () => {
    const kept = await found();
    const ends = await Promise.all([1, 2, 3].map(() => ledger.finish(kept)));
    expect(ends).toEqual([true, false, false]);
  });

  it('binds a page to one browser if several processes are opened at the same time', async () => {
    const kept = await found();
    crowded.crowd(3);
    const bound = await Promise.all(['a', 'b', 'c'].map((browser) => process().bind(kept, browser)));
    const [only, ...others] = bound.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(await found()).toEqual(only);
  });

  it('ends a page that has changed since it was read', async () => {
    const kept = await found();
    await ledger.bind(kept, 'browser-1');
    expect(await ledger.finish(kept)).toBe(true);
    expect(await ledger.find(handle)).toBeUndefined();
  });

  it('returns the page for a state once', async () => {
    const state = await ledger.expectReturn(await found());
    crowded.crowd(2);
    const taken = await Promise.all([ledger.takeReturn(state), ledger.takeReturn(state)]);
    expect(taken.filter((kept) => kept !== undefined)).toHaveLength(1);
    expect(await ledger.takeReturn(state)).toBeUndefined();
    expect(await ledger.takeReturn(handle)).toBeUndefined();
    expect(await ledger.takeReturn('')).toBeUndefined();
  });

  it('returns undefined for the state of a page that has ended', async () => {
    const kept = await found();
    const state = await ledger.expectReturn(kept);
    await ledger.finish(kept);
    expect(await ledger.takeReturn(state)).toBeUndefined();
  });
});
