import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { serverUrl } from '../../test/client/authorizer-rig.js';
import { CodeFlowWeb } from '../../test/client/code-flow-web.js';
import { failureOf } from '../../test/client/grant-tools.js';
import { begin, send } from '../../test/client/user-program.js';
import { AuthError } from '../auth-error.js';
import { webInteraction } from '../sign-in/web-interaction.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import type { OauthOptions } from './oauth.js';

const hour = 3_600_000;

/** The responses of authorization servers to a refresh token that has ended, and the text that they show. */
const deadRefreshTokens: readonly (readonly [string, number, object | string, string])[] = [
  ['RFC 6749', 400, { error: 'invalid_grant', error_description: 'Session is over' }, 'Session is over'],
  ['a member msg', 400, { msg: 'Session is over' }, 'Session is over'],
  ['a member detail', 401, { detail: 'Session is over' }, 'Session is over'],
  ['a member message', 403, { message: 'Session is over', statusCode: 403 }, 'Session is over'],
  ['an error that is an object', 400, { error: { code: 7, message: 'Session is over' } }, 'Session is over'],
  ['an error that is a sentence', 400, { error: 'Session is over' }, 'Session is over'],
  ['a list of errors', 422, { errors: [{ message: 'Session is over' }] }, 'Session is over'],
  ['a problem document', 400, { title: 'Bad Request', detail: 'Session is over' }, 'Session is over'],
  ['plain text', 400, 'Session is over', 'Session is over'],
  ['JSON text', 400, '"Session is over"', 'Session is over'],
  ['an empty body', 400, '', 'HTTP 400'],
  ['a page', 403, '<!doctype html><title>Session is over</title><p>No.', 'HTTP 403'],
  ['a redirect to a login page', 302, '', 'HTTP 302'],
  ['success without a token', 200, {}, 'access_token is missing'],
  ['success with a page', 200, '<html>', 'not a JSON object'],
  ['success with a token of another type', 200, { access_token: 'a', token_type: 'mac' }, 'Bearer'],
  ['an unsupported grant', 400, { error: 'unsupported_grant_type' }, 'unsupported_grant_type'],
  ['a code of its own with success', 200, { error: 'bad_refresh_token' }, 'bad_refresh_token'],
];

describe('a refresh token that has ended', () => {
  it.each(deadRefreshTokens)('is dropped, and the user signs in, for %s', async (...[, status, body]) => {
    const { web, clock, provider, refreshes } = await signedIn();
    web.onToken = (form) => (form.has('refresh_token') ? { status, body } : undefined);
    clock.stall(2 * hour);
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(refreshes()).toBe(1);
    expect(web.at('/token')).toHaveLength(3);
  });

  it.each(deadRefreshTokens)(
    'is asked for once, and its text is in the error of the sign-in, for %s',
    async (...[, status, body, text]) => {
      const { web, clock, provider, refreshes, interaction } = await signedIn();
      web.onToken = (form) => (form.has('refresh_token') ? { status, body } : undefined);
      web.onResponse = (params) => {
        params.delete('code');
        params.set('error', 'server_error');
      };
      clock.stall(2 * hour);
      const failures = [await failureOf(send(provider, web)), await failureOf(send(provider, web))];
      expect(failures[0]).toBeInstanceOf(AuthError);
      expect((failures[0] as AuthError).message).toContain(text);
      expect(refreshes()).toBe(1);
      expect(interaction.visited).toHaveLength(3);
    },
  );

  it.each([408, 425, 429, 500, 502, 503])('is kept when the server answers HTTP %i', async (status) => {
    const { web, clock, provider, refreshes, interaction } = await signedIn();
    web.onToken = (form) =>
      form.has('refresh_token') && refreshes() === 1 ? { status, body: '<html>' } : undefined;
    clock.stall(2 * hour);
    await expect(send(provider, web)).rejects.toMatchObject({ reason: 'unreachable', permanent: false });
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(interaction.visited).toHaveLength(1);
  });
});

/** Refusals that return to the redirect URI: an error, its description, and the text of the error of the client. */
const refusals: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'an Entra tenant whose users may not consent',
    {
      error: 'access_denied',
      error_description: 'AADSTS90094: An administrator must grant permission.\r\nTrace ID: 7',
    },
    'denied access: AADSTS90094: An administrator must grant permission. Trace ID: 7',
  ],
  [
    'an Okta policy',
    { error: 'invalid_scope', error_description: '\u001b[31mNo scope.' },
    'with invalid_scope: No scope.',
  ],
  ['a long text', { error: 'server_error', error_description: 'x'.repeat(5_000) }, `: ${'x'.repeat(200)}`],
  ['a server without a description', { error: 'access_denied' }, 'denied access.'],
];

