import { describe, expect, it } from 'vitest';
import { Rig, refusal, serverUrl, taking } from '../../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../../test/client/fake-authorization.js';
import { AuthError } from '../auth-error.js';

const hour = 3_600_000;
const request = { method: 'POST', url: serverUrl.href };

describe('ServerAuthorizer before a token expires', () => {
  it('refreshes the token before it sends a request', async () => {
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

  it('refreshes once for fifty requests', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    const replies = await Promise.all(Array.from({ length: 50 }, () => rig.send(taking('refreshed-1'))));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(rig.http.sent).toHaveLength(1);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('uses the token until it expires if the refresh fails', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: hour };
    await rig.send(taking('access-1'));
    const down = new AuthError('unreachable', 'It is down.');
    rig.answer = () => Promise.reject(down);
    rig.clock.stall(hour - 10_000);
    expect(await rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    // No request waits for a server that has just failed.
    expect(rig.authorizer.authorize(request)).toEqual({ authorization: 'Bearer access-1' });
    expect(rig.http.sent).toHaveLength(1);
    rig.clock.stall(5_000);
    await rig.authorizer.authorize(request);
    expect(rig.http.sent).toHaveLength(2);
    rig.clock.stall(5_000);
    await expect(rig.authorizer.authorize(request)).rejects.toBe(down);
    expect(rig.events.at(-1)).toMatchObject({ type: 'failed', error: down });
  });

  it('signs in if there is no refresh token', async () => {
    const rig = new Rig();
    rig.grant.gives = { expiresAt: hour };
    await rig.send(taking('access-1'));
    rig.clock.stall(hour);
    expect(await rig.authorizer.authorize(request)).toBeUndefined();
    rig.grant.gives = {};
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
  });

  it('obtains a new token for a grant without users', async () => {
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

describe('ServerAuthorizer with a server that names another issuer', () => {
  it('discovers the new issuer, and sends it neither the old token nor the old client', async () => {
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
    // Moving back does not bring the old tokens back.
    rig.found = fakeDiscovery();
    expect(await rig.send(taking('access-3'))).toEqual({ status: 200 });
  });

  it('deletes the old tokens even if the sign-in fails', async () => {
    const rig = new Rig();
    await rig.send(taking('access-1'));
    rig.found = fakeDiscovery({ server: { issuer: 'https://other.example' } });
    rig.grant.onObtain = () => Promise.reject(new AuthError('timeout', 'The user did not sign in.'));
    await expect(rig.send(taking())).rejects.toMatchObject({ reason: 'timeout' });
    expect(await new Rig({ beside: rig }).authorizer.authorize(request)).toBeUndefined();
  });

  it('prefers its issuer while the server still names it', async () => {
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

describe('ServerAuthorizer with a client that the authorization server does not know', () => {
  const unknown = new AuthError('denied', 'Who?', { oauthError: 'invalid_client' });

  it('deletes the client and registers again', async () => {
    const rig = new Rig();
    rig.grant.onObtain = async (_, count) => {
      if (count === 1) throw unknown;
      return {};
    };
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.forgotten).toEqual(['client-1']);
  });

  it('registers again only once', async () => {
    const rig = new Rig();
    rig.grant.onObtain = () => Promise.reject(unknown);
    await expect(rig.send(() => refusal)).rejects.toMatchObject({
      reason: 'not-registered',
      oauthError: 'invalid_client',
      message: expect.stringContaining('Who?'),
    });
    expect(rig.grant.asked).toHaveLength(2);
    expect(rig.grant.forgotten).toEqual(['client-1']);
  });

  it('deletes the client after a refresh, and does not use its refresh token again', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'refresh-1' };
    await rig.send(taking('access-1'));
    rig.answer = () => ({ status: 401, body: { error: 'invalid_client' } });
    expect(await rig.send(taking('access-2'))).toEqual({ status: 200 });
    expect(rig.grant.forgotten).toEqual(['client-1']);
    expect(rig.http.sent).toHaveLength(1);
  });

  it('does not use tokens of an old registration with a new one', async () => {
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
