import { describe, expect, it } from 'vitest';
import { Rig, refusal, sendTo, serverUrl, taking, tooFew } from '../../test/authorizer-rig.js';
import { fakeDiscovery } from '../../test/fake-authorization.js';
import { AuthError } from '../auth-error.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

describe('a token that is valid', () => {
  it('is sent at once, without a promise', async () => {
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
  ])('is not sent to %s, and no refusal from there is heard', async (url) => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    expect(rig.authorizer.authorize({ method: 'POST', url })).toBeUndefined();
    const { authorizer } = rig;
    expect(await sendTo({ authorizer, url, server: () => refusal })).toEqual(refusal);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it.each(['https://mcp.example/other', 'https://mcp.example', 'https://mcp.example?session=1'])(
    'is sent to %s, which is the same origin',
    async (url) => {
      const rig = new Rig();
      await rig.send(taking('access-1'));
      expect(rig.authorizer.authorize({ method: 'GET', url })).toBeDefined();
    },
  );

  it('is read from the store by another process', async () => {
    const first = new Rig();
    await first.send(taking('access-1'));
    const second = new Rig({ beside: first });
    expect(await second.send(taking('access-1'))).toEqual({ status: 200 });
    expect(second.grant.asked).toHaveLength(0);
    expect(second.discoveries).toHaveLength(0);
  });

  it('is read from the store once', async () => {
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

describe('401', () => {
  it('signs in with the scopes of the challenge, else those of the resource', async () => {
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

  it('is answered by one sign-in for all requests that wait for it', async () => {
    const rig = new Rig();
    const replies = await Promise.all(Array.from({ length: 50 }, () => rig.send(taking('access-1'))));
    expect(replies).toEqual(Array.from({ length: 50 }, () => ({ status: 200 })));
    expect(rig.grant.asked).toHaveLength(1);
    expect(rig.discoveries).toHaveLength(1);
  });

  it('is answered at once when somebody else has got another token since', async () => {
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

  it('takes the token that another process has got meanwhile', async () => {
    const first = new Rig();
    const second = new Rig({ beside: first });
    await second.authorizer.authorize(request);
    await first.send(taking('access-1'));
    expect(await second.send(taking('access-1'))).toEqual({ status: 200 });
    expect(second.grant.asked).toHaveLength(0);
  });

  it('tries a refresh first, then a sign-in that asks for what there was', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', requested: ['read', 'write'] };
    await rig.send(taking('access-1'));
    expect(await rig.send(taking('refreshed-1'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(1);
    rig.answer = () => ({ status: 400, body: { error: 'invalid_grant' } });
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([undefined, ['read', 'write']]);
  });

  it('signs in when the refreshed token is refused too', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.http.sent).toHaveLength(1);
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('keeps the tokens when the authorization server cannot be reached', async () => {
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

  it('fails for all that wait for a sign-in that fails, and for no later one', async () => {
    const rig = new Rig();
    const late = new AuthError('timeout', 'Nobody signed in.');
    rig.grant.onObtain = async (_, count) => {
      if (count === 1) throw late;
      return {};
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => rig.send(taking('access-2'))));
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: late })));
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });
});

describe('loops', () => {
  it('does not ask a user again whose new token is refused', async () => {
    const rig = new Rig();
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused', status: 401 });
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('nor for another request, for a while', async () => {
    const rig = new Rig({ limits: { refusalPause: 30_000 } });
    await expect(rig.send(() => refusal)).rejects.toThrow(AuthError);
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    expect(rig.grant.asked).toHaveLength(1);
    rig.clock.stall(30_000);
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('but does when the server names scopes that were not asked for', async () => {
    const rig = new Rig();
    const authenticate = 'Bearer error="invalid_token", scope="more"';
    const reply = await rig.send((token) =>
      token === 'access-2'
        ? { status: 200 }
        : { status: 401, authenticate: token === undefined ? 'Bearer scope="some"' : authenticate },
    );
    expect(reply).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([['some'], ['more', 'some']]);
  });

  it('ends after three authorizations of one request, whatever the server says', async () => {
    const rig = new Rig();
    let count = 0;
    const server = () => ({ status: 401, authenticate: `Bearer scope="scope-${count++}"` });
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'refused', status: 401 });
    expect(rig.grant.asked).toHaveLength(3);
    const steps = new Rig({ limits: { maxAttempts: 2 } });
    const stepping = () => tooFew(`scope-${count++}`);
    await expect(steps.send(stepping)).rejects.toMatchObject({ reason: 'refused', status: 403 });
    expect(steps.grant.asked).toHaveLength(2);
  });

  it('of a program that asks nobody end as soon', async () => {
    const rig = new Rig();
    rig.grant.interactive = false;
    await expect(rig.send(() => refusal)).rejects.toMatchObject({ reason: 'refused' });
    expect(rig.grant.asked).toHaveLength(1);
  });
});

describe('403', () => {
  it('without insufficient_scope is no matter of tokens', async () => {
    const rig = new Rig();
    const forbidden = { status: 403, authenticate: 'Bearer error="invalid_request"' };
    expect(await rig.send(() => forbidden)).toEqual(forbidden);
    expect(await rig.send(() => ({ status: 403 }))).toEqual({ status: 403 });
    expect(rig.grant.asked).toHaveLength(0);
  });

  it('steps up with the union of what was asked for and what is missing', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ resource: { scopesSupported: ['read'] } });
    await rig.send(taking('access-1'));
    const reply = await rig.send((token) => (token === 'access-2' ? { status: 200 } : tooFew('write')));
    expect(reply).toEqual({ status: 200 });
    expect(rig.scopes).toEqual([['read'], ['write', 'read']]);
    expect(rig.discoveries).toHaveLength(1);
  });

  it('is not answered by asking for the scopes that the token has', async () => {
    const rig = new Rig();
    const server = (token: string | undefined) =>
      token === undefined ? { status: 401, authenticate: 'Bearer scope="admin"' } : tooFew('admin');
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'refused', status: 403 });
    await expect(rig.send(server)).rejects.toThrow('has the scopes which the server asks for (admin)');
    expect(rig.scopes).toEqual([['admin']]);
  });

  it('does not ask again for what was denied, until a while has passed or signIn() is called', async () => {
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

  it('does not ask again for what the authorization server did not grant', async () => {
    const rig = new Rig();
    rig.grant.gives = { scopes: ['read'] };
    await rig.send(taking('access-1'));
    await expect(rig.send(() => tooFew('write'))).rejects.toThrow('did not grant write');
    expect(rig.grant.asked).toHaveLength(2);
    await expect(rig.send(() => tooFew('write'))).rejects.toMatchObject({ reason: 'denied' });
    expect(rig.grant.asked).toHaveLength(2);
  });

  it('serves all that wait by one sign-in, whatever each is missing', async () => {
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

  it('is tried again by one whose sign-in was denied for what another was missing', async () => {
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

  it('of a program that asks nobody asks for more scopes too', async () => {
    const rig = new Rig();
    rig.grant.interactive = false;
    const server = (token: string | undefined) =>
      token === undefined ? { status: 401, authenticate: 'Bearer scope="a"' } : tooFew('b');
    await rig.send((token) => (token === 'access-2' ? { status: 200 } : server(token)));
    expect(rig.scopes).toEqual([['a'], ['b', 'a']]);
  });
});

describe('expiry', () => {
  it('is foreseen: the token is refreshed before a request is sent', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour - 30_001);
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    rig.clock.stall(1);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer refreshed-1' });
    const form = new URLSearchParams(rig.http.sent[0]?.body);
    expect(form.get('grant_type')).toBe('refresh_token');
    expect(form.get('refresh_token')).toBe('refresh-1');
    expect(form.get('resource')).toBe('https://mcp.example/mcp');
  });

  it('takes one refresh for fifty requests', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    const replies = await Promise.all(Array.from({ length: 50 }, () => rig.send(taking('refreshed-1'))));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(rig.http.sent).toHaveLength(1);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('that nothing can be done about now does no harm while the token is good', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    const down = new AuthError('unreachable', 'It is down.');
    rig.answer = () => Promise.reject(down);
    rig.clock.stall(hour - 10_000);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    rig.clock.stall(10_000);
    await expect(rig.authorizer.authorize(request)).rejects.toBe(down);
    expect(rig.events.at(-1)).toMatchObject({ type: 'failed', error: down });
  });

  it('without a refresh token ends in a sign-in', async () => {
    const rig = new Rig();
    rig.grant.gives = { expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    expect(await rig.authorizer.authorize(request)).toBeUndefined();
    rig.grant.gives = {};
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });

  it('of a program that asks nobody is foreseen too', async () => {
    const rig = new Rig();
    rig.grant.interactive = false;
    rig.grant.gives = { expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    rig.grant.gives = {};
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-2' });
  });
});

describe('a server that names another issuer', () => {
  it('is discovered anew, and neither token nor client goes there', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', requested: ['read'] };
    await rig.send(taking('access-1'));
    const issuer = 'https://other.example';
    rig.found = fakeDiscovery({ server: { issuer } });
    rig.grant.clientId = 'client-2';
    rig.grant.gives = {};
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.http.sent).toHaveLength(0);
    expect(rig.discoveries).toHaveLength(2);
    expect(rig.grant.asked[1]).toMatchObject({ server: { issuer }, scopes: undefined });
    expect(rig.events).toContainEqual({
      type: 'moved',
      server: serverUrl.href,
      from: 'https://auth.example',
      to: issuer,
    });
    const again = new Rig({ beside: rig });
    expect(await again.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-2' });
    // What was there is not brought back by moving back.
    rig.found = fakeDiscovery();
    expect(await rig.send(taking('access-3'))).toEqual({ status: 200 });
  });

  it('keeps the issuer it has while the server still names it', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    await rig.send(taking('access-2'));
    const { choose } = rig.discoveries[1] ?? {};
    const { resource, server } = rig.found;
    const other = { ...server, issuer: 'https://other.example' };
    expect(await choose?.([other, server], resource)).toBe(server);
    expect(await choose?.([other], resource)).toBe(other);
  });
});

describe('a client that its authorization server does not know', () => {
  const unknown = new AuthError('denied', 'Who?', { oauthError: 'invalid_client' });

  it('is forgotten, and registered once more', async () => {
    const rig = new Rig();
    rig.grant.onObtain = async (_, count) => {
      if (count === 1) throw unknown;
      return {};
    };
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.forgotten).toEqual(['client-1']);
  });

  it('and no more than once', async () => {
    const rig = new Rig();
    rig.grant.onObtain = () => Promise.reject(unknown);
    await expect(rig.send(() => refusal)).rejects.toBe(unknown);
    expect(rig.grant.asked).toHaveLength(2);
    expect(rig.grant.forgotten).toEqual(['client-1']);
  });

  it('is forgotten when a refresh shows it; its refresh token goes to no other client', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    rig.answer = () => ({ status: 401, body: { error: 'invalid_client' } });
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.forgotten).toEqual(['client-1']);
    expect(rig.http.sent).toHaveLength(1);
  });
});

describe('waiting', () => {
  it('ends with the request; the sign-in goes on for others, and ends with the last', async () => {
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
});