describe('a refusal of the authorization server', () => {
  it.each(refusals)('is shown with its reason for %s', async (...[, params, text]) => {
    const web = new CodeFlowWeb();
    web.metadata = { scopes_supported: ['offline_access'] };
    web.resource = { resource: 'https://mcp.example/mcp', scopes_supported: ['read'] };
    const interaction = web.interaction();
    web.onResponse = (response) => {
      response.delete('code');
      for (const [name, value] of Object.entries(params)) response.set(name, value);
    };
    const failure = await failureOf(send(begin(web, { interaction }), web));
    expect(failure).toMatchObject({ reason: 'denied', oauthError: params.error });
    expect((failure as AuthError).message).toMatch(/^[ -~]+$/);
    expect((failure as AuthError).message.endsWith(text)).toBe(true);
    // Entra refuses users who may not consent if the client asks for it.
    expect(interaction.visited[0]?.searchParams.has('prompt')).toBe(false);
  });

  it('is not shown with its reason if it repeats the state', async () => {
    const web = new CodeFlowWeb();
    web.onResponse = (response) => {
      response.delete('code');
      response.set('error', 'server_error');
      response.set('error_description', `Lost ${response.get('state')}`);
    };
    const { message } = (await failureOf(send(begin(web), web))) as AuthError;
    expect(message).toBe('The authorization server refused the sign-in with server_error.');
  });
});

const json = (status: number, body: object) => () => Response.json(body, { status });
const page =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('<html>', { status, headers });
const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

/** The responses of authorization endpoints to a client that the authorization server has forgotten. */
const forgotten: readonly (readonly [string, () => Response])[] = [
  ['the official TypeScript SDK', json(400, { error: 'invalid_client', error_description: 'No client' })],
  ['the official Python SDK', json(400, { error: 'invalid_request', error_description: 'Unknown' })],
  ['a page, as Keycloak has', page(400)],
  ['a status of its own', json(401, { error: 'invalid_client' })],
  ['an error page at another URL, as Hydra has', redirect('https://auth.example/error?error=invalid_client')],
  ['a redirect with unauthorized_client', redirect('http://127.0.0.1/x?error=unauthorized_client')],
];

