import { afterEach, expect, test } from 'vitest';
import { startTestAuthorizationServer } from '../oauth.js';
import { scriptedBrowser } from './scripted-browser.js';
import type { TestAuthorizationServer } from './test-authorization-server.js';

const redirectUri = 'http://127.0.0.1/callback';
let server: TestAuthorizationServer | undefined;

afterEach(() => server?.close());

/** Returns the sign-in URL of a server that identifies users by a header of their browser. */
async function signInPage(): Promise<URL> {
  server = await startTestAuthorizationServer({
    clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
    user: ({ params, headers }) => params.login_hint ?? headers.cookie ?? 'deny',
  });
  const page = new URL(server.issuer);
  page.pathname = '/authorize';
  page.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: redirectUri,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      state: 's',
    }),
  );
  return page;
}

test('returns with a code, or with an error, depending on the user', async () => {
  const url = await signInPage();
  const browser = scriptedBrowser({ user: 'ada' });
  const back = await browser.begin().authorize({ url });
  expect(back.href.startsWith(`${redirectUri}?`)).toBe(true);
  expect(back.searchParams.get('state')).toBe('s');
  expect(back.searchParams.get('code')).not.toBeNull();
  expect(browser.opened).toEqual([url]);

  const known = await scriptedBrowser({ headers: { cookie: 'ada' } })
    .begin()
    .authorize({ url });
  expect(known.searchParams.has('code')).toBe(true);
  const refused = await scriptedBrowser().begin().authorize({ url });
  expect(refused.searchParams.get('error')).toBe('access_denied');
});

/** Pages by path, and the redirect of each. */
function leading(pages: Readonly<Record<string, string>>) {
  return async (page: string) => {
    const location = pages[new URL(page).pathname];
    return location === undefined
      ? new Response('Press the button.', { status: 200 })
      : new Response('Go on.', { status: 302, headers: { location } });
  };
}

const url = new URL('https://auth.example/authorize');

test('follows redirects, and stops at its redirect URI', async () => {
  const pages = { '/authorize': '/login', '/login': 'https://sso.example/x', '/x': `${redirectUri}?code=1` };
  const back = (address: URL) => new URL(`${address.href}&more=2`);
  const browser = scriptedBrowser({ fetch: leading(pages), back });
  const came = await browser.begin().authorize({ url });
  expect(came.href).toBe(`${redirectUri}?code=1&more=2`);
});

test('rejects a page without a redirect, and an endless chain of redirects', async () => {
  const stays = scriptedBrowser({ fetch: leading({}) }).begin();
  await expect(stays.authorize({ url })).rejects.toThrow(
    'https://auth.example does not redirect to the client: it answered 200: Press the button.',
  );
  const turns = scriptedBrowser({ fetch: leading({ '/authorize': '/authorize' }) }).begin();
  await expect(turns.authorize({ url })).rejects.toThrow(
    'The pages of https://auth.example do not lead back to the client: stopped after 10.',
  );
});

test('uses the given redirect URI and application type', () => {
  const web = scriptedBrowser({ redirectUri: 'https://app.example/back', applicationType: 'web' });
  expect(web).toMatchObject({ redirectUris: ['https://app.example/back'], applicationType: 'web' });
  expect(web.begin().redirectUri).toBe('https://app.example/back');
});
