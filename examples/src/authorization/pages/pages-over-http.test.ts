import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { type Client, connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { expect, onTestFinished, test } from 'vitest';
import { elicitationPages } from './elicitation-pages.js';
import { signInAt } from './sign-in-visitors.js';

/** A browser with a user who is signed in at the authorization server. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #pages: (request: Request) => Promise<Response>;
  readonly #user: string;
  readonly #server: TestAuthorizationServer;

  constructor(user: string, server: TestAuthorizationServer, pages: (request: Request) => Promise<Response>) {
    this.#user = user;
    this.#server = server;
    this.#pages = pages;
  }

  /** Opens a URL and follows redirects. */
  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#send(url, init);
    const location = response.headers.get('location');
    return location === null ? response : this.go(location);
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    if (url.startsWith(this.#server.origin)) {
      this.#server.behave({ user: this.#user });
      return fetch(url, { redirect: 'manual' });
    }
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const response = await this.#pages(new Request(url, { ...init, headers: { ...init.headers, cookie } }));
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    return response;
  }
}

async function started() {
  const redirectUris = ['https://mcp.example/connect/signed-in'];
  const authorization = await startTestAuthorizationServer({
    clients: [{ clientId: 'pages', redirectUris }],
  });
  const { issuer } = authorization;
  const keys = new Map<string, string>();
  const refused: unknown[] = [];
  const verify = jwtVerifier();
  const server = createServer({ name: 'keys', version: '1.0.0' }).tool('key', {}, async (_, ctx) => {
    const url = await ctx.once('page', () => pages.open(ctx, { what: 'api-key' }));
    const { action } = await ctx.elicitUrl('key', { message: 'Your API key is needed.', url });
    return `${action}: ${keys.get(ctx.auth?.id ?? '') ?? 'no key'}`;
  });
  const serving = await serveHttp(server);
  protect(server, { resource: serving.url, authorizationServers: [issuer], verify });
  const pages = elicitationPages({
    url: 'https://mcp.example/connect',
    visitors: signInAt({ issuer, clientId: 'pages', resource: serving.url, verify }),
    visit: async (visit) => {
      if (visit.step === 'opened') return new Response('Which key?');
      const key = (await visit.form()).get('key') ?? '';
      if (await visit.finish()) keys.set(visit.principal.id, key);
      return new Response('Thank you.');
    },
    onRefused: (one) => refused.push(one),
  });
  onTestFinished(async () => {
    await serving.close();
    await authorization.close();
  });
  return { authorization, keys, refused, pages, url: serving.url };
}

test('opens a page for Alice only for Alice, and rejects input from Bob', async () => {
  const { authorization, keys, refused, pages, url } = await started();
  const token = await authorization.issueToken({ subject: 'alice', audience: url });
  const headers = { authorization: `Bearer ${token}` };
  const said: string[] = [];
  const form = { method: 'POST', body: new URLSearchParams({ key: 'sk-of-whoever' }) };

  const client: Client = await connect(url, {
    info: { name: 'keys', version: '1.0.0' },
    auth: { authorizer: () => ({ authorize: () => headers, challenged: async () => false }) },
    onElicitUrl: async ({ url: page }) => {
      for (const user of ['bob', 'alice']) {
        const browser = new Browser(user, authorization, pages.handler);
        const opened = await browser.go(page);
        said.push(`${user}: ${opened.status}`);
        const sent = await browser.go(page, form);
        said.push(`${user}: ${sent.status}`);
      }
      return { action: 'accept' };
    },
  });
  onTestFinished(() => client.close());

  const { content } = await client.callTool('key', {});
  expect(content).toMatchObject([{ text: 'accept: sk-of-whoever' }]);
  expect(said).toEqual(['bob: 403', 'bob: 403', 'alice: 200', 'alice: 200']);
  expect([...keys]).toEqual([['alice', 'sk-of-whoever']]);
  const { issuer } = authorization;
  expect(refused).toMatchObject(
    [1, 2].map(() => ({
      reason: 'another-user',
      owner: { id: 'alice', issuer },
      visitor: { id: 'bob', issuer },
    })),
  );
});

test('serves pages beside the endpoint, without TLS on this machine, to the user they are for', async () => {
  const authorization = await startTestAuthorizationServer();
  const { issuer } = authorization;
  const verify = jwtVerifier();
  const keys: string[] = [];
  const server = createServer({ name: 'keys', version: '1.0.0' });
  const serving = await serveHttp(server, {
    pages: [{ paths: ['/connect', '/connect/*'], handler: (request) => pages.handler(request) }],
  });
  const { origin } = new URL(serving.url);
  protect(server, { resource: serving.url, authorizationServers: [issuer], verify });
  const url = `${origin}/connect`;
  authorization.addClient({ clientId: 'pages', redirectUris: [`${url}/signed-in`] });
  const pages = elicitationPages({
    url,
    visitors: signInAt({ issuer, clientId: 'pages', resource: serving.url, verify }),
    visit: async (visit) => {
      if (visit.step === 'opened') return new Response('Which key?');
      keys.push((await visit.form()).get('key') ?? '');
      return new Response(`Ended: ${await visit.finish()}.`);
    },
  });
  onTestFinished(async () => {
    await serving.close();
    await authorization.close();
  });

  expect(pages.paths).toEqual(['/connect', '/connect/*']);
  const address = await pages.open({ auth: { id: 'alice', issuer } });
  const over = (request: Request) => fetch(new Request(request, { redirect: 'manual' }));
  const browser = new Browser('alice', authorization, over);
  expect(await (await browser.go(address)).text()).toBe('Which key?');
  const form = { method: 'POST', body: new URLSearchParams({ key: 'sk-1' }), headers: { origin } };
  expect(await (await browser.go(address, form)).text()).toBe('Ended: true.');
  expect(keys).toEqual(['sk-1']);
  const stranger = new Browser('bob', authorization, over);
  expect((await stranger.go(await pages.open({ auth: { id: 'alice', issuer } }))).status).toBe(403);
  expect((await fetch(serving.url, { method: 'POST' })).status).toBe(401);
});
