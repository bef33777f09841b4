import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { CodeFlowWeb } from '../../test/client/code-flow-web.js';
import { failureOf } from '../../test/client/grant-tools.js';
import { begin, send } from '../../test/client/user-program.js';
import { visit } from '../../test/desktop/loopback-visitor.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { type DesktopInteractionOptions, desktopInteraction } from './loopback-interaction.js';

type Asked = readonly string[];

/** The redirect URIs that authorization servers register, given the requested ones, and the one that the sign-in uses. */
const registrations: readonly (readonly [string, (asked: Asked) => Asked | undefined, RegExp])[] = [
  ['the requested ones', (asked) => asked, /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
  ['none in its response', () => undefined, /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
  ['the first one only', ([first = '']) => [first], /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
  ['localhost without a port', () => ['http://localhost/callback'], /^http:\/\/localhost:\d+\/callback$/],
  ['another path', () => ['http://127.0.0.1/oauth/back'], /^http:\/\/127\.0\.0\.1:\d+\/oauth\/back$/],
  ['no path', () => ['http://localhost'], /^http:\/\/localhost:\d+$/],
  ['an address of IPv6', () => ['http://[::1]/callback'], /^http:\/\/\[::1\]:\d+\/callback$/],
  [
    'addresses of its own besides',
    (asked) => ['https://auth.example/done', 'myapp://callback', ...asked],
    /^http:\/\/127\.0\.0\.1:\d+\/callback$/,
  ],
];

describe('a desktop program at an authorization server that registers', () => {
  it.each(registrations)('%s returns to the registered redirect URI', async (...[, registered, used]) => {
    const { web, redirects, sign } = program();
    web.onRegister = ({ redirect_uris: asked, ...rest }) => ({
      ...rest,
      redirect_uris: registered(asked as Asked),
    });
    expect(await sign()).toEqual({ status: 200 });
    expect(redirects).toEqual([expect.stringMatching(used)]);
  });

  it('a fixed port returns to that port', async () => {
    const { web, redirects, sign } = program();
    const fixed = `http://127.0.0.1:${await freePort()}/cb`;
    web.onRegister = (rest) => ({ ...rest, redirect_uris: [fixed] });
    expect(await sign()).toEqual({ status: 200 });
    expect(redirects).toEqual([fixed]);
  });

  it.each([
    ['only addresses of its own', ['https://auth.example/done', 'myapp://callback']],
    ['an address with a query', ['http://127.0.0.1/callback?x=1']],
    ['an address with an escape sequence', ['\u001b[31mhttp://evil.example']],
  ])('%s fails, with the redirect URIs in the error', async (_, redirect_uris) => {
    const { web, sign } = program();
    web.onRegister = (rest) => ({ ...rest, redirect_uris });
    expect(await failureOf(sign())).toMatchObject({
      reason: 'not-registered',
      message: expect.stringMatching(/^[ -~]*registered the client with the redirect URIs [ -~]+$/),
    });
    // The unusable registration is not stored.
    web.onRegister = undefined;
    expect(await sign()).toEqual({ status: 200 });
  });
});

describe('a desktop program at an authorization server that compares ports', () => {
  it('returns to the registered port, also in the next process', async () => {
    const { redirects, sign, registeredOnly } = program();
    registeredOnly();
    expect(await sign()).toEqual({ status: 200 });
    expect(await sign('another user')).toEqual({ status: 200 });
    expect(redirects).toHaveLength(2);
    expect(redirects[1]).toBe(redirects[0]);
  });

  it('uses another port if the registered one is taken', async () => {
    const { redirects, sign } = program();
    await sign();
    const taken = createServer().listen(Number(new URL(redirects[0] ?? '').port), '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    expect(await sign('another user')).toEqual({ status: 200 });
    expect(redirects[1]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(redirects[1]).not.toBe(redirects[0]);
  });

  it('registers one redirect URI alone if it rejects several', async () => {
    const { web, sign } = program();
    web.onRegister = (asked) =>
      (asked.redirect_uris as Asked).length === 1
        ? asked
        : Response.json({ error: 'invalid_redirect_uri' }, { status: 400 });
    expect(await sign()).toEqual({ status: 200 });
    expect(web.at('/register').map(({ body }) => JSON.parse(body).redirect_uris.length)).toEqual([2, 1]);
  });

  it('registers only the port of the option redirectUri', async () => {
    const redirectUri = `http://localhost:${await freePort()}/callback`;
    const { web, sign, redirects } = program({ redirectUri });
    expect(await sign()).toEqual({ status: 200 });
    expect(JSON.parse(web.at('/register')[0]?.body ?? '').redirect_uris).toEqual([redirectUri]);
    expect(redirects).toEqual([redirectUri]);
  });
});

/** A program with a user who signs in with the browser of this machine. */
function program(options: DesktopInteractionOptions = {}) {
  const web = new CodeFlowWeb();
  const store = new MemoryAuthStore();
  const clock = new FakeClock();
  /** The redirect URIs in the order of the sign-ins. */
  const redirects: string[] = [];
  let known: Asked | undefined;
  const open = async (url: string) => {
    const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? '';
    redirects.push(redirectUri);
    const back = web.visit(url);
    if (known?.includes(redirectUri) === false) {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'server_error');
    }
    await visit(back.href);
  };
  return {
    ...{ web, redirects },
    /** Signs a user in, in a new process with the same store. */
    sign(account = 'ada') {
      const interaction = desktopInteraction({ open, onUrl: () => {}, clock, ...options });
      return send(begin(web, { store, clock, interaction, account, client: { name: 'Tests' } }), web);
    },
    /** Compares redirect URIs with the registered ones, ports included. */
    registeredOnly() {
      known = [];
      web.onRegister = (registered) => {
        known = registered.redirect_uris as Asked;
        return registered;
      };
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
