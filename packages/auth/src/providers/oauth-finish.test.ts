import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { sendTo, serverUrl } from '../../test/client/authorizer-rig.js';
import { CodeFlowWeb } from '../../test/client/code-flow-web.js';
import { begin, send } from '../../test/client/user-program.js';
import type { AuthError } from '../auth-error.js';
import { webInteraction } from '../sign-in/web-interaction.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { oauth, type UserProvider } from './oauth.js';

describe('UserProvider.finish', () => {
  const callback = 'https://app.example/callback';

  /** Returns the provider of one process of a web application, for one browser session. */
  function application(web: CodeFlowWeb, store: MemoryAuthStore, session = 'session-a'): UserProvider {
    const interaction = webInteraction({ redirectUri: callback, session });
    return begin(web, { interaction, store, account: 'ann' });
  }

  async function needed(provider: UserProvider, web: CodeFlowWeb): Promise<string> {
    const error: unknown = await send(provider, web).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ reason: 'sign-in-needed' });
    return (error as AuthError).authorizationUrl ?? '';
  }

  it('finishes a sign-in in another process than the one that started it', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    const [one, other] = [application(web, store), application(web, store)];
    const url = await needed(one, web);
    expect(await needed(one, web)).toBe(url);
    const { pathname, search } = web.visit(url);
    expect(await other.finish(pathname + search)).toEqual({ server: serverUrl.href });
    expect(await send(other, web)).toEqual({ status: 200 });
    expect(await send(one, web)).toEqual({ status: 200 });
    expect(web.at('/token')).toHaveLength(1);
    await expect(one.finish(callback + search)).rejects.toMatchObject({ reason: 'bad-response' });
  });

  it('rejects a response of a sign-in that was started in another browser', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    const url = await needed(application(web, store, 'session-of-attacker'), web);
    const victim = application(web, store, 'session-of-victim');
    await expect(victim.finish(web.visit(url))).rejects.toMatchObject({ reason: 'bad-response' });
    expect(web.at('/token')).toHaveLength(0);
  });

  it.each([
    ['iss', 'https://evil.example', 'bad-response'],
    ['error', 'access_denied', 'denied'],
  ])('does not send the code if the response has the parameter %s', async (name, value, reason) => {
    const web = new CodeFlowWeb();
    const provider = application(web, new MemoryAuthStore());
    const url = await needed(provider, web);
    web.onResponse = (params) => params.set(name, value);
    const response = web.visit(url);
    await expect(provider.finish(response)).rejects.toMatchObject({ reason });
    await expect(provider.finish(response)).rejects.toMatchObject({ reason: 'bad-response' });
    expect(web.at('/token')).toHaveLength(0);
  });

  it('does not redeem a code for another client', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    const url = await needed(application(web, store), web);
    const changed = begin(web, {
      client: { name: 'Tests', registered: [{ issuer: 'https://auth.example', clientId: 'another' }] },
      interaction: webInteraction({ redirectUri: callback, session: 'session-a' }),
      store,
      account: 'ann',
    });
    await expect(changed.finish(web.visit(url))).rejects.toMatchObject({ reason: 'not-registered' });
    expect(web.at('/token')).toHaveLength(0);
  });

  it('requests the scopes of the finished sign-in again', async () => {
    const web = new CodeFlowWeb();
    web.resource = { resource: serverUrl.href, scopes_supported: ['read'] };
    const provider = application(web, new MemoryAuthStore());
    await provider.finish(web.visit(await needed(provider, web)));
    web.resource = { resource: serverUrl.href };
    web.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
    const refusing = { authorizer: provider.authorizer(serverUrl), server: () => ({ status: 401 }) };
    const error: unknown = await sendTo(refusing).catch((failure: unknown) => failure);
    expect(new URL((error as AuthError).authorizationUrl ?? '').searchParams.get('scope')).toBe('read');
  });

  it('registers again after its client was unknown', async () => {
    const web = new CodeFlowWeb();
    const provider = begin(web, {
      client: { name: 'Tests' },
      account: 'ada',
      interaction: webInteraction({ redirectUri: callback, session: 'session-a' }),
    });
    web.onToken = () => ({ status: 401, body: { error: 'invalid_client' } });
    const first = await needed(provider, web);
    await expect(provider.finish(web.visit(first))).rejects.toMatchObject({ oauthError: 'invalid_client' });
    web.onToken = undefined;
    const second = await needed(provider, web);
    await provider.finish(web.visit(second));
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(web.at('/register')).toHaveLength(2);
  });

  it('does not send the user to sign in again after a denial', async () => {
    const web = new CodeFlowWeb();
    const provider = application(web, new MemoryAuthStore());
    const url = await needed(provider, web);
    web.onResponse = (params) => params.set('error', 'access_denied');
    await expect(provider.finish(web.visit(url))).rejects.toMatchObject({ reason: 'denied' });
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'denied' });
    await expect(provider.signIn(serverUrl)).rejects.toMatchObject({ reason: 'sign-in-needed' });
  });

  it('continues a request that waits in the same process', async () => {
    const web = new CodeFlowWeb();
    let sent: (url: URL) => void = () => {};
    const redirected = new Promise<URL>((resolve) => {
      sent = resolve;
    });
    const interaction = webInteraction({
      redirectUri: callback,
      session: 'session-a',
      clock: new FakeClock(),
      onRedirect: (url) => sent(url),
    });
    const provider = begin(web, { interaction });
    const waiting = send(provider, web);
    expect(await provider.finish(web.visit(await redirected))).toEqual({ server: undefined });
    expect(await waiting).toEqual({ status: 200 });
  });

  it.each([
    ['no request waits', {}],
    ['the request waits, and the store is shared', { onRedirect: () => {} }],
  ])('requires the option account if %s', (_, more) => {
    const interaction = webInteraction({ redirectUri: callback, session: 'session-a', ...more });
    const options = { client: { name: 'Tests' }, interaction, store: new MemoryAuthStore() };
    expect(() => oauth(options)).toThrow('account is missing');
    expect(oauth({ ...options, account: 'session-a' })).toBeDefined();
  });

  it('rejects for an interaction that receives the redirect itself', async () => {
    await expect(begin(new CodeFlowWeb()).finish(callback)).rejects.toThrow(TypeError);
  });
});
