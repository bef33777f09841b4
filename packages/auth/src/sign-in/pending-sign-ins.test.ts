import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { PendingSignIns, type SignInRequest } from './pending-sign-ins.js';

const minutes = 60_000;
const request: SignInRequest = {
  target: 'https://mcp.example/mcp',
  issuer: 'https://auth.example',
  clientId: 'client-1',
  resource: 'https://mcp.example/mcp',
  assumed: false,
  redirectUri: 'https://app.example/callback',
  scopes: ['read'],
  issInResponse: true,
  mayBeUnbound: true,
};

/** A store with public content. */
class OpenStore implements AuthStore {
  readonly #memory = new MemoryAuthStore();
  readonly keys = new Set<string>();

  get(key: string) {
    return this.#memory.get(key);
  }

  swap(...[key, version, value]: Parameters<AuthStore['swap']>): boolean {
    const isDone = this.#memory.swap(key, version, value);
    if (isDone && value !== undefined) this.keys.add(key);
    else if (isDone) this.keys.delete(key);
    return isDone;
  }
}

class Browser {
  readonly store: OpenStore;
  readonly clock: FakeClock;
  readonly pending: PendingSignIns;

  constructor(session: string, beside?: { store: OpenStore; clock: FakeClock; account?: string }) {
    this.store = beside?.store ?? new OpenStore();
    this.clock = beside?.clock ?? new FakeClock();
    const deferred = { session, lifetime: 10 * minutes };
    const { store, clock } = this;
    this.pending = new PendingSignIns({ store, clock, account: beside?.account, deferred });
  }

  begin(state: string, more: Partial<SignInRequest> = {}): Promise<string> {
    return this.pending.begin({ ...request, ...more }, async () => ({
      state,
      verifier: `verifier-of-${state}`,
      url: `https://auth.example/authorize?state=${state}`,
      dpopKey: undefined,
    }));
  }

  take(state: string, query = ''): ReturnType<PendingSignIns['take']> {
    return this.pending.take(new URL(`https://app.example/callback?code=c&state=${state}${query}`));
  }
}

describe('PendingSignIns', () => {
  it('returns a sign-in once, in any process', async () => {
    const one = new Browser('session-a');
    expect(await one.begin('s1')).toBe('https://auth.example/authorize?state=s1');
    const other = new Browser('session-a', one);
    expect(await other.take('s1')).toEqual({
      ...request,
      state: 's1',
      verifier: 'verifier-of-s1',
      url: 'https://auth.example/authorize?state=s1',
      dpopKey: undefined,
    });
    await expect(one.take('s1')).rejects.toMatchObject({ reason: 'bad-response' });
  });

  it('returns a sign-in once to two calls at the same time', async () => {
    const one = new Browser('session-a');
    await one.begin('s1');
    const outcomes = await Promise.allSettled([one.take('s1'), one.take('s1')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    ['another browser', 'session-b', undefined],
    ['another user', 'session-a', 'bob'],
  ])('returns nothing to %s, and keeps the sign-in', async (_, session, account) => {
    const one = new Browser('session-a');
    await one.begin('s1');
    const other = new Browser(session, { ...one, ...(account !== undefined && { account }) });
    await expect(other.take('s1')).rejects.toThrow('started in another browser, or by another user');
    expect((await one.take('s1')).state).toBe('s1');
  });

  it.each([['s2'], [''], ['s1&state=s1'], ['s1&state=s2']])(
    'finds no sign-in for the state %j',
    async (state) => {
      const one = new Browser('session-a');
      await one.begin('s1');
      await expect(one.take(state)).rejects.toMatchObject({ reason: 'bad-response' });
    },
  );

  it('rejects an expired sign-in', async () => {
    const one = new Browser('session-a');
    await one.begin('s1');
    one.clock.stall(10 * minutes);
    await expect(one.take('s1')).rejects.toThrow('took too long');
  });

  it('continues the same sign-in while there is time', async () => {
    const one = new Browser('session-a');
    await one.begin('s1');
    expect(await one.begin('s2')).toContain('state=s1');
    one.clock.stall(6 * minutes);
    expect(await one.begin('s3')).toContain('state=s3');
    await expect(one.take('s1')).rejects.toThrow('no sign-in waits');
    expect((await one.take('s3')).verifier).toBe('verifier-of-s3');
  });

  it.each<Partial<SignInRequest>>([
    { scopes: ['read', 'write'] },
    { scopes: undefined },
    { issuer: 'https://other.example' },
    { clientId: 'client-2' },
    { redirectUri: 'https://app.example/other' },
  ])('starts another sign-in for %j', async (more) => {
    const one = new Browser('session-a');
    await one.begin('s1');
    expect(await one.begin('s2', more)).toContain('state=s2');
  });

  it('starts one sign-in if several processes start the same at once', async () => {
    const one = new Browser('session-a');
    const { store, clock } = one;
    const process = () => {
      const view = { get: (key: string) => store.get(key), swap: store.swap.bind(store) };
      return new Browser('session-a', { store: view as OpenStore, clock });
    };
    const urls = await Promise.all(['s1', 's2', 's3'].map((state) => process().begin(state)));
    expect(new Set(urls).size).toBe(1);
    expect(store.keys.size).toBe(2);
    const state = new URL(urls[0] as string).searchParams.get('state') as string;
    expect(await one.take(state)).toMatchObject({ state });
  });

  it('starts one sign-in if one process starts the same several times at once', async () => {
    const one = new Browser('session-a');
    // Their keys are made at the same time, so that either may be the first.
    const [first, second] = await Promise.all(['s1', 's2'].map((state) => one.begin(state)));
    expect(first).toMatch(/^https:\/\/auth\.example\/authorize\?state=s[12]$/);
    expect(second).toBe(first);
    expect(one.store.keys.size).toBe(2);
  });

  it('does not return a sign-in to another browser', async () => {
    const one = new Browser('session-a');
    await one.begin('s1');
    expect(await new Browser('session-b', one).begin('s2')).toContain('state=s2');
  });

  it('stores one sign-in for each server and account', async () => {
    const one = new Browser('session-a');
    for (let count = 0; count < 20; count++) await one.begin(`s${count}`, { scopes: [`scope-${count}`] });
    expect(one.store.keys.size).toBe(2);
    await new Browser('session-a', { ...one, account: 'bob' }).begin('of-bob');
    expect(one.store.keys.size).toBe(4);
  });

  it('puts neither state, session nor verifier into its keys, and stores no session', async () => {
    const one = new Browser('session-of-ann');
    await one.begin('state-of-ann');
    for (const key of one.store.keys) expect(key).toMatch(/^sign-in(?:-at)?:[\w-]{43}$/);
    const all = [...one.store.keys].map((key) => JSON.stringify(one.store.get(key))).join();
    expect(all).not.toContain('session-of-ann');
  });
});
