import { clientCredentials } from '@tenon/mcp-auth/client';
import { createServer } from '@tenon/mcp-server';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { guarded } from './authorization/guarded.js';
import { signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const bench = () =>
  createServer({ name: 'bench', version: '1.0.0' })
    .tool('measure', {}, () => '40 mm')
    .tool('saw', { scopes: ['wood:cut'] }, () => 'sawn')
    .tool('order', { scopes: ['wood:buy'] }, () => 'ordered');

requirement(
  [
    '2026-07-28/basic/authorization/index/step-up',
    '2026-07-28/basic/authorization/index/step-up-user',
    '2026-07-28/basic/authorization/index/step-up-scopes',
    '2026-07-28/basic/authorization/index/challenge-included',
    '2026-07-28/security-best-practices/scopes-union',
  ],
  {
    ...overHttp,
    title: 'A scope that is missing is asked for together with all that were asked for before.',
  },
  async ({ revision }) => {
    const { place } = await guarded(bench(), { scopes: ['bench:use'] });
    const user = scriptedBrowser();
    const client = await signIn({ revision, place }, { browser: user });
    for (const [tool, text] of [
      ['measure', '40 mm'],
      ['saw', 'sawn'],
      ['order', 'ordered'],
      ['saw', 'sawn'],
    ] as const)
      expect((await client.callTool(tool)).content).toMatchObject([{ text }]);
    const scopes = user.opened.map((url) => new Set(url.searchParams.get('scope')?.split(' ')));
    expect(scopes).toEqual([
      new Set(['bench:use']),
      new Set(['bench:use', 'wood:cut']),
      new Set(['bench:use', 'wood:cut', 'wood:buy']),
    ]);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/step-up-limits',
    '2026-07-28/basic/authorization/index/step-up-tracked',
  ],
  { ...overHttp, title: 'Scopes that were asked for and not granted are not asked for again and again.' },
  async ({ revision }) => {
    const { place, issuer } = await guarded(bench(), { scopes: ['bench:use'] });
    issuer.behave({ grantScopes: () => ['bench:use'] });
    const user = scriptedBrowser();
    const client = await signIn({ revision, place }, { browser: user });
    const failure = { name: 'AuthError', reason: 'denied' };
    await expect(client.callTool('saw')).rejects.toMatchObject(failure);
    const tried = user.opened.length;
    expect(tried).toBeGreaterThan(1);
    expect(tried).toBeLessThanOrEqual(3);
    await expect(client.callTool('saw')).rejects.toMatchObject(failure);
    expect(user.opened).toHaveLength(tried);
    // After one rejection, a client continues with other calls and may request other scopes.
    expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    issuer.behave({ grantScopes: (scopes) => scopes });
    expect((await client.callTool('order')).content).toMatchObject([{ text: 'ordered' }]);
  },
);

requirement(
  ['2026-07-28/basic/authorization/index/step-up-limits'],
  { ...overHttp, title: 'A server that refuses every token is asked a few times, and then no more.' },
  async ({ revision }) => {
    const { place, issuer } = await guarded(bench(), { scopes: ['bench:use'] });
    issuer.behave({ claims: (claims) => ({ ...claims, aud: 'https://other.example' }) });
    const user = scriptedBrowser();
    await expect(signIn({ revision, place }, { browser: user })).rejects.toMatchObject({
      name: 'AuthError',
      reason: 'refused',
    });
    expect(user.opened.length).toBeLessThanOrEqual(3);
    expect(place.calls.length).toBeLessThanOrEqual(4);
  },
);

requirement(['2026-07-28/basic/authorization/index/step-up-own'], overHttp, async ({ revision }) => {
  const { place, issuer } = await guarded(bench(), { scopes: ['bench:use'] });
  issuer.addClient({ clientId: 'robot', clientSecret: 'secret', scopes: ['bench:use', 'wood:cut'] });
  const auth = clientCredentials({ clientId: 'robot', clientSecret: 'secret', issuer: issuer.issuer });
  const client = await signIn({ revision, place }, { auth });
  expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
  expect((await client.callTool('saw')).content).toMatchObject([{ text: 'sawn' }]);
  const tried = issuer.tokenRequests('client_credentials');
  await expect(client.callTool('order')).rejects.toMatchObject({ name: 'AuthError' });
  expect(issuer.tokenRequests('client_credentials') - tried).toBeLessThanOrEqual(3);
});
