import { describe, expect, it } from 'vitest';
import { FakeGrant, Rig, refusal, serverUrl, taking } from '../../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../../test/client/fake-authorization.js';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

/** A store that can be made to fail. */
class FragileStore implements AuthStore {
  readonly #memory = new MemoryAuthStore();
  isBroken = false;

  get(key: string) {
    this.#check();
    return this.#memory.get(key);
  }

  swap(...change: Parameters<AuthStore['swap']>): boolean {
    this.#check();
    return this.#memory.swap(...change);
  }

  #check(): void {
    if (this.isBroken) throw new Error('The disk is full.');
  }
}

describe('a store that fails', () => {
  it('rejects the request if it cannot be read, and is read again for the next one', async () => {
    const store = new FragileStore();
    const rig = new Rig({ store });
    store.isBroken = true;
    await expect(rig.authorizer.authorize(request)).rejects.toMatchObject({ reason: 'storage' });
    store.isBroken = false;
    expect(await rig.send(taking('access-1'))).toEqual({ status: 200 });
  });

  it('rejects the request if it cannot store new tokens, which are used for the next one', async () => {
    const store = new FragileStore();
    const rig = new Rig({ store });
    rig.grant.onObtain = async () => {
      store.isBroken = true;
      return {};
    };
    await expect(rig.send(taking('access-1'))).rejects.toMatchObject({ reason: 'storage' });
    expect(await rig.send(taking('access-1'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('rejects the request if it cannot store refreshed tokens, which are used for the next one', async () => {
    const store = new FragileStore();
    const rig = new Rig({ store });
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    rig.answer = () => {
      store.isBroken = true;
      return { body: { access_token: 'refreshed-1', token_type: 'Bearer' } };
    };
    await expect(rig.send(taking('refreshed-1'))).rejects.toMatchObject({ reason: 'storage' });
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
  });
});

describe('two providers that share a store', () => {
  it('use the same tokens, and refresh them once', async () => {
    const one = new Rig();
    one.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    const other = new Rig({ beside: one });
    await one.send(taking('access-1'));
    expect(await other.send(taking('access-1'))).toEqual({ status: 200 });
    one.clock.stall(hour);
    const both = [one, other].flatMap((rig) => [
      rig.send(taking('refreshed-1')),
      rig.send(taking('refreshed-1')),
    ]);
    expect(await Promise.all(both)).toEqual(both.map(() => ({ status: 200 })));
    expect(one.http.sent.length + other.http.sent.length).toBe(1);
    expect(one.grant.asked.length + other.grant.asked.length).toBe(1);
  });

  it('use different tokens for another account, grant type or client', async () => {
    const one = new Rig({ account: 'ann' });
    await one.send(taking('access-1'));
    for (const other of [new Rig({ beside: one, account: 'bob' }), new Rig({ beside: one })]) {
      expect(await other.authorizer.authorize(request)).toBeUndefined();
    }
    for (const more of [{ type: 'client_credentials' }, { identity: 'client-9' }]) {
      const grant = Object.assign(new FakeGrant(), more);
      const other = new Rig({ beside: one, account: 'ann', grant });
      expect(await other.authorizer.authorize(request)).toBeUndefined();
    }
  });
});

describe('signing out', () => {
  it('ends a sign-in that is under way, and drops its tokens', async () => {
    const rig = new Rig();
    let give = () => {};
    const isAsked = new Promise<void>((resolve) => {
      rig.grant.onObtain = () => {
        resolve();
        return new Promise((done) => {
          give = () => done({});
        });
      };
    });
    const waiting = rig.send(taking('access-1')).catch((error: unknown) => error);
    await isAsked;
    await rig.provider.signOut(serverUrl);
    expect(rig.grant.signals[0]?.aborted).toBe(true);
    give();
    expect(await waiting).toMatchObject({ reason: 'denied' });
    expect(rig.authorizer.authorize(request)).toBeUndefined();
  });

  it('stays signed out after a refresh that is under way', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    rig.answer = async () => {
      await rig.provider.signOut(serverUrl);
      return { body: { access_token: 'refreshed-1', token_type: 'Bearer' } };
    };
    expect(await rig.authorizer.authorize(request)).toBeUndefined();
    expect(await new Rig({ beside: rig }).authorizer.authorize(request)).toBeUndefined();
  });

  it('clears the cached discovery', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    await rig.provider.signOut(serverUrl);
    await rig.send(taking('access-2'));
    expect(rig.discoveries).toHaveLength(2);
  });

  it('succeeds even if the tokens cannot be revoked', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ server: { revocationEndpoint: new URL('https://auth.example/revoke') } });
    await rig.send(taking('access-1'));
    const down = new AuthError('unreachable', 'It is down.');
    rig.answer = () => Promise.reject(down);
    await rig.provider.signOut(serverUrl);
    expect(rig.authorizer.authorize(request)).toBeUndefined();
    expect(rig.events.slice(-2)).toMatchObject([{ type: 'signed-out' }, { type: 'failed', error: down }]);
  });
});

describe('signIn()', () => {
  it('waits for tokens, and does nothing if there are any', async () => {
    const rig = new Rig();
    await rig.provider.signIn(serverUrl);
    await rig.provider.signIn(serverUrl.href);
    expect(rig.grant.asked).toHaveLength(1);
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
  });

  it('replaces new tokens that were refused', async () => {
    const rig = new Rig();
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    await rig.provider.signIn(serverUrl);
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });

  it('rejects with the reason of the signal', async () => {
    const rig = new Rig();
    const controller = new AbortController();
    rig.grant.onObtain = (_request, _count, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        controller.abort(new Error('never mind'));
      });
    const { signal } = controller;
    await expect(rig.provider.signIn(serverUrl, { signal })).rejects.toThrow('never mind');
  });
});

describe('an issuer that is still listed but unavailable', () => {
  it('does not lose its tokens', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const other = fakeDiscovery({ server: { issuer: 'https://other.example' } });
    const authorizationServers = ['https://auth.example', 'https://other.example'];
    rig.found = { ...other, resource: { ...other.resource, authorizationServers } };
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.events.map(({ type }) => type)).not.toContain('moved');
  });
});
