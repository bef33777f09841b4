import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { arrives, beginSignIn, subject, url } from '../../test/desktop/desktop-sign-in.js';
import { isListening, visit } from '../../test/desktop/loopback-visitor.js';
import { listen } from '../../test/http/http-server.js';
import { AuthError } from '../auth-error.js';
import type { SignIn } from '../oauth/interaction.js';
import { type DesktopInteractionOptions, desktopInteraction } from './loopback-interaction.js';
import type { SignInNotice } from './sign-in-notice.js';

let notices: SignInNotice[];
let opened: string[];
let clock: FakeClock;

beforeEach(() => {
  notices = [];
  opened = [];
  clock = new FakeClock();
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

describe('desktopInteraction', () => {
  it('returns the whole URL of the redirect, and shows the result in the browser', async () => {
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
    [new AuthError('denied', 'The user denied access.'), 'Access was refused'],
    [new AuthError('denied', 'x', { oauthError: 'access_denied' }), 'Access was refused'],
    [new AuthError('denied', 'x', { oauthError: 'server_error' }), 'Signing in did not work'],
    [new AuthError('bad-response', 'secret detail'), 'Signing in did not work'],
    [new Error('secret detail'), 'Signing in did not work'],
  ])('shows in the browser that the sign-in ended with %s', async (failure, title) => {
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

  it('shows a page that runs nothing, loads nothing and is not cached', async () => {
    shows('2026-07-28/security-best-practices/content-security-policy');
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

  it('shows the pages of the options, and escapes the name of the program', async () => {
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

  it('shows the result in each browser tab that waits', async () => {
    const signIn = await begin();
    const response = signIn.authorize({ url, state: 'right' });
    const pages = [
      visit(`${signIn.redirectUri}?code=c&state=right`),
      visit(`${signIn.redirectUri}?code=c&state=right`),
    ];
    await response;
    // The third request is answered at once, so the first two have arrived by then.
    expect((await visit(`${signIn.redirectUri}?code=other&state=right`)).status).toBe(400);
    await signIn.end();
    for (const page of pages) expect((await page).body).toContain('You are signed in');
  });
});

describe('desktopInteraction rejects', () => {
  it('after the time limit', async () => {
    const signIn = await begin({ timeout: 300_000 });
    const response = signIn.authorize({ url, state: 'right' });
    const failed = expect(response).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The user did not sign in within 5 minutes.',
    });
    await clock.advance(299_999);
    expect(await isListening(signIn.redirectUri)).toBe(true);
    await clock.advance(1);
    await failed;
    await signIn.end(new AuthError('timeout', 'late'));
    expect(await isListening(signIn.redirectUri)).toBe(false);
  });

  it('with the reason of the signal', async () => {
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
  ])('the URL %s', async (address) => {
    const signIn = await begin();
    const response = signIn.authorize({ url: new URL(address), state: 'right' });
    await expect(response).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect([...opened, ...notices]).toEqual([]);
  });

  it('a sign-in if too many are waiting', async () => {
    const interaction = desktopInteraction({ open: false, onUrl: () => {} });
    const [first, ...others] = await Promise.all(
      Array.from({ length: 32 }, () => interaction.begin(subject)),
    );
    await expect(Promise.resolve(interaction.begin(subject))).rejects.toMatchObject({
      reason: 'interaction-failed',
      message: '32 sign-ins are already waiting; finish some of them first.',
    });
    await first?.end();
    const last = await interaction.begin(subject);
    for (const one of [...others, last]) await one.end();
  });

  it('a sign-in if its port is in use', async () => {
    const port = await listen(createServer());
    await expect(begin({ redirectUri: `http://127.0.0.1:${port}/callback` })).rejects.toMatchObject({
      reason: 'interaction-failed',
      message: `Port ${port} of this machine cannot be opened (EADDRINUSE): another sign-in or program uses it. Try again later, or set a redirectUri without a port.`,
    });
  });
});

describe('redirect URI', () => {
  it.each([
    ['http://127.0.0.1/callback', /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
    ['http://localhost/oauth/callback', /^http:\/\/localhost:\d+\/oauth\/callback$/],
    ['http://[::1]/callback', /^http:\/\/\[::1\]:\d+\/callback$/],
    ['http://127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
  ])('uses a free port for %s', async (redirectUri, expected) => {
    expect(desktopInteraction({ redirectUri }).redirectUris).toEqual([redirectUri]);
    const signIn = await begin({ redirectUri });
    expect(signIn.redirectUri).toMatch(expected);
    await arrives(signIn, signIn.authorize({ url, state: 'right' }));
  });

  it('uses the port of the options', async () => {
    const probe = createServer();
    const port = await listen(probe);
    await new Promise((resolve) => probe.close(resolve));
    const signIn = await begin({ redirectUri: `http://127.0.0.1:${port}/callback` });
    expect(signIn.redirectUri).toBe(`http://127.0.0.1:${port}/callback`);
  });

  it('with localhost is open at both loopback addresses', async () => {
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
  ])('cannot be %s', (redirectUri) => {
    expect(() => desktopInteraction({ redirectUri })).toThrow(
      'redirectUri must be like http://127.0.0.1/callback',
    );
  });
});

describe('sign-in notice', () => {
  it('comes before the browser opens', async () => {
    const order: string[] = [];
    const signIn = await begin({
      open: () => void order.push('opened'),
      onUrl: () => void order.push('told'),
    });
    void signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(order).toEqual(['told', 'opened']));
  });

  it('contains text with the URL on its own line', async () => {
    const signIn = await begin();
    void signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(opened).toEqual([url.href]));
    expect(notices).toEqual([
      {
        url: url.href,
        subject,
        isOpening: true,
        text: `To sign in for https://mcp.example/mcp, continue in the browser. If it shows no sign-in page, open this URL on this machine:\n${url.href}`,
      },
    ]);
  });

  it('comes again if no browser could be opened, and the sign-in goes on', async () => {
    const signIn = await begin({ open: () => Promise.reject(new Error('no browser')) });
    const response = signIn.authorize({ url, state: 'right' });
    await vi.waitFor(() => expect(notices.map(({ isOpening }) => isOpening)).toEqual([true, false]));
    expect(notices[1]?.text).toBe(
      `No browser could be opened. To sign in for https://mcp.example/mcp, open this URL in a browser on this machine:\n${url.href}`,
    );
    await arrives(signIn, response);
  });

  it('comes alone with open: false', async () => {
    const signIn = await begin({ open: false });
    const response = signIn.authorize({ url, state: 'right' });
    expect(notices.map(({ isOpening }) => isOpening)).toEqual([false]);
    await arrives(signIn, response);
  });

  it('contains the port to forward over SSH, and is written to stderr', async () => {
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
        `To sign in for https://mcp.example/mcp, open this URL in a browser on this machine:\n${url.href}\n` +
          `The sign-in ends at port ${port} of this machine. If the browser is on another machine, forward the port first: ssh -L ${port}:127.0.0.1:${port} ...`,
      ],
    ]);
    await arrives(signIn, response);
  });

  it('is ignored if onUrl throws', async () => {
    const signIn = await begin({
      onUrl() {
        throw new Error('broken log');
      },
    });
    await arrives(signIn, signIn.authorize({ url, state: 'right' }));
  });
});

describe('sign-in with a code on another device', () => {
  const code = {
    subject,
    userCode: 'WDJB-MJHT',
    verificationUri: new URL('https://auth.example/code'),
    verificationUriComplete: new URL("https://auth.example/code?user_code=WDJB-MJHT&x='"),
    lifetime: 900_000,
  };

  it('shows the code, the URLs and the time in a notice, and opens nothing', async () => {
    const { device } = desktopInteraction({
      device: true,
      open: (address) => void opened.push(address),
      onUrl: (notice) => void notices.push(notice),
    });
    await device?.show(code);
    await device?.show({ ...code, verificationUriComplete: undefined, lifetime: 60_000 });
    const complete = 'https://auth.example/code?user_code=WDJB-MJHT&x=%27';
    const start =
      'To sign in for https://mcp.example/mcp, open this URL on any device, and enter the code WDJB-MJHT:\nhttps://auth.example/code\n';
    const common = { subject, userCode: 'WDJB-MJHT', isOpening: false };
    expect(notices).toEqual([
      {
        ...common,
        url: complete,
        text: `${start}Or open this URL, and check that the page shows the same code:\n${complete}\nThe code is valid for 15 minutes.`,
      },
      { ...common, url: 'https://auth.example/code', text: `${start}The code is valid for 60 seconds.` },
    ]);
    expect(opened).toEqual([]);
  });

  it('writes the notice to stderr by default, and passes the time limit on', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const { device } = desktopInteraction({ device: true, timeout: 5_000 });
    await device?.show(code);
    expect(written.mock.calls).toEqual([[expect.stringContaining('enter the code WDJB-MJHT:')]]);
    expect(device?.timeout).toBe(5_000);
    expect(desktopInteraction({ device: false }).device).toBeUndefined();
  });

  it('fails if onUrl throws, because the user does not know the code', async () => {
    const onUrl = () => Promise.reject(new Error('broken log')) as unknown as undefined;
    const { device } = desktopInteraction({ device: true, onUrl });
    await expect(device?.show(code)).rejects.toThrow('broken log');
  });

  it('shows no URL that a program could interpret', async () => {
    const { device } = desktopInteraction({ device: true, onUrl: (notice) => void notices.push(notice) });
    const verificationUri = new URL('https://auth.example/code;$(id)');
    expect(() => device?.show({ ...code, verificationUri })).toThrow('not allowed');
    expect(notices).toEqual([]);
  });
});

it.each([
  [{ device: 'phone' }, 'device must be true or false'],
  [{ port: 1 }, 'there is no option "port"'],
  [{ pages: { success: 'x' } }, 'there is no option "success"'],
  [{ timeout: 0 }, 'timeout must be a positive number'],
  [{ open: true }, 'open must be a function, or false'],
])('rejects the options %o', (options, message) => {
  expect(() => desktopInteraction(options as DesktopInteractionOptions)).toThrow(message);
});
