import { beforeEach, describe, expect, it } from 'vitest';
import { serverUrl } from '../../test/client/authorizer-rig.js';
import { codes, DeviceRig } from '../../test/client/device-rig.js';
import { allTextsOf, failureOf } from '../../test/client/grant-tools.js';
import { begin, clientId, send } from '../../test/client/user-program.js';
import type { OauthOptions } from '../providers/oauth.js';
import { MemoryAuthStore } from '../store/memory-store.js';

const minute = 60_000;
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
let rig: DeviceRig;

beforeEach(() => {
  rig = new DeviceRig();
});

describe('a sign-in with a code on another device', () => {
  it('shows the code, and requests tokens for the client, the scopes and the resource', async () => {
    rig.web.resource = { resource: serverUrl.href, scopes_supported: ['read'] };
    rig.web.metadata = { scopes_supported: ['read', 'offline_access'] };
    const store = new MemoryAuthStore();
    await rig.signIn({ store });
    expect(rig.web.at('/device').map(({ form }) => form)).toEqual([
      { client_id: clientId, scope: 'read offline_access', resource: serverUrl.href },
    ]);
    expect(rig.shown).toEqual([
      {
        subject: {
          resource: serverUrl.href,
          issuer: 'https://auth.example',
          scopes: ['read', 'offline_access'],
        },
        userCode: 'WDJB-MJHT',
        verificationUri: new URL(codes.verification_uri),
        verificationUriComplete: new URL(codes.verification_uri_complete),
        lifetime: 15 * minute,
      },
    ]);
    expect(rig.web.at('/token').map(({ form }) => form)).toEqual([
      {
        grant_type: grantType,
        device_code: codes.device_code,
        client_id: clientId,
        resource: serverUrl.href,
      },
    ]);
    const provider = rig.program({ store });
    expect(await send(provider, rig.web)).toEqual({ status: 200 });
    expect(await provider.signedIn(serverUrl)).toMatchObject({
      issuer: 'https://auth.example',
      isRenewable: true,
    });
    expect(rig.clock.waiting).toEqual([]);
  });

  it('needs no PKCE and no authorization_endpoint', async () => {
    rig.web.metadata = { authorization_endpoint: undefined, code_challenge_methods_supported: undefined };
    await rig.signIn();
    expect(rig.shown).toHaveLength(1);
  });

  it('shares its tokens with programs that sign in with a browser, and one of them refreshes', async () => {
    const store = new MemoryAuthStore();
    await rig.signIn({ store });
    const interaction = rig.web.interaction();
    const browser = begin(rig.web, { store, clock: rig.clock, interaction });
    rig.clock.stall(2 * 60 * minute);
    const statuses = await Promise.all([send(rig.program({ store }), rig.web), send(browser, rig.web)]);
    expect(statuses).toEqual([{ status: 200 }, { status: 200 }]);
    expect(rig.web.at('/token').map(({ form }) => form.grant_type)).toEqual([grantType, 'refresh_token']);
    expect([rig.shown.length, interaction.visited.length]).toEqual([1, 0]);
  });

  it('authenticates the client at both endpoints, by the method of the token endpoint', async () => {
    const registered = [{ issuer: 'https://auth.example', clientId, clientSecret: 's3cret' }];
    await rig.signIn({ client: { name: 'Tests', registered } });
    const basic = `Basic ${btoa(`${clientId}:s3cret`)}`;
    expect(
      [...rig.web.at('/device'), ...rig.web.at('/token')].map(({ authorization }) => authorization),
    ).toEqual([basic, basic]);
  });
});

