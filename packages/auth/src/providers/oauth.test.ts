import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { sendTo, serverUrl } from '../../test/client/authorizer-rig.js';
import { CodeFlowWeb } from '../../test/client/code-flow-web.js';
import { begin, clientId, registered, send } from '../../test/client/user-program.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import type { AuthEvent } from '../tokens/auth-events.js';
import { type OauthOptions, oauth } from './oauth.js';

describe('oauth()', () => {
  it('signs in by the authorization code flow with PKCE, state and resource', async () => {
    const web = new CodeFlowWeb();
    web.resource = { resource: serverUrl.href, scopes_supported: ['read'] };
    web.metadata = { scopes_supported: ['read', 'offline_access'] };
    const interaction = web.interaction();
    expect(await send(begin(web, { interaction, scopes: ['mail'] }), web)).toEqual({ status: 200 });
    expect(Object.fromEntries(interaction.visited[0]?.searchParams ?? [])).toEqual({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'http://127.0.0.1:4100/callback',
      resource: serverUrl.href,
      scope: 'read mail offline_access',
      state: expect.stringMatching(/^[\w-]{22}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(web.at('/token').map(({ form }) => form)).toEqual([
      {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: expect.stringContaining('code-'),
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: 'http://127.0.0.1:4100/callback',
        resource: serverUrl.href,
      },
    ]);
    expect(interaction.ends).toEqual([undefined]);
  });

  it('prompts for consent with offlineAccess: "consent"', async () => {
    const web = new CodeFlowWeb();
    web.resource = { resource: serverUrl.href, scopes_supported: ['read'] };
    web.metadata = { scopes_supported: ['offline_access'] };
    const interaction = web.interaction();
    await send(begin(web, { interaction, offlineAccess: 'consent' }), web);
    expect(interaction.visited[0]?.searchParams.get('prompt')).toBe('consent');
    expect(interaction.visited[0]?.searchParams.get('scope')).toBe('read offline_access');
  });

  it('does not request offline_access with offlineAccess: false', async () => {
    const web = new CodeFlowWeb();
    web.resource = { resource: serverUrl.href, scopes_supported: ['read'] };
    web.metadata = { scopes_supported: ['offline_access'] };
    const interaction = web.interaction();
    await send(begin(web, { interaction, offlineAccess: false }), web);
    expect(interaction.visited[0]?.searchParams.get('scope')).toBe('read');
  });

  it('registers for the requested scopes, and for those of the resource', async () => {
    const web = new CodeFlowWeb();
    web.resource = { resource: serverUrl.href, scopes_supported: ['read', 'write', 'elsewhere'] };
    web.metadata = { scopes_supported: ['read', 'write', 'offline_access'] };
    const authorizer = begin(web, { client: { name: 'Tests' } }).authorizer(serverUrl);
    const authenticate = 'Bearer scope="read"';
    await sendTo({
      authorizer,
      server: (token) => (token === undefined ? { status: 401, authenticate } : { status: 200 }),
    });
    const [asked] = web.at('/register');
    expect(JSON.parse(asked?.body ?? '').scope).toBe('read offline_access write');
  });

  it('does not register again to refresh or to sign out after its registration was lost', async () => {
    const web = new CodeFlowWeb();
    web.metadata = { revocation_endpoint: 'https://auth.example/revoke' };
    const memory = new MemoryAuthStore();
    const isLost = (key: string) => key.startsWith('client:');
    const store = {
      get: (key: string) => (isLost(key) ? undefined : memory.get(key)),
      swap: (...change: Parameters<typeof memory.swap>) => isLost(change[0]) || memory.swap(...change),
    };
    const provider = begin(web, { store, client: { name: 'Tests' } });
    await send(provider, web);
    await provider.signOut(serverUrl);
    expect(web.at('/register')).toHaveLength(1);
    // A public client needs no registration to revoke its tokens.
    expect(web.at('/revoke')).toHaveLength(1);
  });

  it('registers dynamically once', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    await send(begin(web, { store, client: { name: 'Tests' } }), web);
    expect(web.at('/register')).toHaveLength(1);
    expect(JSON.parse(web.at('/register')[0]?.body ?? '')).toMatchObject({
      client_name: 'Tests',
      application_type: 'native',
    });
    const again = begin(web, { store, account: 'bob', client: { name: 'Tests' } });
    await send(again, web);
    expect(web.at('/register')).toHaveLength(1);
    expect(web.at('/token')).toHaveLength(2);
  });

  it('does not register with register: false', async () => {
    const web = new CodeFlowWeb();
    const provider = begin(web, { client: { name: 'Tests', register: false } });
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'not-registered' });
    expect(web.at('/register')).toHaveLength(0);
  });

  it('registers with the new issuer when the server moves, and sends it nothing of the old one', async () => {
    const web = new CodeFlowWeb();
    const provider = begin(web, { client: { name: 'Tests' } });
    await send(provider, web);
    const before = new Set(web.secrets);
    web.issuers = ['https://new.example'];
    expect(await send(provider, web)).toEqual({ status: 200 });
    const there = web.seen.filter(({ url }) => url.origin === 'https://new.example');
    expect(there.map(({ url }) => url.pathname)).toContain('/register');
    for (const { url, body } of there) {
      expect(url.href + body).not.toContain('-of-auth.example');
      for (const secret of before) expect(url.href + body).not.toContain(secret);
    }
  });

  it('does not use a registered client with another issuer', async () => {
    const web = new CodeFlowWeb();
    const provider = begin(web, { client: { name: 'Tests', registered } });
    await send(provider, web);
    web.issuers = ['https://new.example'];
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'not-registered' });
    const there = web.seen.filter(({ url }) => url.origin === 'https://new.example');
    expect(there.every(({ url, body }) => !(url.href + body).includes(clientId))).toBe(true);
  });

  it('registers with another issuer with register: true', async () => {
    const web = new CodeFlowWeb();
    web.issuers = ['https://new.example'];
    const provider = begin(web, { client: { name: 'Tests', registered, register: true } });
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(web.at('/register')).toHaveLength(1);
  });

  it.each([
    [
      'another issuer',
      (params: URLSearchParams) => params.set('iss', 'https://evil.example'),
      'bad-response',
    ],
    [
      'the issuer with a slash',
      (params: URLSearchParams) => params.set('iss', 'https://auth.example/'),
      'bad-response',
    ],
    ['another state', (params: URLSearchParams) => params.set('state', 'x'), 'bad-response'],
    ['a denial', (params: URLSearchParams) => params.set('error', 'access_denied'), 'denied'],
  ])('does not send the code after a response with %s', async (_, onResponse, reason) => {
    const web = new CodeFlowWeb();
    web.onResponse = onResponse;
    const interaction = web.interaction();
    await expect(send(begin(web, { interaction }), web)).rejects.toMatchObject({ reason });
    expect(web.at('/token')).toHaveLength(0);
    expect(interaction.ends).toMatchObject([{ reason }]);
  });

  it('does not send the code if the announced iss is missing', async () => {
    const web = new CodeFlowWeb();
    web.metadata = { authorization_response_iss_parameter_supported: true };
    await expect(send(begin(web), web)).rejects.toMatchObject({ reason: 'bad-response' });
    expect(web.at('/token')).toHaveLength(0);
    web.onResponse = (params) => params.set('iss', 'https://auth.example');
    expect(await send(begin(web), web)).toEqual({ status: 200 });
  });

  it('does not send the user to a server without PKCE (S256)', async () => {
    const web = new CodeFlowWeb();
    web.metadata = { code_challenge_methods_supported: ['plain'] };
    const interaction = web.interaction();
    await expect(send(begin(web, { interaction }), web)).rejects.toMatchObject({ reason: 'unsupported' });
    expect(interaction.visited).toHaveLength(0);
  });

  it('fails permanently after the user was prompted, so that a retry does not prompt again', async () => {
    const web = new CodeFlowWeb();
    web.onToken = () => ({ status: 503, body: {} });
    const down = { reason: 'unreachable', answerStatus: 503, permanent: true };
    await expect(send(begin(web), web)).rejects.toMatchObject(down);
    const before = new CodeFlowWeb();
    const fetch: OauthOptions['fetch'] = (input, init) =>
      input.endsWith('/register')
        ? Promise.resolve(new Response('', { status: 503 }))
        : before.fetch(input, init);
    const unasked = begin(before, { client: { name: 'Tests' }, fetch });
    await expect(send(unasked, before)).rejects.toMatchObject({ reason: 'unreachable', permanent: false });
  });

  it.each(['begin', 'authorize'])(
    'throws interaction-failed if %s of the interaction fails',
    async (step) => {
      const web = new CodeFlowWeb();
      const cause = new Error('The window is gone.');
      const fail = () => {
        throw cause;
      };
      const interaction = web.interaction();
      const signIn = { redirectUri: 'http://127.0.0.1/callback', authorize: fail, end() {} };
      const fragile = { ...interaction, begin: step === 'begin' ? fail : () => signIn };
      const failure = { reason: 'interaction-failed', permanent: true, cause };
      await expect(send(begin(web, { interaction: fragile }), web)).rejects.toMatchObject(failure);
    },
  );

  it('ignores a failure to show the final page', async () => {
    const web = new CodeFlowWeb();
    const interaction = web.interaction();
    const fragile = {
      ...interaction,
      begin: async (...subject: Parameters<typeof interaction.begin>) => ({
        ...(await interaction.begin(...subject)),
        end: () => Promise.reject(new Error('The tab is closed.')),
      }),
    };
    expect(await send(begin(web, { interaction: fragile }), web)).toEqual({ status: 200 });
  });

  it('separates the accounts in a shared store', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    await send(begin(web, { store, account: 'ann' }), web);
    await send(begin(web, { store, account: 'ann' }), web);
    expect(web.at('/token')).toHaveLength(1);
    await send(begin(web, { store, account: 'bob' }), web);
    expect(web.at('/token')).toHaveLength(2);
  });
});

