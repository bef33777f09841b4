import { describe, expect, it, vi } from 'vitest';
import { requireIssuer } from '../http/endpoint-url.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { IssuerPin } from './pinned-grant.js';

const good = 'https://auth.example';
const evil = 'https://evil.example';
const refusal = expect.objectContaining({ name: 'AuthError', reason: 'not-registered' });

function pin(given: { readonly issuer?: string; readonly clientId?: string } = {}) {
  return new IssuerPin({
    owner: 'clientCredentials()',
    issuer: given.issuer,
    clientId: given.clientId ?? 'c-1',
  });
}

describe('IssuerPin', () => {
  it('accepts only the configured issuer, compared as text', async () => {
    const store = new MemoryAuthStore();
    const configured = pin({ issuer: good });
    await configured.require(good, store);
    for (const other of [evil, `${good}/`, 'https://AUTH.example', `${good}:443`]) {
      await expect(configured.require(other, store)).rejects.toThrow(refusal);
    }
  });

  it('accepts only the first issuer if none is configured', async () => {
    const store = new MemoryAuthStore();
    const first = pin();
    await first.require(good, store);
    await first.require(good, store);
    await expect(first.require(evil, store)).rejects.toThrow(/nothing was sent.*option issuer/);
  });

  it('stores the first issuer for each client id', async () => {
    const store = new MemoryAuthStore();
    await pin().require(good, store);
    await expect(pin().require(evil, store)).rejects.toThrow(refusal);
    await pin({ clientId: 'c-2' }).require(evil, store);
    await pin({ issuer: evil }).require(evil, store);
  });

  it('accepts one issuer if two pins see different ones at the same time', async () => {
    const store = new MemoryAuthStore();
    const [one, other] = [pin(), pin()];
    const outcomes = await Promise.allSettled([one.require(good, store), other.require(evil, store)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('accepts one issuer if two processes see different ones at the same time', async () => {
    const store = new MemoryAuthStore();
    const process = (): AuthStore => ({
      get: (key) => store.get(key),
      swap: (...given) => store.swap(...given),
    });
    const outcomes = await Promise.allSettled([good, evil].map((issuer) => pin().require(issuer, process())));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('accepts one issuer if one pin sees two at the same time', async () => {
    const same = pin();
    const stores = [new MemoryAuthStore(), new MemoryAuthStore()] as const;
    const outcomes = await Promise.allSettled([same.require(good, stores[0]), same.require(evil, stores[1])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('does not store the issuer without a client id', async () => {
    const store = new MemoryAuthStore();
    const nameless = pin({ clientId: '' });
    await nameless.require(good, store);
    await expect(nameless.require(evil, store)).rejects.toThrow(refusal);
    await pin({ clientId: '' }).require(evil, store);
  });

  it('replaces a malformed entry of the store, and gives up on a store that keeps changing', async () => {
    const store = new MemoryAuthStore();
    let key = '';
    const spying: AuthStore = {
      get: (name) => {
        key = name;
        return store.get(name);
      },
      swap: (name, version, value) => store.swap(name, version, value),
    };
    await pin().require(good, spying);
    expect(key).toMatch(/^issuer:[\w-]{43}$/);
    await store.swap(key, (await store.get(key))?.version, { issuer: 7 });
    await pin().require(evil, store);
    // No pauses between attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await expect(pin().require(good, { get: () => undefined, swap: () => false })).rejects.toMatchObject({
      reason: 'storage',
    });
  });
});

it.each([
  'not a url',
  'http://auth.example',
  'ftp://auth.example',
  'https://auth.example?tenant=1',
  'https://auth.example#x',
  'https://user:password@auth.example',
])('requireIssuer rejects %s', (issuer) => {
  expect(() => requireIssuer('clientCredentials()', issuer)).toThrow(TypeError);
});

it.each(['https://auth.example', 'https://auth.example/tenant/', 'http://127.0.0.1:9000'])(
  'requireIssuer accepts %s',
  (issuer) => expect(() => requireIssuer('clientCredentials()', issuer)).not.toThrow(),
);
