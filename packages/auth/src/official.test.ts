import { afterEach, describe, expect, it, vi } from 'vitest';
import { Rig, serverUrl } from '../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../test/client/fake-authorization.js';
import { officialAuth } from './official.js';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly headers: Headers;
}

afterEach(() => {
  vi.useRealTimers();
});

/** A server that accepts requests by their `Authorization`, and the official client's `fetch` to it. */
class Server {
  readonly sent: Sent[] = [];
  challenge = 'Bearer scope="read"';
  accepts: (authorization: string | null, request: Sent) => boolean | Response = (authorization) =>
    authorization !== null;

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    const seen = { url, method, body: await request.text(), headers };
    this.sent.push(seen);
    const answer = this.accepts(headers.get('authorization'), seen);
    if (answer instanceof Response) return answer;
    return answer
      ? Response.json({ done: true })
      : new Response('no', { status: 401, headers: { 'www-authenticate': this.challenge } });
  };

  get authorizations(): (string | null)[] {
    return this.sent.map(({ headers }) => headers.get('authorization'));
  }
}

/** A provider at an authorization server that binds tokens to keys. */
function bindingRig(): Rig {
  const rig = new Rig({ dpop: true });
  rig.found = fakeDiscovery({ server: { dpopSigningAlgs: ['ES256'] } });
  return rig;
}

const post = { method: 'POST', body: '{"id":1}', headers: { 'content-type': 'application/json' } };

describe('officialAuth().fetch', () => {
  it('signs in after a 401 and sends the request again, whole', async () => {
    const [rig, server] = [new Rig(), new Server()];
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    expect(await (await fetch(serverUrl, post)).json()).toEqual({ done: true });
    expect(server.authorizations).toEqual([null, 'Bearer access-1']);
    expect(server.sent[1]).toMatchObject({ method: 'POST', body: '{"id":1}' });
    expect(server.sent[1]?.headers.get('content-type')).toBe('application/json');
    expect(rig.scopes).toEqual([expect.arrayContaining(['read'])]);
    await fetch(new Request(serverUrl, post));
    expect(server.authorizations).toEqual([null, 'Bearer access-1', 'Bearer access-1']);
    expect(server.sent[2]).toMatchObject({ method: 'POST', body: '{"id":1}' });
  });

  it('requests more scopes after a 403, and passes on every other 403', async () => {
    const [rig, server] = [new Rig(), new Server()];
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    await fetch(serverUrl, post);
    const refusal = (challenge?: string) =>
      new Response('no', { status: 403, headers: challenge ? { 'www-authenticate': challenge } : {} });
    server.accepts = (authorization) =>
      authorization === 'Bearer access-2' || refusal('Bearer error="insufficient_scope", scope="write"');
    expect((await fetch(serverUrl, post)).status).toBe(200);
    expect(rig.scopes[1]).toEqual(expect.arrayContaining(['read', 'write']));
    server.accepts = () => refusal();
    const response = await fetch(serverUrl, post);
    expect([response.status, await response.text()]).toEqual([403, 'no']);
  });

  it('rejects with the error of the sign-in', async () => {
    const [rig, server] = [new Rig(), new Server()];
    rig.grant.onObtain = () => Promise.reject(new Error('The user closed the window.'));
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    await expect(fetch(serverUrl, post)).rejects.toThrow('The user closed the window.');
  });

  it('returns the refusal to the request of a stream, which would be opened again and again', async () => {
    const [rig, server] = [new Rig(), new Server()];
    rig.grant.onObtain = () => Promise.reject(new Error('The user closed the window.'));
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    const response = await fetch(serverUrl, { headers: { accept: 'text/event-stream' } });
    expect([response.status, await response.text()]).toEqual([401, 'no']);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('proves the key of a token that is bound to one', async () => {
    const [rig, server] = [bindingRig(), new Server()];
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    await fetch(serverUrl, post);
    expect(server.authorizations[1]).toBe('DPoP access-1');
    const [, claims = ''] = server.sent[1]?.headers.get('dpop')?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      htm: 'POST',
      htu: serverUrl.href,
    });
  });

  it('sends no token to another origin, and does not sign in for it', async () => {
    const [rig, server] = [new Rig(), new Server()];
    const { fetch } = officialAuth(rig.provider, serverUrl, server);
    await fetch(serverUrl, post);
    expect((await fetch('https://mcp.example.evil/mcp', post)).status).toBe(401);
    expect(server.authorizations.at(-1)).toBeNull();
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('sends no token to another origin if the authorizer of an application accepts every URL', async () => {
    const server = new Server();
    const authorizer = {
      authorize: () => ({ authorization: 'Bearer mine' }),
      challenged: () => Promise.resolve(true),
    };
    const { fetch } = officialAuth({ authorizer: () => authorizer }, serverUrl, server);
    expect((await fetch('https://mcp.example.evil/mcp', post)).status).toBe(401);
    await fetch(serverUrl, post);
    expect(server.authorizations).toEqual([null, 'Bearer mine']);
  });
});

/** The response of a server to a client that cannot sign in again. */
const unauthorized = (challenge = 'Bearer scope="read"') => ({
  response: new Response('', { status: 401, headers: { 'www-authenticate': challenge } }),
});

describe('officialAuth().authProvider', () => {
  it('has a token once a 401 made the user sign in, with the scopes of the challenge', async () => {
    const rig = new Rig();
    const { authProvider } = officialAuth(rig.provider, serverUrl);
    expect(await authProvider.token()).toBeUndefined();
    await authProvider.onUnauthorized(unauthorized());
    expect(await authProvider.token()).toBe('access-1');
    expect(rig.scopes).toEqual([expect.arrayContaining(['read'])]);
  });

  it('refreshes a refused token, and does not prompt again for one that is new', async () => {
    const rig = new Rig();
    rig.grant.gives = { refreshToken: 'r' };
    const { authProvider } = officialAuth(rig.provider, serverUrl);
    await authProvider.onUnauthorized(unauthorized());
    for (let request = 1; request <= 3; request++) await authProvider.token();
    await authProvider.onUnauthorized(unauthorized());
    expect(await authProvider.token()).toBe('refreshed-1');
    expect(rig.grant.asked).toHaveLength(1);

    const other = new Rig();
    const again = officialAuth(other.provider, serverUrl).authProvider;
    await again.onUnauthorized(unauthorized());
    await again.token();
    await expect(again.onUnauthorized(unauthorized())).rejects.toMatchObject({ reason: 'refused' });
    expect(other.grant.asked).toHaveLength(1);
  });

  it('has no token bound to a key from a server that offers it beside others', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ server: { dpopSigningAlgs: ['ES256'] } });
    const { authProvider } = officialAuth(rig.provider, serverUrl);
    const offer = 'DPoP algs="ES256", Bearer error_description="a \\"b\\"", scope="read write"';
    await authProvider.onUnauthorized(unauthorized(offer));
    expect(await authProvider.token()).toBe('access-1');
    expect(rig.scopes).toEqual([expect.arrayContaining(['read', 'write'])]);
  });

  it('says what to do for a token that is bound to a key', async () => {
    const rig = bindingRig();
    const { authProvider } = officialAuth(rig.provider, serverUrl);
    await authProvider.onUnauthorized(unauthorized());
    await expect(authProvider.token()).rejects.toThrow(/give its transport the "fetch" of officialAuth\(\)/);
  });
});

