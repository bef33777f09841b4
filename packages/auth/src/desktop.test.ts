import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { type Visit, visit } from '../test/desktop/loopback-visitor.js';
import { startServer, type TestServer } from '../test/http/http-server.js';
import { type DesktopAuthOptions, desktopAuth } from './desktop.js';
import { MemoryAuthStore } from './store/memory-store.js';

let folder: string;
let server: TestServer;
/** The response of the token endpoint. */
let tokens: { readonly status: number; readonly body: object };
/** The parameters of the authorization response, besides the state. */
let response: Readonly<Record<string, string>>;
let registered: unknown;
let page: Promise<Visit> | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-desktop-'));
  vi.stubEnv('XDG_STATE_HOME', folder);
  tokens = { status: 200, body: { access_token: 'secret-token', token_type: 'Bearer', expires_in: 600 } };
  response = { code: 'code' };
  server = await startServer((request, answer) => void serve(request, answer));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Answers as a protected server and its authorization server. */
async function serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { origin } = server;
  const { pathname } = new URL(request.url ?? '', origin);
  const body = await text(request);
  const documents: Readonly<Record<string, () => { status?: number; body: object }>> = {
    '/.well-known/oauth-protected-resource/mcp': () => ({
      body: { resource: `${origin}/mcp`, authorization_servers: [origin] },
    }),
    '/.well-known/oauth-authorization-server': () => ({
      body: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        device_authorization_endpoint: `${origin}/device`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    }),
    '/register': () => {
      registered = JSON.parse(body);
      return { status: 201, body: { ...(registered as object), client_id: 'client-1' } };
    },
    '/device': () => ({
      body: {
        device_code: 'secret-device-code',
        user_code: 'WDJB-MJHT',
        verification_uri: `${origin}/code`,
        expires_in: 60,
        interval: 1,
      },
    }),
    '/token': () => tokens,
  };
  const { status = 200, body: document } = documents[pathname]?.() ?? { status: 404, body: {} };
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** Follows the authorization request like a browser, and returns to the redirect URI at once. */
function browse(address: string): void {
  const { searchParams } = new URL(address);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  const params = { ...response, state: searchParams.get('state') ?? '' };
  for (const [name, value] of Object.entries(params)) back.searchParams.set(name, value);
  page = visit(back.href);
}

function auth(options: Partial<DesktopAuthOptions> = {}) {
  return desktopAuth({ name: 'Notes', open: browse, onUrl: () => {}, ...options });
}

const shown = async () => /<h1>(.*)<\/h1>/.exec((await page)?.body ?? '')?.[1];

describe('desktopAuth', () => {
  it('signs the user in with the browser, and registers as a native application', async () => {
    await auth().signIn(`${server.origin}/mcp`);
    expect(await shown()).toBe('You are signed in');
    expect((await page)?.body).toContain('go back to Notes.');
    expect(registered).toMatchObject({
      client_name: 'Notes',
      application_type: 'native',
      redirect_uris: [
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
        'http://127.0.0.1/callback',
      ],
      token_endpoint_auth_method: 'none',
    });
  });

  it('stores the tokens for the next process', async () => {
    await auth().signIn(`${server.origin}/mcp`);
    const [file = ''] = await readdir(join(folder, 'tenon'));
    expect(file).toMatch(/^notes-[0-9a-f]{8}-auth\.json$/);
    expect(await readFile(join(folder, 'tenon', file), 'utf8')).toContain('secret-token');
    const open = vi.fn();
    const next = auth({ open });
    const url = `${server.origin}/mcp`;
    const authorizer = next.authorizer(new URL(url));
    expect(await authorizer.authorize({ method: 'POST', url })).toEqual({
      authorization: 'Bearer secret-token',
    });
    await next.signIn(url);
    expect(open).not.toHaveBeenCalled();
  });

  it('uses the store of the options', async () => {
    const store = new MemoryAuthStore();
    await auth({ store }).signIn(`${server.origin}/mcp`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('shows in the browser that access was refused', async () => {
    response = { error: 'access_denied' };
    await expect(auth().signIn(`${server.origin}/mcp`)).rejects.toMatchObject({ reason: 'denied' });
    expect(await shown()).toBe('Access was refused');
  });

  it.each([
    { error: 'server_error' },
    { error: 'invalid_scope' },
    { code: 'c', iss: 'https://evil.example' },
    { error: 'access_denied', iss: 'https://evil.example' },
    {},
  ])('shows in the browser that the sign-in failed: %o', async (params) => {
    response = params as Readonly<Record<string, string>>;
    await expect(auth().signIn(`${server.origin}/mcp`)).rejects.toMatchObject({ name: 'AuthError' });
    expect(await shown()).toBe('Signing in did not work');
  });

  it('shows in the browser that the sign-in failed if the token request fails', async () => {
    tokens = { status: 500, body: { error: 'server_error' } };
    await expect(auth().signIn(`${server.origin}/mcp`)).rejects.toMatchObject({ name: 'AuthError' });
    expect(await shown()).toBe('Signing in did not work');
  });

  it('signs the user in with a code on another device, without a browser', async () => {
    const open = vi.fn();
    const onUrl = vi.fn();
    const clock = new FakeClock();
    const signedIn = auth({ open, onUrl, device: true, clock }).signIn(`${server.origin}/mcp`);
    await clock.armed(1_000);
    await clock.advance(1_000);
    await signedIn;
    expect(onUrl).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userCode: 'WDJB-MJHT' }));
    expect(open).not.toHaveBeenCalled();
    expect(await readdir(join(folder, 'tenon'))).toHaveLength(1);
  });

  it('gives up after the time limit', async () => {
    const late = auth({ open: () => {}, timeout: 20 }).signIn(`${server.origin}/mcp`);
    await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  });
});

it.each([
  [{}, 'desktopAuth(): name is missing; authorization servers show it to users.'],
  [{ name: 'a', browser: true }, 'desktopAuth(): there is no option "browser"'],
  [{ name: 'a', client: { name: 'b', url: 'x' } }, 'oauth(): client: there is no option "url"'],
  [{ name: 'a', redirectUri: 'https://a.example' }, 'redirectUri must be like http://127.0.0.1/callback'],
])('rejects %o', (options, message) => {
  expect(() => desktopAuth(options as DesktopAuthOptions)).toThrow(message);
});