describe('signOut', () => {
  it('deletes the tokens, and revokes them', async () => {
    const web = new CodeFlowWeb();
    web.metadata = { revocation_endpoint: 'https://auth.example/revoke' };
    const events: AuthEvent[] = [];
    const store = new MemoryAuthStore();
    const provider = begin(web, { store, onEvent: (event) => events.push(event) });
    await send(provider, web);
    await provider.signOut(serverUrl);
    expect(web.at('/revoke').map(({ form }) => form)).toEqual([
      { token: expect.stringContaining('refresh-'), token_type_hint: 'refresh_token', client_id: clientId },
    ]);
    expect(provider.authorizer(serverUrl).authorize({ method: 'POST', url: serverUrl.href })).toBeUndefined();
    const other = begin(web, { store }).authorizer(serverUrl);
    expect(await other.authorize({ method: 'POST', url: serverUrl.href })).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(['discovered', 'signing-in', 'signed-in', 'signed-out']);
  });

  it('deletes the tokens of all servers, also those of another process', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    await send(begin(web, { store }), web);
    const provider = begin(web, { store });
    provider.authorizer(serverUrl);
    await provider.signOut();
    const other = begin(web, { store }).authorizer(serverUrl);
    expect(await other.authorize({ method: 'POST', url: serverUrl.href })).toBeUndefined();
    await provider.signOut();
  });
});

