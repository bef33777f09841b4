import { generateKeyPairSync } from 'node:crypto';
import { clientMetadataDocument } from '@tenon/mcp-auth/client';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const url = 'https://client.example/oauth/matrix.json';
const redirectUris = ['http://127.0.0.1/callback'];
const document = clientMetadataDocument({ url, name: 'Matrix', redirectUris });

/** Metadata documents by URL, for authorization servers. */
const web = (handler: (request: Request) => Response) => async (address: string, init: RequestInit) =>
  address === url ? handler(new Request(address, init)) : new Response(null, { status: 404 });

requirement(
  [
    '2026-07-28/basic/authorization/client-registration/draft-followed',
    '2026-07-28/basic/authorization/client-registration/client-hosts',
    '2026-07-28/basic/authorization/client-registration/client-id-url',
    '2026-07-28/basic/authorization/client-registration/document-members',
    '2026-07-28/basic/authorization/client-registration/document-client-id',
  ],
  {
    ...overHttp,
    title: 'A client is known by its document wherever that is taken, and its id is an address fit for that.',
  },
  async ({ revision }) => {
    expect(JSON.parse(document.text)).toMatchObject({
      client_id: url,
      client_name: 'Matrix',
      redirect_uris: redirectUris,
    });
    for (const unfit of [
      url.replace('https', 'http'),
      'https://client.example',
      'https://client.example/',
      'https://client.example/a/../matrix.json',
      `${url}#part`,
      url.replace('client.', 'me@client.'),
    ]) {
      expect(() => clientMetadataDocument({ url: unfit, name: 'Matrix', redirectUris }), unfit).toThrow(
        TypeError,
      );
      const scene = await setting(revision);
      const user = scriptedBrowser();
      const failing = (async () => signIn(scene, { browser: user, identity: { metadataUrl: unfit } }))();
      await expect(failing, unfit).rejects.toThrow();
      expect(user.opened).toEqual([]);
    }
    for (const _ of ['one', 'another']) {
      const scene = await setting(revision, {}, { fetch: web(document.handler) });
      const user = scriptedBrowser();
      const client = await signIn(scene, { browser: user, identity: { metadataUrl: url } });
      expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
      expect(user.opened[0]?.searchParams.get('client_id')).toBe(url);
      expect(scene.issuer.count('register')).toBe(0);
    }
  },
);

requirement(
  ['2026-07-28/basic/authorization/client-registration/private-key-jwt'],
  overHttp,
  async ({ revision }) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const known = { alg: 'ES256', kid: 'matrix' };
    const key = { ...privateKey.export({ format: 'jwk' }), ...known };
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), ...known }] };
    const signing = clientMetadataDocument({ url, name: 'Matrix', redirectUris, jwks });
    const scene = await setting(revision, {}, { fetch: web(signing.handler) });
    await signIn(scene, { identity: { metadataUrl: url, metadataKey: { key } } });
    const [exchange] = asked(scene.issuer, 'token');
    expect(exchange?.params).toMatchObject({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(exchange?.params).not.toHaveProperty('client_secret');
    const impostor = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const forged = { ...impostor.export({ format: 'jwk' }), ...known };
    const other = await setting(revision, {}, { fetch: web(signing.handler) });
    await expect(
      signIn(other, { identity: { metadataUrl: url, metadataKey: { key: forged } } }),
    ).rejects.toMatchObject({ reason: 'denied', oauthError: 'invalid_client' });
  },
);

requirement(
  ['2026-07-28/basic/authorization/security-considerations/trust-policies'],
  overHttp,
  async ({ revision }) => {
    const trusted = new Set(['other.example']);
    const policy = async (address: string, init: RequestInit) => {
      if (!trusted.has(new URL(address).host)) throw new Error('unknown domain');
      return web(document.handler)(address, init);
    };
    const scene = await setting(revision, {}, { fetch: policy });
    await expect(signIn(scene, { identity: { metadataUrl: url } })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('invalid_client') },
    });
    expect(scene.issuer.count('token')).toBe(0);
    trusted.add('client.example');
    await signIn(scene, { identity: { metadataUrl: url } });
  },
);