describe('the registration of a sign-in on another device', () => {
  const client = { name: 'Tests' };
  const bodies = () => rig.web.at('/register').map(({ body }) => JSON.parse(body));

  it('declares the device grant instead of redirect URIs', async () => {
    await rig.signIn({ client });
    expect(bodies()).toEqual([
      {
        client_name: 'Tests',
        grant_types: [grantType, 'refresh_token'],
        response_types: [],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ]);
  });

  it('does not declare the device grant for a sign-in with a browser', async () => {
    await send(begin(rig.web, { client, clock: rig.clock }), rig.web);
    expect(bodies()).toMatchObject([{ grant_types: ['authorization_code', 'refresh_token'] }]);
  });

  it('is used by programs with a browser to refresh, with its secret', async () => {
    rig.web.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    rig.web.onRegister = (registered) => ({ ...registered, client_secret: 's3cret' });
    const store = new MemoryAuthStore();
    await rig.signIn({ client, store });
    rig.clock.stall(2 * 60 * minute);
    expect(await send(begin(rig.web, { client, store, clock: rig.clock }), rig.web)).toEqual({ status: 200 });
    const [, refreshed] = rig.web.at('/token');
    expect(refreshed?.form.grant_type).toBe('refresh_token');
    expect(refreshed?.authorization).toBe(`Basic ${btoa('client-1-of-auth.example:s3cret')}`);
  });

  it('is deleted by a sign-out of a program with a browser', async () => {
    const store = new MemoryAuthStore();
    await rig.signIn({ client, store });
    await begin(rig.web, { client, store, clock: rig.clock }).signOut(serverUrl);
    await rig.signIn({ client, store });
    expect(bodies()).toHaveLength(2);
  });

  it('is made again when the device authorization endpoint does not know the client', async () => {
    const store = new MemoryAuthStore();
    rig.answers = ['access_denied'];
    await rig.failure(rig.program({ client, store }));
    rig.web.onDevice = (form) =>
      form.get('client_id') === 'client-1-of-auth.example'
        ? { status: 401, body: { error: 'invalid_client' } }
        : { body: codes };
    await rig.signIn({ client, store });
    expect(bodies()).toHaveLength(2);
  });
});

describe('requests for tokens with a device code', () => {
  it('wait 5 s, and 5 s longer after each slow_down', async () => {
    rig.answers = ['authorization_pending', 'slow_down', 'authorization_pending', 'slow_down'];
    expect(await rig.signIn()).toEqual([5_000, 5_000, 10_000, 10_000, 15_000]);
  });

  it.each([
    [7, 7_000],
    ['8', 8_000],
    [0, 5_000],
    [-1, 5_000],
    ['soon', 5_000],
    [0.001, 1_000],
  ])('wait for the interval %j of the server: %i ms', async (interval, ms) => {
    rig.web.onDevice = () => ({ body: { ...codes, interval } });
    rig.answers = ['authorization_pending'];
    expect(await rig.signIn()).toEqual([ms, ms]);
  });

  it('wait twice as long after each failure of the connection, at most a minute, until an answer comes', async () => {
    const broken = new TypeError('fetch failed');
    rig.answers = [broken, broken, broken, broken, broken, 'authorization_pending', 'server_error'];
    expect(await rig.signIn()).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 5_000, 10_000]);
  });

  it('go on after HTTP 503, and end after a page that is not an answer', async () => {
    const statuses = [503, 404];
    rig.web.onToken = () => ({ status: statuses.shift() ?? 200, body: '<html>' });
    expect(await rig.failure()).toMatchObject({ reason: 'unreachable', answerStatus: 404, permanent: true });
    expect(rig.web.at('/token')).toHaveLength(2);
  });

  it('end when the user denies access, without another request for the same scopes', async () => {
    rig.answers = ['authorization_pending', 'access_denied'];
    const provider = rig.program();
    expect(await rig.failure(provider)).toMatchObject({
      reason: 'denied',
      oauthError: 'access_denied',
      permanent: true,
    });
    await expect(send(provider, rig.web)).rejects.toThrow('not requested again');
    expect(rig.web.at('/device')).toHaveLength(1);
    expect(rig.clock.waiting).toEqual([]);
  });

  it('end when the code has expired', async () => {
    rig.answers = ['expired_token'];
    expect(await rig.failure()).toMatchObject({
      reason: 'timeout',
      oauthError: 'expired_token',
      message: expect.stringContaining(
        'The code expired before the user signed in. Start the sign-in again.',
      ),
    });
  });

  it.each([
    ['expires_in', { ...codes, expires_in: 10 }, undefined, 10_000],
    ['the option timeout', codes, 20_000, 20_000],
    [
      '30 minutes without expires_in',
      { ...codes, expires_in: undefined, interval: 60 },
      undefined,
      30 * minute,
    ],
    [
      '30 minutes with a longer expires_in',
      { ...codes, expires_in: 1e9, interval: 60 },
      undefined,
      30 * minute,
    ],
    [
      '30 minutes with a longer option',
      { ...codes, expires_in: 1e9, interval: 60 },
      60 * minute,
      30 * minute,
    ],
  ])('end after %s, whatever the server answers', async (...[, body, timeout, ms]) => {
    rig.web.onDevice = () => ({ body });
    rig.web.onToken = () => ({ status: 400, body: { error: 'authorization_pending' } });
    const begun = rig.clock.now();
    expect(await rig.failure(rig.program({ interaction: rig.interaction({ timeout }) }))).toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('did not sign in within'),
    });
    expect(rig.clock.now() - begun).toBe(ms);
    expect(rig.shown[0]?.lifetime).toBe(ms);
    expect(rig.clock.waiting).toEqual([]);
  });

  it('end when the caller aborts', async () => {
    rig.web.onToken = () => ({ status: 400, body: { error: 'authorization_pending' } });
    const stop = new AbortController();
    let next = rig.clock.wait();
    const failed = failureOf(rig.program().signIn(serverUrl, { signal: stop.signal }));
    const first = await next;
    next = rig.clock.wait();
    await rig.clock.advance(first);
    await next;
    stop.abort(new Error('Ctrl-C'));
    expect(await failed).toMatchObject({ message: 'Ctrl-C' });
    await rig.clock.advance(minute);
    expect(rig.web.at('/token')).toHaveLength(1);
    expect(rig.clock.waiting).toEqual([]);
  });

  it('do not start when the code could not be shown', async () => {
    const cause = new Error('no screen');
    const interaction = rig.interaction({ show: () => Promise.reject(cause) });
    expect(await rig.failure(rig.program({ interaction }))).toMatchObject({
      reason: 'interaction-failed',
      cause,
    });
    expect(rig.web.at('/token')).toEqual([]);
  });

  it('have errors without the device code', async () => {
    rig.web.onToken = (form) => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: `${form.get('device_code')} is unknown` },
    });
    const error = await rig.failure();
    expect(error).toMatchObject({ oauthError: 'invalid_grant' });
    expect(allTextsOf(error)).not.toContain(codes.device_code);
  });
});

it('says what to do when the server has no device authorization endpoint, and registers nothing', async () => {
  rig.web.onDevice = undefined;
  expect(await rig.failure(rig.program({ client: { name: 'Tests' } }))).toMatchObject({
    reason: 'unsupported',
    message:
      'https://auth.example has no device_authorization_endpoint: users cannot sign in there with a code on another device. Sign in with a browser, without the option device.',
  });
  expect(rig.web.at('/register')).toEqual([]);
});

it('sends a DPoP proof to the token endpoint only', async () => {
  rig.web.metadata = { dpop_signing_alg_values_supported: ['ES256'] };
  const proofs: string[] = [];
  const fetch: OauthOptions['fetch'] = (input, init) => {
    if (new Headers(init.headers).has('dpop')) proofs.push(new URL(input).pathname);
    return rig.web.fetch(input, init);
  };
  rig.web.onToken = () => ({ status: 200, body: { access_token: 'bound', token_type: 'DPoP' } });
  await rig.signIn({ dpop: true, fetch });
  expect(proofs).toEqual(['/token']);
});
