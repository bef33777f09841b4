import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { Rig, serverUrl, taking, tooFew } from '../../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../../test/client/fake-authorization.js';
import { AuthError } from '../auth-error.js';

const request = { method: 'POST', url: serverUrl.href };

describe('ServerAuthorizer after a 403', () => {
  it('passes on a 403 without insufficient_scope', async () => {
    const rig = new Rig();
    const forbidden = { status: 403, authenticate: 'Bearer error="invalid_request"' };
    expect(await rig.send(() => forbidden)).toEqual(forbidden);
    expect(await rig.send(() => ({ status: 403 }))).toEqual({ status: 403 });
    expect(rig.grant.asked).toHaveLength(0);
  });

  it('requests the earlier scopes together with the missing ones', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ resource: { scopesSupported: ['read'] } });
    await rig.send(taking('access-1'));
    const reply = await rig.send((token) => (token === 'access-2' ? { status: 200 } : tooFew('write')));
    expect(reply).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([['read'], ['write', 'read']]);
    expect(rig.discoveries).toHaveLength(1);
  });

  it('does not sign in again if the token has all required scopes', async () => {
    const rig = new Rig();
    const server = (token: string | undefined) =>
      token === undefined ? { status: 401, authenticate: 'Bearer scope="admin"' } : tooFew('admin');
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'refused', status: 403 });
    await expect(rig.send(server)).rejects.toThrow('has the scopes it requires (admin)');
    expect(rig.scopes).toEqual([['admin']]);
  });

  it('does not repeat a denied request until the pause is over or signIn() is called', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const denied = new AuthError('denied', 'Access was denied.', { oauthError: 'access_denied' });
    rig.grant.onObtain = () => Promise.reject(denied);
    const server = (token: string | undefined) => (token === 'access-5' ? { status: 200 } : tooFew('write'));
    await expect(rig.send(server)).rejects.toBe(denied);
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'denied', oauthError: 'access_denied' });
    expect(rig.grant.asked).toHaveLength(2);
    await expect(rig.send(() => tooFew('other'))).rejects.toBe(denied);
    expect(rig.grant.asked).toHaveLength(3);
    rig.clock.stall(60_000);
    await expect(rig.send(server)).rejects.toBe(denied);
    expect(rig.grant.asked).toHaveLength(4);
    rig.grant.onObtain = undefined;
    await rig.provider.signIn(serverUrl);
    expect(await rig.send(server)).toEqual({ status: 200 });
  });

  it('requests denied scopes again after a sign-out: the next user may be another one', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const denied = new AuthError('denied', 'Access was denied.', { oauthError: 'access_denied' });
    rig.grant.onObtain = () => Promise.reject(denied);
    await expect(rig.send(() => tooFew('write'))).rejects.toBe(denied);
    await rig.provider.signOut(serverUrl);
    rig.grant.onObtain = undefined;
    const server = (token: string | undefined) => {
      if (token === undefined) return { status: 401, authenticate: 'Bearer' };
      return token === 'access-4' ? { status: 200 } : tooFew('write');
    };
    expect(await rig.send(server)).toEqual({ status: 200 });
  });

  it('does not repeat a request for scopes that were not granted', async () => {
    const rig = new Rig();
    rig.grant.gives = { scopes: ['read'] };
    await rig.send(taking('access-1'));
    await expect(rig.send(() => tooFew('write'))).rejects.toThrow('did not grant write');
    expect(rig.grant.asked).toHaveLength(2);
    await expect(rig.send(() => tooFew('write'))).rejects.toMatchObject({ reason: 'denied' });
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('serves all waiting requests by one sign-in for all their scopes', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const names = Array.from({ length: 20 }, (_, index) => `scope-${index % 10}`);
    const server = (scope: string) => (token: string | undefined) =>
      token === 'access-1' ? tooFew(scope) : { status: 200 };
    const replies = await Promise.all(names.map((scope) => rig.send(server(scope))));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(rig.grant.asked).toHaveLength(2);
    expect([...(rig.scopes[1] ?? [])].sort()).toEqual([...new Set(names)].sort());
  });

  it('signs in again for a request if the denied sign-in was for other scopes', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const denied = new AuthError('denied', 'Access was denied.');
    let begun = () => {};
    const isAsked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let deny = () => {};
    rig.grant.onObtain = (asked) => {
      if (asked.scopes?.includes('rude') !== true) return Promise.resolve({});
      begun();
      return new Promise((_, reject) => {
        deny = () => reject(denied);
      });
    };
    const rude = rig.send(() => tooFew('rude'));
    await isAsked;
    const polite = rig.send((token) => (token === 'access-3' ? { status: 200 } : tooFew('polite')));
    deny();
    await expect(rude).rejects.toBe(denied);
    expect(await polite).toEqual({ status: 200 });
  });

  it('does not count a token with other scopes as an answer', async () => {
    const rig = new Rig(otherBounds({ maxAttempts: 1 }));
    await rig.send(taking('access-1'));
    let give = () => {};
    const isAsked = new Promise<void>((resolve) => {
      rig.grant.onObtain = (_, count) => {
        if (count > 2) return Promise.resolve({});
        resolve();
        return new Promise((done) => {
          give = () => done({});
        });
      };
    });
    const one = rig.send((token) => (token === 'access-2' ? { status: 200 } : tooFew('one')));
    await isAsked;
    const other = rig.send((token) => (token === 'access-3' ? { status: 200 } : tooFew('other')));
    await rig.authorizer.authorize(request);
    give();
    expect(await Promise.all([one, other])).toEqual([{ status: 200 }, { status: 200 }]);
    expect(rig.scopes.at(-1)).toEqual(['other', 'one']);
  });

  it('requests more scopes for a grant without users', async () => {
    const rig = new Rig();
    rig.grant.interactive = false;
    const server = (token: string | undefined) =>
      token === undefined ? { status: 401, authenticate: 'Bearer scope="a"' } : tooFew('b');
    await rig.send((token) => (token === 'access-2' ? { status: 200 } : server(token)));
    expect(rig.scopes).toEqual([['a'], ['b', 'a']]);
  });
});
