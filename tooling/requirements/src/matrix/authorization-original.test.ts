import type { AuthorizationBehaviour } from '@tenon/mcp-testing/oauth';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

requirement(
  [
    '2025-03-26/authorization/metadata-clients',
    '2025-03-26/authorization/base-url',
    '2025-03-26/authorization/version-header',
  ],
  {
    ...overHttp,
    title:
      'Metadata is asked for at the root of the server, whatever its path, in the revision that is spoken.',
  },
  async ({ revision }) => {
    const scene = await setting(revision, {}, { path: '/deeply/nested/mcp' });
    await signIn(scene);
    const lookups = asked(scene.issuer, 'metadata');
    expect(lookups.map(({ url }) => url)).toEqual(['/.well-known/oauth-authorization-server']);
    for (const { headers } of lookups) expect(headers['mcp-protocol-version']).toBe(revision);
    for (const { url, headers } of scene.place.heard)
      if (url.startsWith('/.well-known/')) expect(headers['mcp-protocol-version'], url).toBe(revision);
  },
);

requirement(['2025-03-26/authorization/metadata-clients-follow'], overHttp, async ({ revision }) => {
  const elsewhere: NonNullable<AuthorizationBehaviour['metadata']> = (document) => ({
    ...document,
    registration_endpoint: `${document.issuer}/named/register`,
  });
  const scene = await setting(revision, { metadata: elsewhere });
  await expect(signIn(scene)).rejects.toMatchObject({ name: 'AuthError' });
  expect(scene.place.heard).toContainEqual(
    expect.objectContaining({ method: 'POST', url: '/named/register' }),
  );
  expect(scene.issuer.count('register')).toBe(0);
  scene.issuer.behave({ metadata: (document) => document });
  await signIn(scene);
  expect(scene.issuer.count('register')).toBe(1);
});

requirement(['2025-03-26/authorization/default-endpoints'], overHttp, async ({ revision }) => {
  const scene = await setting(revision, { discovery: [] });
  const user = scriptedBrowser();
  const client = await signIn(scene, { browser: user });
  expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
  expect(user.opened.map(({ origin, pathname }) => origin + pathname)).toEqual([
    `${scene.place.origin}/authorize`,
  ]);
  expect(asked(scene.issuer, 'register').map(({ url }) => url)).toEqual(['/register']);
  expect(asked(scene.issuer, 'token').map(({ url }) => url)).toEqual(['/token']);
});
