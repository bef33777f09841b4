import { describe, expect, it, vi } from 'vitest';
import { fakeTokens } from '../../test/client/fake-authorization.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { StoredTokens } from './stored-tokens.js';

const server = 'https://mcp.example/mcp';
const owner = { issuer: 'https://auth.example', clientId: 'client-1', resource: server, assumed: false };
const tokens = fakeTokens({ refreshToken: 'refresh-1', scopes: ['a'], expiresAt: 5 });

describe('StoredTokens', () => {
  it('stores tokens by their owner, and the owner of each server', async () => {
    const stored = new StoredTokens(new MemoryAuthStore(), ['ann']);
    expect(await stored.owner(server)).toBeUndefined();
    await stored.write(server, owner, tokens);
    expect(await stored.owner(server)).toEqual(owner);
    expect((await stored.read(owner))?.tokens).toMatchObject(tokens);
    await stored.remove(server, owner);
    expect(await stored.owner(server)).toBeUndefined();
    expect(await stored.read(owner)).toBeUndefined();
    await stored.remove(server, owner);
  });

  it.each([
    [{ ...owner, issuer: 'https://new.example' }],
    [{ ...owner, clientId: 'client-2' }],
    [{ ...owner, resource: 'https://mcp.example' }],
  ])('deletes the old tokens when a server gets tokens of %j', async (other) => {
    const stored = new StoredTokens(new MemoryAuthStore(), []);
    await stored.write(server, owner, tokens);
    const { issuer, clientId } = other;
    await stored.write(server, other, { ...tokens, issuer, clientId });
    expect(await stored.read(owner)).toBeUndefined();
    expect((await stored.read(other))?.tokens.refreshToken).toBe('refresh-1');
  });

  it.each([
    [{ ...owner, issuer: 'https://evil.example' }],
    [{ ...owner, clientId: 'client-2' }],
    [{ ...owner, resource: 'https://mcp.example/other' }],
  ])('finds no tokens for %j', async (other) => {
    const stored = new StoredTokens(new MemoryAuthStore(), []);
    await stored.write(server, owner, tokens);
    expect(await stored.read(other)).toBeUndefined();
  });

  it('separates the tokens of different holders', async () => {
    const store = new MemoryAuthStore();
    await new StoredTokens(store, ['ann']).write(server, owner, tokens);
    for (const holder of [['bob'], [], ['ann', 'x'], [undefined, 'ann']]) {
      const stored = new StoredTokens(store, holder);
      expect(await stored.owner(server)).toBeUndefined();
      expect(await stored.read(owner)).toBeUndefined();
    }
  });

  it('puts neither secrets nor the account into its keys', async () => {
    const stored = new StoredTokens(new MemoryAuthStore(), ['ann@example.com']);
    expect(await stored.keyOf(owner)).toMatch(/^tokens:[\w-]{43}$/);
  });

  it.each([
    [{ accessToken: 7 }],
    [{ accessToken: 'a\r\nx-evil: 1' }],
    [{ tokenType: 'Basic' }],
    [{ tokenType: 'DPoP' }],
    [{ issuer: 'https://evil.example' }],
    [{ clientId: 'client-2' }],
  ])('ignores tokens that were tampered with: %j', async (changed) => {
    const store = new MemoryAuthStore();
    const stored = new StoredTokens(store, []);
    const key = await stored.keyOf(owner);
    store.swap(key, undefined, { ...JSON.parse(JSON.stringify(tokens)), ...changed });
    expect(await stored.read(owner)).toBeUndefined();
  });

  it('does not replace tokens with an outdated version', async () => {
    const stored = new StoredTokens(new MemoryAuthStore(), []);
    await stored.write(server, owner, tokens);
    const version = (await stored.read(owner))?.version ?? '';
    expect(await stored.replace(owner, version, { ...tokens, accessToken: 'access-2' })).toBe(true);
    expect(await stored.replace(owner, version, { ...tokens, accessToken: 'access-3' })).toBe(false);
    expect((await stored.read(owner))?.tokens.accessToken).toBe('access-2');
  });

  it('keeps the tokens of one of several processes that write at once', async () => {
    const store = new MemoryAuthStore();
    const process = () =>
      new StoredTokens({ get: (key) => store.get(key), swap: (...given) => store.swap(...given) }, []);
    const all = ['a', 'b', 'c'].map((accessToken) => ({ ...tokens, accessToken }));
    await Promise.all(all.map((set) => process().write(server, owner, set)));
    expect(all).toContainEqual((await process().read(owner))?.tokens);
    expect(await process().owner(server)).toEqual(owner);
  });

  it('gives up on a store that keeps changing', async () => {
    // No pauses between attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const stored = new StoredTokens({ get: () => undefined, swap: () => false }, []);
    await expect(stored.write(server, owner, tokens)).rejects.toMatchObject({ reason: 'storage' });
  });
});
