import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { arrives, beginSignIn, subject, url } from '../../test/desktop-sign-in.js';
import { listen } from '../../test/http-server.js';
import { isListening, visit } from '../../test/loopback-visitor.js';
import { ManualClock } from '../../test/manual-clock.js';
import { AuthError } from '../auth-error.js';
import type { SignIn } from '../client/interaction.js';
import { type DesktopInteractionOptions, desktopInteraction } from './loopback-interaction.js';
import type { SignInNotice } from './sign-in-notice.js';

let notices: SignInNotice[];
let opened: string[];
let clock: ManualClock;

beforeEach(() => {
  notices = [];
  opened = [];
  clock = new ManualClock();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function begin(options: DesktopInteractionOptions = {}): Promise<SignIn> {
  return beginSignIn({
    open: (address) => void opened.push(address),
    onUrl: (notice) => void notices.push(notice),
    clock,
    ...options,
  });
}

describe('a sign-in on a desktop', () => {
  it('gives the whole address that the browser is sent back to, and says how it ended', async () => {
    const signIn = await begin({ name: 'Notes' });
    expect(signIn.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const response = signIn.authorize({ url, state: 'right' });
    const page = visit(`${signIn.redirectUri}?code=c&state=right&iss=https%3A%2F%2Fauth.example`);
    expect((await response).href).toBe(
      `${signIn.redirectUri}?code=c&state=right&iss=https%3A%2F%2Fauth.example`,
    );
    await signIn.end();
    const { status, body } = await page;
    expect(status).toBe(200);
    expect(body).toContain('<h1>You are signed in</h1>');
    expect(body).toContain('You can close this tab and go back to Notes.');
    expect(await isListening(signIn.redirectUri)).toBe(false);
    expect(clock.waiting).toEqual([]);
  });

  it.each([
    [new AuthError('denied', 'The user said no.'), 'Access was refused'],
    [new AuthError('denied', 'x', { oauthError: 'access_denied' }), 'Access was refused'],
    [new AuthError('denied', 'x', { oauthError: 'server_error' }), 'Signing in did not work'],
    [new AuthError('bad-response', 'secret detail'), 'Signing in did not work'],
    [new Error('secret detail'), 'Signing in did not work'],
  ])('shows in the browser that it ended with %s', async (failure, title) => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const page = visit(`${signIn.redirectUri}?error=access_denied&error_description=<b>evil</b>&state=right`);
    expect((await response).searchParams.get('error')).toBe('access_denied');
    await signIn.end(failure);
    const { status, body } = await page;
    expect(status).toBe(200);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).not.toMatch(/evil|access_denied|right|secret detail|script/);
  });

  it('shows a page that runs nothing, loads nothing and is kept by nobody', async () => {
    const signIn = await begin();
    void signIn.authorize({ url, state: 'right' });
    const page = visit(`${signIn.redirectUri}?code=c&state=right`);
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    const stray = await visit(`${signIn.redirectUri}?code=c&state=wrong`);
    await signIn.end();
    for (const { headers, body } of [await page, stray]) {
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).not.toMatch(/<script|javascript:|https?:/);
    }
  });

  it('shows pages of the program, and its name as text', async () => {
    const program = { name: '<b>&"Notes"', pages: { refused: '<!doctype html>No.' } };
    const signIn = await begin(program);
    const response = signIn.authorize({ url, state: 'right' });
    const page = visit(`${signIn.redirectUri}?state=right`);
    await response;
    await signIn.end(new AuthError('denied', 'no'));
    expect((await page).body).toBe('<!doctype html>No.');
    const other = await begin(program);
    const later = other.authorize({ url, state: 'right' });
    const second = visit(`${other.redirectUri}?state=right`);
    await later;
    await other.end();
    expect((await second).body).toContain('go back to &#60;b&#62;&#38;&#34;Notes&#34;.');
  });

  it('shows the outcome to a browser that asked twice for the same', async () => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const pages = [
      visit(`${signIn.redirectUri}?code=c&state=right`),
      visit(`${signIn.redirectUri}?code=c&state=right`),
    ];
    await response;
    // The third is answered at once, so the two before it have arrived.
    expect((await visit(`${signIn.redirectUri}?code=other&state=right`)).status).toBe(400);
    await signIn.end();
    for (const page of pages) expect((await page).body).toContain('You are signed in');
  });
});

