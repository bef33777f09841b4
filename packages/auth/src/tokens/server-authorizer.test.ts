import { describe, expect, it } from 'vitest';
import { Rig, refusal, sendTo, serverUrl, taking } from '../../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../../test/client/fake-authorization.js';
import { AuthError } from '../auth-error.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

describe('ServerAuthorizer with a valid token', () => {
  it('returns its headers without a promise', async () => {
    const rig = new Rig();
    expect(await rig.send(taking('access-1'))).toEqual({ status: 200 });
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    expect(rig.grant.asked).toHaveLength(1);
  });

  it.each([
    'https://evil.example/mcp',
    'https://mcp.example.evil.example/mcp',
    'https://mcp.example:8443/mcp',
    'http://mcp.example/mcp',
    'https://mcp.example@evil.example/mcp',
  ])('does not send it to %s, and ignores a refusal from there', async (url) => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    expect(rig.authorizer.authorize({ method: 'POST', url })).toBeUndefined();
    const { authorizer } = rig;
    expect(await sendTo({ authorizer, url, server: () => refusal })).toEqual(refusal);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it.each(['https://mcp.example/other', 'https://mcp.example', 'https://mcp.example?session=1'])(
    'sends it to %s, which has the same origin',
    async (url) => {
      const rig = new Rig();
      await rig.send(taking('access-1'));
      expect(rig.authorizer.authorize({ method: 'GET', url })).toEqual({ authorization: 'Bearer access-1' });
    },
  );

  it('reads it from the store of another process', async () => {
    const first = new Rig();
    await first.send(taking('access-1'));
    const second = new Rig({ beside: first });
    expect(await second.send(taking('access-1'))).toEqual({ status: 200 });
    expect(second.grant.asked).toHaveLength(0);
    expect(second.discoveries).toHaveLength(0);
  });

  it('reads the store once', async () => {
    let reads = 0;
    const store = {
      get() {
        reads++;
        return undefined;
      },
      swap: () => true,
    };
    const rig = new Rig({ store });
    expect(await rig.authorizer.authorize(request)).toBeUndefined();
    expect(reads).toBe(1);
    expect(rig.authorizer.authorize(request)).toBeUndefined();
    expect(reads).toBe(1);
  });
});

describe('ServerAuthorizer after a 401', () => {
  it('signs in with the scopes of the challenge, or else those of the resource', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ resource: { scopesSupported: ['read', 'list'] } });
    const authenticate = 'Bearer scope="admin", resource_metadata="https://mcp.example/meta"';
    await rig.send((token) => (token === undefined ? { status: 401, authenticate } : { status: 200 }));
    expect(rig.scopes).toEqual([['admin']]);
    expect(rig.discoveries[0]?.challenge?.resourceMetadata).toBe('https://mcp.example/meta');
    const other = new Rig();
    other.found = rig.found;
    await other.send(taking('access-1'));
    expect(other.scopes).toEqual([['read', 'list']]);
  });

  it('signs in once for all waiting requests', async () => {
    const rig = new Rig();
    const replies = await Promise.all(Array.from({ length: 50 }, () => rig.send(taking('access-1'))));
    expect(replies).toEqual(Array.from({ length: 50 }, () => ({ status: 200 })));
    expect(rig.grant.asked).toHaveLength(1);
    expect(rig.discoveries).toHaveLength(1);
  });

  it('repeats the request at once if there is another token by then', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    const late = await rig.authorizer.challenged({
      request,
      status: 401,
      authenticate: [],
      nonce: undefined,
      sent: undefined,
      attempt: 1,
      revision: undefined,
      signal: new AbortController().signal,
    });
    expect(late).toBe(true);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('uses the token that another process has stored', async () => {
    const first = new Rig();
    const second = new Rig({ beside: first });
    await second.authorizer.authorize(request);
    await first.send(taking('access-1'));
    expect(await second.send(taking('access-1'))).toEqual({ status: 200 });
    expect(second.grant.asked).toHaveLength(0);
  });

  it('refreshes first, then signs in for the same scopes', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', requested: ['read', 'write'] };
    await rig.send(taking('access-1'));
    expect(await rig.send(taking('refreshed-1'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(1);
    rig.answer = () => ({ status: 400, body: { error: 'invalid_grant' } });
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([undefined, ['read', 'write']]);
  });

  it('signs in if the refreshed token is refused too', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.http.sent).toHaveLength(1);
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('keeps the tokens if the authorization server is unreachable', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    const down = new AuthError('unreachable', 'It is down.');
    rig.answer = () => Promise.reject(down);
    await expect(rig.send(taking('refreshed-2'))).rejects.toBe(down);
    expect(rig.grant.asked).toHaveLength(1);
    rig.answer = (form) => ({
      body: { access_token: `by-${form.get('refresh_token')}`, token_type: 'bearer' },
    });
    expect(await rig.send(taking('by-refresh-1'))).toEqual({ status: 200 });
  });

  it('rejects a request that must not prompt the user, and refreshes for it', async () => {
    const rig = new Rig();
    const quiet = { mayPrompt: false };
    await expect(rig.send(taking('access-1'), quiet)).rejects.toMatchObject({ reason: 'sign-in-needed' });
    expect(rig.grant.asked).toHaveLength(0);
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.provider.signIn(serverUrl);
    expect(await rig.send(taking('refreshed-1'), quiet)).toEqual({ status: 200 });
    rig.answer = () => ({ status: 400, body: { error: 'invalid_grant' } });
    const loud = rig.send(taking('access-2'));
    const both = await Promise.allSettled([rig.send(taking('access-2'), quiet), loud]);
    expect(both[1]).toEqual({ status: 'fulfilled', value: { status: 200 } });
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('signs in although a request that must not prompt failed at the same time', async () => {
    const rig = new Rig();
    const all = [rig.send(taking('access-1'), { mayPrompt: false }), rig.send(taking('access-1'))];
    const [quiet, loud] = await Promise.allSettled(all);
    expect(quiet).toMatchObject({ status: 'rejected', reason: { reason: 'sign-in-needed' } });
    expect(loud).toEqual({ status: 'fulfilled', value: { status: 200 } });
  });

  it('fails for all requests that wait for a failed sign-in, and not for later ones', async () => {
    const rig = new Rig();
    const late = new AuthError('timeout', 'The user did not sign in.');
    rig.grant.onObtain = async (_, count) => {
      if (count === 1) throw late;
      return {};
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => rig.send(taking('access-2'))));
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: late })));
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });
});

describe('ServerAuthorizer while a sign-in runs', () => {
  it('ends the wait with the request, and the sign-in with the last waiting request', async () => {
    const rig = new Rig();
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    rig.grant.onObtain = (_request, _count, { signal }) => {
      begun();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const [one, other] = [new AbortController(), new AbortController()];
    const first = rig.send(taking(), { signal: one.signal });
    const second = rig.send(taking(), { signal: other.signal });
    await isBegun;
    one.abort(new Error('first went'));
    await expect(first).rejects.toThrow('first went');
    expect(rig.grant.signals[0]?.aborted).toBe(false);
    other.abort(new Error('second went'));
    await expect(second).rejects.toThrow('second went');
    expect(rig.grant.signals[0]?.aborted).toBe(true);
    rig.grant.onObtain = undefined;
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });

  it('starts a new sign-in if the last one was aborted and still runs', async () => {
    const rig = new Rig();
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    rig.grant.onObtain = (_, count) => {
      begun();
      return count === 1 ? new Promise(() => {}) : Promise.resolve({});
    };
    const controller = new AbortController();
    const first = rig.send(taking(), { signal: controller.signal });
    await isBegun;
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });
});