/** The responses to a client that it knows, or that say nothing of the client. */
const unsuspicious: readonly (readonly [string, () => Response])[] = [
  ['a login page', page(200)],
  ['a redirect to a login page', redirect('/login')],
  ['a redirect that denies access', redirect('http://127.0.0.1/x?error=access_denied')],
  ['a firewall', page(403)],
  ['a sign-in of the browser', page(401, { 'www-authenticate': 'Negotiate' })],
  ['another error', json(400, { error: 'invalid_scope' })],
  ['a failure', page(500)],
  [
    'no connection',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
];

describe('a registration that the authorization server has forgotten', () => {
  it.each(forgotten)('is replaced before the browser opens, for %s', async (_, refusal) => {
    const { web, provider, interaction, endTokens } = await registeredProgram();
    const [first] = web.at('/register');
    web.onAuthorize = (params) =>
      params.get('client_id') === 'client-1-of-auth.example' ? refusal() : new Response('<html>');
    endTokens();
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(first).toBeDefined();
    expect(web.at('/register')).toHaveLength(2);
    expect(interaction.visited).toHaveLength(2);
    expect(clientsOf(interaction)[1]).not.toBe('client-1-of-auth.example');
    expect(clientsOf(interaction)[1]).toMatch(/-of-auth\.example$/);
  });

  it.each(unsuspicious)('is kept for %s', async (_, answer) => {
    const { web, provider, interaction, endTokens } = await registeredProgram();
    web.onAuthorize = answer;
    endTokens();
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(web.at('/register')).toHaveLength(1);
    expect(clientsOf(interaction)).toEqual(['client-1-of-auth.example', 'client-1-of-auth.example']);
  });

  it.each(['unauthorized_client', 'invalid_client'])(
    'is replaced once when the browser returns with %s',
    async (error) => {
      const { web, provider, interaction, endTokens } = await registeredProgram();
      endTokens();
      web.onResponse = (response) => {
        response.delete('code');
        response.set('error', error);
      };
      const failure = await failureOf(send(provider, web));
      expect(failure).toMatchObject({ reason: 'not-registered', oauthError: error });
      expect((failure as AuthError).message).toMatch(
        /https:\/\/auth\.example does not accept the client that was just registered there: /,
      );
      expect(web.at('/register')).toHaveLength(2);
      // Not for each request.
      await failureOf(send(provider, web));
      expect(web.at('/register')).toHaveLength(2);
      expect(interaction.visited).toHaveLength(3);
    },
  );

  it('is replaced once when each registration is refused at the authorization endpoint', async () => {
    const { web, provider, interaction, endTokens } = await registeredProgram();
    web.onAuthorize = json(400, { error: 'invalid_client' });
    endTokens();
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(web.at('/register')).toHaveLength(2);
    expect(interaction.visited).toHaveLength(2);
  });

  it('sends the check its own state and challenge, and follows no redirect', async () => {
    const { web, provider, interaction, endTokens } = await registeredProgram();
    web.onAuthorize = redirect('https://auth.example/next');
    endTokens();
    await send(provider, web);
    const [check] = web.at('/authorize');
    const [visit] = interaction.visited.slice(-1);
    for (const name of ['client_id', 'redirect_uri', 'scope', 'resource'])
      expect(check?.url.searchParams.get(name)).toBe(visit?.searchParams.get(name));
    for (const name of ['state', 'code_challenge'])
      expect(check?.url.searchParams.get(name)).not.toBe(visit?.searchParams.get(name));
    expect(web.seen.filter(({ url }) => url.pathname === '/next')).toEqual([]);
  });

  it('is replaced before the user of a web application is redirected', async () => {
    const web = new CodeFlowWeb();
    const store = new MemoryAuthStore();
    const visitOf = async (account: string) => {
      const interaction = webInteraction({ redirectUri: 'https://app.example/callback', session: account });
      const failure = await failureOf(
        send(begin(web, { client: { name: 'Tests' }, interaction, store, account }), web),
      );
      return new URL((failure as AuthError).authorizationUrl ?? 'about:blank').searchParams.get('client_id');
    };
    const first = await visitOf('ada');
    web.onAuthorize = (params) => page(params.get('client_id') === first ? 400 : 200)();
    const second = await visitOf('bob');
    expect(second).not.toBe(first);
    expect(await visitOf('eve')).toBe(second);
  });

  it('is not checked for a client that was registered by hand, or just now', async () => {
    const web = new CodeFlowWeb();
    await send(begin(web), web);
    await send(begin(web, { client: { name: 'Tests' } }), web);
    expect(web.at('/authorize')).toEqual([]);
  });

  it('is forgotten by a sign-out', async () => {
    const { web, provider } = await registeredProgram();
    await provider.signOut(serverUrl);
    await provider.signIn(serverUrl);
    expect(web.at('/register')).toHaveLength(2);
  });

  it('is kept at a sign-out if other users share it', async () => {
    const { web, provider } = await registeredProgram({ account: 'ada' });
    await provider.signOut(serverUrl);
    await provider.signIn(serverUrl);
    expect(web.at('/register')).toHaveLength(1);
  });

  it('is not needed to refresh the tokens of an earlier registration', async () => {
    const memory = new MemoryAuthStore();
    let isLost = false;
    const store: AuthStore = {
      get: (key) => (isLost && key.startsWith('client:') ? undefined : memory.get(key)),
      swap: (...change) => memory.swap(...change),
    };
    const { web, provider, clock, interaction } = await registeredProgram({ store });
    // By a sign-out from another server with the same authorization server.
    isLost = true;
    clock.stall(2 * hour);
    expect(await send(provider, web)).toEqual({ status: 200 });
    expect(interaction.visited).toHaveLength(1);
    expect(web.at('/token').at(-1)?.form).toMatchObject({
      grant_type: 'refresh_token',
      client_id: 'client-1-of-auth.example',
    });
  });
});

/** A program that has registered dynamically, with a user who has signed in. */
async function registeredProgram(more: Partial<OauthOptions> = {}) {
  const web = new CodeFlowWeb();
  const clock = new FakeClock();
  const interaction = web.interaction();
  const provider = begin(web, { interaction, clock, client: { name: 'Tests' }, ...more });
  await send(provider, web);
  const endTokens = () => {
    clock.stall(2 * hour);
    web.onToken = (form) =>
      form.has('refresh_token') ? { status: 400, body: { error: 'invalid_grant' } } : undefined;
  };
  return { web, clock, interaction, provider, endTokens };
}

function clientsOf({ visited }: { readonly visited: readonly URL[] }): (string | null)[] {
  return visited.map(({ searchParams }) => searchParams.get('client_id'));
}

/** A program with a user who has signed in. */
async function signedIn() {
  const web = new CodeFlowWeb();
  const clock = new FakeClock();
  const interaction = web.interaction();
  const provider = begin(web, { interaction, clock });
  await send(provider, web);
  const refreshes = () => web.at('/token').filter(({ form }) => form.grant_type === 'refresh_token').length;
  return { web, clock, interaction, provider, refreshes };
}