describe('officialAuth().oauthProvider', () => {
  it('signs in once before the first request, with the scopes of the challenge', async () => {
    const [rig, server] = [new Rig(), new Server()];
    const { oauthProvider } = officialAuth(rig.provider, serverUrl, server);
    const both = await Promise.all([oauthProvider.tokens(), oauthProvider.tokens()]);
    expect(both).toEqual(Array(2).fill({ access_token: 'access-1', token_type: 'Bearer' }));
    expect(server.sent).toMatchObject([{ method: 'GET', url: serverUrl.href }]);
    expect(rig.scopes).toEqual([expect.arrayContaining(['read'])]);
  });

  it('has no tokens for a server that needs none, and asks it once', async () => {
    const [rig, server] = [new Rig(), new Server()];
    server.accepts = () => true;
    const { oauthProvider } = officialAuth(rig.provider, serverUrl, server);
    expect([await oauthProvider.tokens(), await oauthProvider.tokens()]).toEqual([undefined, undefined]);
    expect([server.sent.length, rig.grant.asked.length]).toEqual([1, 0]);
  });

  it('fails with the error of the sign-in where the client would begin its own', async () => {
    const [rig, server] = [new Rig(), new Server()];
    rig.grant.onObtain = () => Promise.reject(new Error('The user closed the window.'));
    const { oauthProvider } = officialAuth(rig.provider, serverUrl, server);
    expect(await oauthProvider.tokens()).toBeUndefined();
    await expect(oauthProvider.clientInformation()).rejects.toThrow('The user closed the window.');
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('fails when the server does not answer its first request, and asks again for the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [rig, server] = [new Rig(), new Server()];
    let { fetch } = server;
    const asked = new Promise<AbortSignal | null | undefined>((resolve) => {
      fetch = (_, init) => {
        resolve(init?.signal);
        return new Promise(() => {});
      };
    });
    const { oauthProvider } = officialAuth(rig.provider, serverUrl, {
      fetch: (...request) => fetch(...request),
    });
    const tokens = oauthProvider.tokens();
    const signal = await asked;
    vi.runOnlyPendingTimers();
    expect([await tokens, signal?.aborted]).toEqual([undefined, true]);
    await expect(oauthProvider.clientInformation()).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'https://mcp.example did not answer within 10000 ms.',
    });
    fetch = server.fetch;
    expect(await oauthProvider.tokens()).toMatchObject({ access_token: 'access-1' });
  });

  it('replaces a refused token where the client would begin its own sign-in, which ends with an error', async () => {
    const [rig, server] = [new Rig(), new Server()];
    rig.grant.gives = { refreshToken: 'r' };
    const { oauthProvider } = officialAuth(rig.provider, serverUrl, server);
    for (let request = 1; request <= 3; request++) await oauthProvider.tokens();
    await expect(oauthProvider.discoveryState()).rejects.toThrow(/has been replaced: send the request again/);
    expect(await oauthProvider.tokens()).toMatchObject({ access_token: 'refreshed-1' });
    expect(() => oauthProvider.redirectToAuthorization()).toThrow(/officialAuth\(\) signs in itself/);
  });
});
