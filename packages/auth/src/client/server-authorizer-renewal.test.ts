import { describe, expect, it } from 'vitest';
import { Rig, refusal, serverUrl, taking } from '../../test/authorizer-rig.js';
import { fakeDiscovery } from '../../test/fake-authorization.js';
import { AuthError } from '../auth-error.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

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
    // No request waits in vain for a server that has just failed.
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    expect(rig.http.sent).toHaveLength(1);
    rig.clock.stall(5_000);
    await rig.authorizer.authorize(request);
    expect(rig.http.sent).toHaveLength(2);
    rig.clock.stall(5_000);
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
    const sent = await Promise.all(Array.from({ length: 20 }, () => rig.authorizer.authorize(request)));
    expect(sent).toEqual(Array.from({ length: 20 }, () => ({ authorization: 'Bearer access-2' })));
    expect(rig.grant.asked).toHaveLength(2);
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

  it('has the old tokens forgotten for good, whatever comes of the sign-in', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    rig.found = fakeDiscovery({ server: { issuer: 'https://other.example' } });
    rig.grant.onObtain = () => Promise.reject(new AuthError('timeout', 'Nobody signed in.'));
    await expect(rig.send(taking())).rejects.toMatchObject({ reason: 'timeout' });
    expect(await new Rig({ beside: rig }).authorizer.authorize(request)).toBeUndefined();
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

  it('has registered anew since: what the old one was given is not used with the new one', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1' };
    rig.found = fakeDiscovery({ server: { revocationEndpoint: new URL('https://auth.example/revoke') } });
    await rig.send(taking('access-1'));
    rig.grant.clientId = 'client-2';
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    rig.grant.clientId = 'client-3';
    await rig.provider.signOut(serverUrl);
    expect(rig.http.sent).toHaveLength(0);
  });
});
