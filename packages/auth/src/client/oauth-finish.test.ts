import { describe, expect, it } from 'vitest';
import { sendTo, serverUrl } from '../../test/authorizer-rig.js';
import { CodeFlowWeb } from '../../test/code-flow-web.js';
import { ManualClock } from '../../test/manual-clock.js';
import { begin, send } from '../../test/user-program.js';
import type { AuthError } from '../auth-error.js';
import { MemoryAuthStore } from './memory-store.js';
import { oauth, type UserProvider } from './oauth.js';
import { webInteraction } from './web-interaction.js';

describe('finish', () => {
  const callback = 'https://app.example/callback';

  /** One process of a web application, for a browser session. */
  function application(web: CodeFlowWeb, store: MemoryAuthStore, session = 'session-a'): UserProvider {
    const interaction = webInteraction({ redirectUri: callback, session });
    return begin(web, { interaction, store, account: 'ann' });
  }

  async function needed(provider: UserProvider, web: CodeFlowWeb): Promise<string> {
    const error: unknown = await send(provider, web).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ reason: 'sign-in-needed' });
    return (error as AuthError).authorizationUrl ?? '';
  }

  it('completes a sign-in in another process than the one that needs it', async () => {
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

  it('finishes nothing that was begun in another browser', async () => {
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
  ])('sends no code anywhere after a response with %s', async (name, value, reason) => {
    const web = new CodeFlowWeb();
    const provider = application(web, new MemoryAuthStore());
    const url = await needed(provider, web);
    web.onResponse = (params) => params.set(name, value);
    const response = web.visit(url);
    await expect(provider.finish(response)).rejects.toMatchObject({ reason });
    await expect(provider.finish(response)).rejects.toMatchObject({ reason: 'bad-response' });
    expect(web.at('/token')).toHaveLength(0);
  });

  it('redeems no code with another client than it was given to', async () => {
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

  it('has the scopes asked for again that were asked for', async () => {
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

  it('registers anew after its client turned out to be unknown', async () => {
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

  it('does not send a user again at once who said no', async () => {
    const web = new CodeFlowWeb();
    const provider = application(web, new MemoryAuthStore());
    const url = await needed(provider, web);
    web.onResponse = (params) => params.set('error', 'access_denied');
    await expect(provider.finish(web.visit(url))).rejects.toMatchObject({ reason: 'denied' });
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'denied' });
    await expect(provider.signIn(serverUrl)).rejects.toMatchObject({ reason: 'sign-in-needed' });
  });

  it('lets a request go on that waits in the same process', async () => {
    const web = new CodeFlowWeb();
    let sent: (url: URL) => void = () => {};
    const redirected = new Promise<URL>((resolve) => {
      sent = resolve;
    });
    const interaction = webInteraction({
      redirectUri: callback,
      session: 'session-a',
      clock: new ManualClock(),
      onRedirect: (url) => sent(url),
    });
    const provider = begin(web, { interaction });
    const waiting = send(provider, web);
    expect(await provider.finish(web.visit(await redirected))).toEqual({ server: undefined });
    expect(await waiting).toEqual({ status: 200 });
  });

  it.each([
    ['nobody waits', {}],
    ['the request waits, and several users share a store', { onRedirect: () => {} }],
  ])('takes an account, so that users never get the tokens of each other, where %s', (_, more) => {
    const interaction = webInteraction({ redirectUri: callback, session: 'session-a', ...more });
    const options = { client: { name: 'Tests' }, interaction, store: new MemoryAuthStore() };
    expect(() => oauth(options)).toThrow('account is missing');
    expect(oauth({ ...options, account: 'session-a' })).toBeDefined();
  });

  it('is nothing for a program that hears by itself when users come back', async () => {
    await expect(begin(new CodeFlowWeb()).finish(callback)).rejects.toThrow(TypeError);
  });
});
