import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { fakeTokens } from '../../test/client/fake-authorization.js';
import { AuthError } from '../auth-error.js';
import type { TokenSet } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { stateAuthStore } from '../store/state-auth-store.js';
import { type RefreshJob, refreshTokens } from './refresh.js';
import { StoredTokens } from './stored-tokens.js';

const server = 'https://mcp.example/mcp';
const owner = {
  issuer: 'https://auth.example',
  clientId: 'client-1',
  resource: server,
  assumed: false,
};
const old = fakeTokens({
  accessToken: 'old',
  refreshToken: 'refresh-old',
  expiresAt: 1_000,
  scopes: ['read'],
  requested: ['read', 'write'],
});
const invalidGrant = new AuthError('denied', 'No more.', { oauthError: 'invalid_grant' });

/** A process that shares its store with others. */
class Process {
  readonly stored: StoredTokens;
  readonly used: string[] = [];
  readonly clock = new FakeClock();
  onRenew: (refreshToken: string) => Promise<Partial<TokenSet>> = async (token) => ({
    accessToken: `by-${token}`,
    refreshToken: `next-of-${token}`,
  });

  constructor(store: AuthStore) {
    this.stored = new StoredTokens(store, []);
    this.clock.stall(2_000);
  }

  refresh(outdated = 'old'): Promise<TokenSet | undefined> {
    const job: RefreshJob = {
      stored: this.stored,
      owner,
      outdated,
      clock: this.clock,
      renew: async (_, token) => {
        this.used.push(token);
        const { issuer, clientId } = owner;
        return { tokenType: 'Bearer', issuer, clientId, accessToken: '', ...(await this.onRenew(token)) };
      },
    };
    return refreshTokens(job).then((refreshed) => refreshed?.tokens);
  }
}

/** Returns the same store without locks, as another process has it. */
function otherProcess(store: AuthStore): AuthStore {
  return { get: (key) => store.get(key), swap: (...change) => store.swap(...change) };
}

/** Returns two stores with a common lock, as two processes have them. */
function lockedStores(): [AuthStore, AuthStore] {
  const memory = new MemoryAuthStore();
  let last: Promise<unknown> = Promise.resolve();
  const make = (): AuthStore => ({
    ...otherProcess(memory),
    exclusively(_, task) {
      const run = last.then(task, task);
      last = run.catch(() => {});
      return run;
    },
  });
  return [make(), make()];
}

async function begun(store: AuthStore = new MemoryAuthStore()): Promise<Process> {
  const process = new Process(store);
  await process.stored.write(server, owner, old);
  return process;
}

describe('refreshTokens in one process', () => {
  it('refreshes once for fifty calls', async () => {
    const process = await begun();
    const all = await Promise.all(Array.from({ length: 50 }, () => process.refresh()));
    expect(process.used).toEqual(['refresh-old']);
    expect(new Set(all.map((tokens) => tokens?.accessToken))).toEqual(new Set(['by-refresh-old']));
  });

  it('refreshes once for two providers that share a store', async () => {
    const store = new MemoryAuthStore();
    const one = await begun(store);
    const other = new Process(store);
    await Promise.all([one.refresh(), other.refresh()]);
    expect([...one.used, ...other.used]).toEqual(['refresh-old']);
  });

  it('keeps the values that the response does not contain, and stores the new refresh token', async () => {
    const process = await begun();
    const tokens = await process.refresh();
    expect(tokens).toMatchObject({ scopes: ['read'], requested: ['read', 'write'] });
    expect((await process.stored.read(owner))?.tokens).toMatchObject({ refreshToken: 'next-of-refresh-old' });
    process.onRenew = async () => ({ accessToken: 'third', scopes: ['less'] });
    expect(await process.refresh('by-refresh-old')).toMatchObject({
      accessToken: 'third',
      refreshToken: 'next-of-refresh-old',
      scopes: ['less'],
    });
  });

  it('returns undefined without tokens or a refresh token', async () => {
    const process = new Process(new MemoryAuthStore());
    expect(await process.refresh()).toBeUndefined();
    await process.stored.write(server, owner, { ...old, refreshToken: undefined });
    expect(await process.refresh()).toBeUndefined();
    expect(process.used).toEqual([]);
  });

  it('leaves the store unchanged if the endpoint is unreachable', async () => {
    const process = await begun();
    const down = new AuthError('unreachable', 'It is down.');
    process.onRenew = () => Promise.reject(down);
    await expect(process.refresh()).rejects.toBe(down);
    expect((await process.stored.read(owner))?.tokens).toMatchObject({ refreshToken: 'refresh-old' });
    process.onRenew = async () => ({ accessToken: 'new' });
    expect(await process.refresh()).toMatchObject({ accessToken: 'new' });
  });

  it('deletes a refresh token that is not valid any more', async () => {
    const process = await begun();
    process.onRenew = () => Promise.reject(invalidGrant);
    expect(await process.refresh()).toBeUndefined();
    expect((await process.stored.read(owner))?.tokens).toMatchObject({
      accessToken: 'old',
      refreshToken: undefined,
      requested: ['read', 'write'],
    });
    expect(await process.refresh()).toBeUndefined();
    expect(process.used).toEqual(['refresh-old']);
  });

  it('stores nothing after a sign-out in between', async () => {
    const process = await begun();
    process.onRenew = async () => {
      await process.stored.remove(server, owner);
      return { accessToken: 'new' };
    };
    expect(await process.refresh()).toBeUndefined();
    expect(await process.stored.read(owner)).toBeUndefined();
  });

  it('returns tokens that cannot be stored, with the error of the store', async () => {
    const full = new AuthError('storage', 'Full.');
    const memory = new MemoryAuthStore();
    let isFull = false;
    const store: AuthStore = {
      get: (key) => memory.get(key),
      swap(...change) {
        if (isFull) throw full;
        return memory.swap(...change);
      },
    };
    const process = await begun(store);
    isFull = true;
    const { stored, clock } = process;
    const renew = async () => fakeTokens({ accessToken: 'new' });
    const refreshed = await refreshTokens({ stored, owner, outdated: 'old', clock, renew });
    expect(refreshed).toMatchObject({ tokens: { accessToken: 'new' }, unsaved: full });
  });
});