describe('a sign-in that comes to nothing', () => {
  it('because the browser never comes', async () => {
    const signIn = await begin({ timeout: 300_000 });
    const response = signIn.authorize({ url, state: 'right' });
    const failed = expect(response).rejects.toMatchObject({
      reason: 'timeout',
      message: 'Nobody signed in within 5 minutes.',
    });
    await clock.advance(299_999);
    expect(await isListening(signIn.redirectUri)).toBe(true);
    await clock.advance(1);
    await failed;
    await signIn.end(new AuthError('timeout', 'late'));
    expect(await isListening(signIn.redirectUri)).toBe(false);
  });

  it('because nobody wants it any more', async () => {
    const signIn = await begin();
    const controller = new AbortController();
    const response = signIn.authorize({ url, state: 'right', signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(response).rejects.toThrow('enough');
    expect(clock.waiting).toEqual([]);
    await expect(signIn.authorize({ url, state: 'right', signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(opened).toHaveLength(1);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vbscript:x',
    'http://auth.example/authorize',
    'https://user:password@auth.example/authorize',
    'ssh://auth.example',
  ])('because of its address: %s', async (address) => {
    const signIn = await begin();
    const response = signIn.authorize({ url: new URL(address), state: 'right' });
    await expect(response).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect([...opened, ...notices]).toEqual([]);
  });

  it('because too many wait already', async () => {
    const interaction = desktopInteraction({ waiting: 2, open: false, onUrl: () => {} });
    const [first, second] = [await interaction.begin(subject), await interaction.begin(subject)];
    await expect(Promise.resolve(interaction.begin(subject))).rejects.toMatchObject({
      reason: 'interaction-failed',
      message: '2 sign-ins wait already; finish some of them first.',
    });
    await first.end();
    const third = await interaction.begin(subject);
    for (const one of [second, third]) await one.end();
  });

  it('because its port is taken', async () => {
    const port = await listen(createServer());
    await expect(begin({ redirectUri: `http://127.0.0.1:${port}/callback` })).rejects.toMatchObject({
      reason: 'interaction-failed',
      message: `Port ${port} of this machine cannot be listened on (EADDRINUSE): another sign-in or program has it. Try again later, or give a redirectUri without a port.`,
    });
  });
});

describe('where the browser is sent back to', () => {
  it.each([
    ['http://127.0.0.1/callback', /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
    ['http://localhost/oauth/callback', /^http:\/\/localhost:\d+\/oauth\/callback$/],
    ['http://[::1]/callback', /^http:\/\/\[::1\]:\d+\/callback$/],
    ['http://127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+\/$/],
  ])('is a port of %s', async (redirectUri, expected) => {
    expect(desktopInteraction({ redirectUri }).redirectUris).toEqual([redirectUri]);
    const signIn = await begin({ redirectUri });
    expect(signIn.redirectUri).toMatch(expected);
    await arrives(signIn, signIn.authorize({ url, state: 'right' }));
  });

  it('is the port that was given', async () => {
    const probe = createServer();
    const port = await listen(probe);
    await new Promise((resolve) => probe.close(resolve));
    const signIn = await begin({ redirectUri: `http://127.0.0.1:${port}/callback` });
    expect(signIn.redirectUri).toBe(`http://127.0.0.1:${port}/callback`);
  });

  it("by a name is nobody else's, whichever address the name stands for", async () => {
    const signIn = await begin({ redirectUri: 'http://localhost/callback' });
    const { port } = new URL(signIn.redirectUri);
    expect(await isListening(`http://127.0.0.1:${port}`)).toBe(true);
    expect(await isListening(`http://[::1]:${port}`)).toBe(true);
  });

  it.each([
    'https://127.0.0.1/callback',
    'http://example.com/callback',
    'http://0.0.0.0/callback',
    'http://127.0.0.1/callback?x=1',
    'http://127.0.0.1/callback#x',
    'http://user@127.0.0.1/callback',
    'callback',
  ])('is not %s', (redirectUri) => {
    expect(() => desktopInteraction({ redirectUri })).toThrow(
      'redirectUri must be like http://127.0.0.1/callback',
    );
  });
});

describe('how the user gets to the page', () => {
  it('is told before a browser opens it', async () => {
    const order: string[] = [];
    const signIn = await begin({
      open: () => void order.push('opened'),
      onUrl: () => void order.push('told'),
    });
    void signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(order).toEqual(['told', 'opened']));
  });

  it('is in words, with the address by itself', async () => {
    const signIn = await begin();
    void signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(opened).toEqual([url.href]));
    expect(notices).toEqual([
      {
        url: url.href,
        subject,
        isOpening: true,
        text: `To sign in for https://mcp.example/mcp, go on in the browser. If it shows no page to sign in, open this one on this machine:\n${url.href}`,
      },
    ]);
  });

  it('is told again when no browser could be opened, and the wait goes on', async () => {
    const signIn = await begin({ open: () => Promise.reject(new Error('no browser')) });
    const response = signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(notices.map(({ isOpening }) => isOpening)).toEqual([true, false]));
    expect(notices[1]?.text).toBe(
      `No browser could be opened. To sign in for https://mcp.example/mcp, open this page in a browser on this machine:\n${url.href}`,
    );
    await arrives(signIn, response);
  });

  it('is told alone where no browser is wanted', async () => {
    const signIn = await begin({ open: false });
    const response = signIn.authorize({ url, state: 'right' });
    expect(notices.map(({ isOpening }) => isOpening)).toEqual([false]);
    await arrives(signIn, response);
  });

  it('is told with the port to forward over SSH, and written to stderr', async () => {
    vi.stubEnv('CI', undefined);
    vi.stubEnv('SSH_CONNECTION', '192.0.2.1 22 192.0.2.2 22');
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const interaction = desktopInteraction({ clock });
    const signIn = await interaction.begin(subject);
    const response = signIn.authorize({ url, state: 'right' });
    const { port } = new URL(signIn.redirectUri);
    expect(written.mock.calls).toEqual([
      [
        `To sign in for https://mcp.example/mcp, open this page in a browser on this machine:\n${url.href}\n` +
          `The page leads back to port ${port} of this machine. If the browser is on another one, forward that first: ssh -L ${port}:127.0.0.1:${port} ...`,
      ],
    ]);
    await arrives(signIn, response);
  });

  it('survives a hook that throws', async () => {
    const signIn = await begin({
      onUrl() {
        throw new Error('broken log');
      },
    });
    await arrives(signIn, signIn.authorize({ url, state: 'right' }));
  });
});

it.each([
  [{ port: 1 }, 'there is no option "port"'],
  [{ pages: { success: 'x' } }, 'there is no option "success"'],
  [{ timeout: 0 }, 'timeout must be a positive number'],
  [{ open: true }, 'open must be a function, or false'],
])('refuses %o', (options, message) => {
  expect(() => desktopInteraction(options as DesktopInteractionOptions)).toThrow(message);
});