describe('options', () => {
  const interaction = new CodeFlowWeb().interaction();
  const client = { name: 'Tests' };
  const given = (options: object) => () => oauth(options as OauthOptions);

  it.each([
    [{}, 'client is missing'],
    [{ client }, 'interaction is missing'],
    [{ client: {}, interaction }, 'client.name is missing'],
    [{ client: { nme: 'x' }, interaction }, 'there is no option "nme"'],
    [{ client: { ...client, registered: [{ clientId: 'x' }] }, interaction }, 'needs an issuer'],
    [{ client: { ...client, metadataUrl: 'http://app.example/client.json' }, interaction }, 'metadataUrl'],
    [{ client, interaction, allow: ['https://auth.example/path'] }, 'cannot be trusted'],
    [{ client, interaction, scope: ['a'] }, 'there is no option "scope"'],
    [{ client, interaction, scopes: ['a b'] }, 'scopes must be a list'],
    [{ client, interaction, store: {} }, 'store must be an AuthStore'],
    [{ client, interaction, clock: { now: 5 } }, 'clock must be a Clock'],
  ])('%# rejects invalid options', (options, message) => {
    expect(given(options)).toThrow(message);
  });

  it('needs no store, clock or fetch', () => {
    const provider = oauth({ client, interaction });
    expect(provider.authorizer(serverUrl)).toBe(provider.authorizer(new URL(`${serverUrl.href}#part`)));
    expect(provider.authorizer(serverUrl)).toBe(
      provider.authorizer(new URL('https://ann:pass@mcp.example/mcp')),
    );
    expect(() => provider.authorizer(new URL('file:///etc/passwd'))).toThrow(TypeError);
  });

  it('limits the number of servers in memory', () => {
    const provider = oauth({ client, interaction, ...otherBounds({ servers: 2 }) });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => new URL(`https://${name}.example/`)) as [URL, URL, URL];
    const [first, second] = [provider.authorizer(a), provider.authorizer(b)];
    expect(provider.authorizer(a)).toBe(first);
    provider.authorizer(c);
    expect(provider.authorizer(a)).toBe(first);
    expect(provider.authorizer(b)).not.toBe(second);
  });
});
