import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { HttpPlace } from './authorization/http-place.js';
import { asked, pointingTo, type Setting, setting, signIn, startIssuer } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;
const wellKnown = '/.well-known/oauth-protected-resource';

requirement(
  [
    '2026-07-28/basic/authorization/index/client-uses-metadata',
    '2026-07-28/basic/authorization/authorization-server-discovery/client-parses',
  ],
  {
    ...overHttp,
    title: 'The document a challenge points to says where to sign in, among whatever else is challenged.',
  },
  async ({ revision }) => {
    const challenges = (document: string) => [
      `Bearer resource_metadata="${document}"`,
      `bearer Resource_Metadata = "${document}" , error="invalid_token"`,
      `Basic realm="a, Bearer resource_metadata=\\"https://attacker.example\\"", Bearer realm="b", resource_metadata="${document}"`,
      `Negotiate abc==, Bearer error_description="say, \\"hello\\"", resource_metadata="${document}"`,
    ];
    for (const at of challenges('').keys()) {
      const scene = await setting(revision);
      const { origin, url } = scene.place;
      scene.script = {
        challenge: challenges(`${origin}/.well-known/elsewhere`)[at] ?? '',
        documents: {
          '/.well-known/elsewhere': { resource: url, authorization_servers: [scene.issuer.issuer] },
        },
      };
      const client = await signIn(scene);
      expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
      expect(scene.place.lookups).toEqual(['/.well-known/elsewhere']);
      expect(scene.issuer.count('authorize')).toBe(1);
    }
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/discovery-requirements',
    '2026-07-28/basic/authorization/authorization-server-discovery/client-both',
    '2026-07-28/basic/authorization/authorization-server-discovery/client-fallback',
  ],
  { ...overHttp, title: 'Without a challenge that points anywhere, the path is asked before the root.' },
  async ({ revision }) => {
    const scene = await setting(revision);
    const { url } = scene.place;
    const document = { resource: url, authorization_servers: [scene.issuer.issuer] };
    const lookups = async (paths: readonly string[], challenge?: string) => {
      const documents = Object.fromEntries(paths.map((path) => [path, document]));
      scene.script = { documents, ...(challenge !== undefined && { challenge }) };
      const before = scene.place.lookups.length;
      await signIn(scene);
      return scene.place.lookups.slice(before);
    };
    expect(await lookups([`${wellKnown}/mcp`, wellKnown])).toEqual([`${wellKnown}/mcp`]);
    expect(await lookups([wellKnown], 'Bearer realm="bench"')).toEqual([`${wellKnown}/mcp`, wellKnown]);
    const pointed = `Bearer resource_metadata="${scene.place.origin}/.well-known/third"`;
    expect(await lookups([`${wellKnown}/mcp`, wellKnown, '/.well-known/third'], pointed)).toEqual([
      '/.well-known/third',
    ]);
  },
);

async function pathsAsked(scene: Setting): Promise<readonly string[]> {
  await signIn(scene).catch(() => {});
  return asked(scene.issuer, 'metadata').map(({ url }) => url);
}

requirement(
  [
    '2026-07-28/basic/authorization/index/client-discovery',
    '2026-07-28/basic/authorization/authorization-server-discovery/several-endpoints',
    '2026-07-28/basic/authorization/authorization-server-discovery/with-path',
    '2026-07-28/basic/authorization/authorization-server-discovery/without-path',
  ],
  { ...overHttp, title: 'Metadata is looked for at every place there is, in their order.' },
  async ({ revision }) => {
    const oauth = '/.well-known/oauth-authorization-server';
    const openid = '/.well-known/openid-configuration';
    const tenant = [`${oauth}/tenant`, `${openid}/tenant`, `/tenant${openid}`];
    const forms = ['oauth', 'oidc-inserted', 'oidc-appended'] as const;
    for (const [at, form] of forms.entries()) {
      const scene = await setting(revision);
      const issuer = await startIssuer({ path: '/tenant', discovery: [form] });
      scene.script = pointingTo([issuer.issuer], scene.place);
      await signIn(scene);
      const seen = issuer.requests.map(({ url }) => url).filter((url) => url.includes('/.well-known/'));
      expect(seen).toEqual(tenant.slice(0, at + 1));
    }
    expect(await pathsAsked(await setting(revision, { discovery: ['oauth'] }))).toEqual([oauth]);
    const scene = await setting(revision, { discovery: ['oidc-appended'] });
    await signIn(scene);
    const seen = scene.issuer.requests.map(({ url }) => url).filter((url) => url.includes('/.well-known/'));
    expect(seen).toEqual([oauth, openid]);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/authorization-server-discovery/metadata-validated',
    '2026-07-28/basic/authorization/authorization-server-discovery/issuer-identical',
    '2026-07-28/basic/authorization/authorization-server-discovery/metadata-unused',
    '2026-07-28/basic/authorization/authorization-server-discovery/metadata-rejected',
  ],
  { ...overHttp, title: 'A document that names another issuer than it was asked by is of no use.' },
  async ({ revision }) => {
    const honest = await startIssuer();
    const names = (issuer: string) => [
      honest.issuer,
      `${issuer}/`,
      issuer.toUpperCase(),
      `${issuer}/tenant`,
      '',
    ];
    for (const at of names('').keys()) {
      const scene = await setting(revision, {
        metadata: (document) => ({ ...document, issuer: names(String(document.issuer))[at] ?? '' }),
      });
      const user = scriptedBrowser();
      await expect(signIn(scene, { browser: user })).rejects.toMatchObject({ name: 'AuthError' });
      expect(user.opened).toEqual([]);
      expect(scene.issuer.count('register')).toBe(0);
    }
    expect(honest.requests).toEqual([]);
  },
);

requirement(
  ['2026-07-28/basic/authorization/authorization-server-discovery/metadata-validated'],
  { ...overHttp, title: 'Nor is one that is none, or names no place for tokens.' },
  async ({ revision }) => {
    for (const broken of ['no JSON', '[]', '{}', '"text"']) {
      const place = await HttpPlace.open();
      place.serve = (request, response) =>
        request.url?.includes('authorization-server') || request.url?.includes('openid')
          ? response.writeHead(200, { 'content-type': 'application/json' }).end(broken)
          : response.writeHead(404).end();
      const scene = await setting(revision);
      scene.script = pointingTo([place.origin], scene.place);
      await expect(signIn(scene), broken).rejects.toMatchObject({ name: 'AuthError' });
    }
  },
);