describe('refreshTokens in two processes', () => {
  it('refreshes once when both share a state', async () => {
    const memory = new SharedMemory();
    const open = () => stateAuthStore(memory.open(), { keys: [new Uint8Array(32)] });
    const first = await begun(open());
    const second = new Process(open());
    const tokens = await Promise.all([first.refresh(), second.refresh(), first.refresh()]);
    expect([...first.used, ...second.used]).toEqual(['refresh-old']);
    expect(new Set(tokens.map((each) => each?.accessToken))).toEqual(new Set(['by-refresh-old']));
  });

  it('refreshes once with a lock, and both get the same tokens', async () => {
    const [one, other] = lockedStores();
    const first = await begun(one);
    const second = new Process(other);
    const tokens = await Promise.all([first.refresh(), second.refresh()]);
    expect([...first.used, ...second.used]).toEqual(['refresh-old']);
    expect(tokens[0]).toEqual(tokens[1]);
  });

  it('uses the newer tokens of the other process without a lock', async () => {
    const memory = new MemoryAuthStore();
    const first = await begun(memory);
    const second = new Process(otherProcess(memory));
    // Rotation: the second request with the same refresh token is refused.
    first.onRenew = async () => {
      await second.refresh();
      throw invalidGrant;
    };
    expect(await first.refresh()).toMatchObject({ accessToken: 'by-refresh-old' });
    expect((await first.stored.read(owner))?.tokens.refreshToken).toBe('next-of-refresh-old');
    expect(first.used).toHaveLength(1);
  });

  it('uses the tokens that were stored first without a lock and rotation', async () => {
    const memory = new MemoryAuthStore();
    const first = await begun(memory);
    const second = new Process(otherProcess(memory));
    first.onRenew = async () => {
      await second.refresh();
      return { accessToken: 'late' };
    };
    expect(await first.refresh()).toMatchObject({ accessToken: 'by-refresh-old' });
    expect((await first.stored.read(owner))?.tokens.accessToken).toBe('by-refresh-old');
  });

  it('stores its tokens although another process without a lock has deleted the used refresh token', async () => {
    const memory = new MemoryAuthStore();
    const first = await begun(memory);
    const second = new Process(otherProcess(memory));
    second.onRenew = () => Promise.reject(invalidGrant);
    first.onRenew = async () => {
      expect(await second.refresh()).toBeUndefined();
      return { accessToken: 'fresh', refreshToken: 'refresh-fresh' };
    };
    expect(await first.refresh()).toMatchObject({ accessToken: 'fresh' });
    expect((await second.stored.read(owner))?.tokens).toMatchObject({
      accessToken: 'fresh',
      refreshToken: 'refresh-fresh',
    });
  });

  it('uses the newer refresh token if the stored access token has expired too', async () => {
    const process = await begun();
    await process.stored.write(server, owner, {
      ...old,
      accessToken: 'newer',
      refreshToken: 'refresh-newer',
    });
    expect(await process.refresh()).toMatchObject({ accessToken: 'by-refresh-newer' });
  });

  it('gives up if other processes keep changing the tokens', async () => {
    const memory = new MemoryAuthStore();
    const process = await begun(memory);
    let count = 0;
    process.onRenew = async () => {
      await process.stored.write(server, owner, { ...old, refreshToken: `refresh-${count++}` });
      throw invalidGrant;
    };
    expect(await process.refresh()).toBeUndefined();
    expect(process.used).toHaveLength(3);
  });
});
