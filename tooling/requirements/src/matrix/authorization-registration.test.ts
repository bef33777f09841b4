import type { OauthClient } from '@tenon/mcp-auth/client';
import { oauthError, scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, type Setting, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

type Identity = Omit<OauthClient, 'name'>;

const overHttp = { transports: ['http'] } as const;

const metadataUrl = 'https://client.example/matrix.json';
const document = {
  client_id: metadataUrl,
  client_name: 'Matrix',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};
/** Returns the client's metadata document for every URL. */
const fetchDocument = async (url: string) =>
  url === metadataUrl ? Response.json(document) : new Response(null, { status: 404 });

requirement(
  [
    '2026-07-28/basic/authorization/index/client-id',
    '2026-07-28/basic/authorization/index/client-id-metadata',
    '2026-07-28/basic/authorization/client-registration/order',
    '2026-07-28/basic/authorization/client-registration/supported',
    '2026-07-28/basic/authorization/client-registration/check-support',
    '2026-07-28/basic/authorization/client-registration/fall-back',
    '2026-07-28/basic/authorization/client-registration/static-credentials',
  ],
  {
    ...overHttp,
    title:
      'A client takes what was registered before, then its document, then registers, then says what is missing.',
  },
  async ({ revision }) => {
    const identityAt = (issuer: string): Identity => ({
      registered: [{ issuer, clientId: 'by-hand', clientSecret: 'secret' }],
      metadataUrl,
      register: true,
    });
    const usedWith = async (
      identity: (issuer: string) => Identity,
      behaviour: Parameters<typeof setting>[1] = {},
    ) => {
      const scene = await setting(revision, behaviour, { fetch: fetchDocument });
      const { issuer } = scene;
      const redirectUris = ['http://127.0.0.1/callback'];
      issuer.addClient({ clientId: 'by-hand', clientSecret: 'secret', redirectUris });
      const user = scriptedBrowser();
      await signIn(scene, { browser: user, identity: identity(issuer.issuer) });
      return { id: user.opened[0]?.searchParams.get('client_id'), registered: issuer.count('register') };
    };
    expect(await usedWith(identityAt)).toEqual({ id: 'by-hand', registered: 0 });
    const without = (issuer: string): Identity => ({ ...identityAt(issuer), registered: [] });
    expect(await usedWith(without)).toEqual({ id: metadataUrl, registered: 0 });
    const registeredAs = await usedWith(without, { clientIdDocuments: false });
    expect(registeredAs).toEqual({ id: expect.any(String), registered: 1 });
    expect(registeredAs.id).not.toMatch(/^https:|by-hand/);
    await expect(usedWith(without, { clientIdDocuments: false, registration: 'off' })).rejects.toMatchObject({
      reason: 'not-registered',
      message: expect.stringMatching(/registered/),
    });
  },
);

requirement(
  [
    '2025-03-26/authorization/dynamic-registration',
    '2026-07-28/basic/authorization/index/dynamic-registration',
    '2026-07-28/basic/authorization/client-registration/dynamic',
    '2026-07-28/basic/authorization/security-considerations/redirects-registered',
  ],
  { ...overHttp, title: 'A client that is not known registers, with the address users are sent back to.' },
  async ({ revision }) => {
    const scene = await setting(revision);
    const user = scriptedBrowser();
    await signIn(scene, { browser: user });
    const [{ json } = { json: undefined }] = asked(scene.issuer, 'register');
    expect(json).toMatchObject({
      client_name: 'Matrix',
      redirect_uris: ['http://127.0.0.1/callback'],
      response_types: ['code'],
    });
    expect(user.opened[0]?.searchParams.get('redirect_uri')).toBe('http://127.0.0.1/callback');
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/client-registration/application-type',
    '2026-07-28/basic/authorization/client-registration/application-native',
    '2026-07-28/basic/authorization/client-registration/application-web',
    '2026-07-28/basic/authorization/index/refresh-grant',
  ],
  { ...overHttp, title: 'What registers says whether it is native or of the web, and that it refreshes.' },
  async ({ revision }) => {
    const users = [
      ['native', 'http://127.0.0.1/callback'],
      ['web', 'https://app.example/callback'],
    ] as const;
    for (const [applicationType, redirectUri] of users) {
      const scene = await setting(revision, { registration: 'by-application-type' });
      await signIn(scene, { browser: scriptedBrowser({ applicationType, redirectUri }) });
      const [{ json } = { json: undefined }] = asked(scene.issuer, 'register');
      expect(json).toMatchObject({
        application_type: applicationType,
        grant_types: expect.arrayContaining(['authorization_code', 'refresh_token']),
      });
    }
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/client-registration/registration-fails',
    '2026-07-28/basic/authorization/client-registration/registration-error',
    '2026-07-28/basic/authorization/client-registration/registration-retry',
  ],
  {
    ...overHttp,
    title: 'A registration that is refused is tried as the other type, and then told of with its reason.',
  },
  async ({ revision }) => {
    const redirectUri = 'http://127.0.0.1/callback';
    const types = ({ issuer }: Setting) =>
      asked(issuer, 'register').map(({ json }) => json?.application_type);
    const strict = await setting(revision, { registration: 'by-application-type' });
    await signIn(strict, { browser: scriptedBrowser({ applicationType: 'web', redirectUri }) });
    expect(types(strict)).toEqual(['web', 'native']);

    const description = `No \u0007such addresses${' here'.repeat(999)}`;
    const refusing = await setting(revision, {
      onRequest: ({ endpoint }) =>
        endpoint === 'register' ? oauthError('invalid_redirect_uri', description) : undefined,
    });
    const user = scriptedBrowser();
    const failure = await signIn(refusing, { browser: user }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'AuthError',
      reason: 'not-registered',
      oauthError: 'invalid_redirect_uri',
      message: expect.stringMatching(/invalid_redirect_uri.*No .?such addresses here/),
    });
    expect(String(failure)).not.toContain('\u0007');
    expect(String(failure).length).toBeLessThan(1000);
    expect(types(refusing).length).toBeLessThanOrEqual(2);
    expect(user.opened).toEqual([]);
  },
);
