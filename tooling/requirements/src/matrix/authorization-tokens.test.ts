import { MemoryAuthStore } from '@tenon/mcp-auth/client';
import { oauthError, scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, type Setting, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const tokenOf = (header: string | undefined) => header?.slice('Bearer '.length) ?? '';
const lastToken = ({ place }: Setting) => tokenOf(place.calls.at(-1)?.headers.authorization);

/** Makes the server reject the last token. */
function refuseLast(scene: Setting): string {
  const refused = lastToken(scene);
  const { admits = () => true } = scene.script;
  scene.script = { ...scene.script, admits: (token) => token !== refused && admits(token) };
  return refused;
}

requirement(
  [
    '2025-03-26/authorization/bearer',
    '2025-03-26/authorization/not-in-query',
    '2026-07-28/basic/authorization/index/token-handling',
    '2026-07-28/basic/authorization/index/token-header',
    '2026-07-28/basic/authorization/index/token-every-request',
    '2026-07-28/basic/authorization/index/token-not-in-query',
  ],
  { ...overHttp, title: 'Once there is a token, each request shows it in its header and nowhere else.' },
  async ({ revision }) => {
    const scene = await setting(revision);
    const client = await signIn(scene);
    await client.callTool('measure');
    for await (const _ of client.tools());
    await client.close();
    const { calls, heard } = scene.place;
    const first = calls.findIndex(({ headers }) => headers.authorization !== undefined);
    expect(first).toBeLessThan(3);
    const token = lastToken(scene);
    expect(token).toMatch(/^[\w.~+/=-]{20,}$/);
    for (const { method, url, headers } of calls.slice(first))
      expect(headers.authorization, `${method} ${url}`).toBe(`Bearer ${token}`);
    for (const { url } of [...heard, ...scene.issuer.requests]) expect(url).not.toContain(token);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/refresh-confidential',
    '2026-07-28/basic/authorization/security-considerations/refresh-rotated',
  ],
  {
    ...overHttp,
    title:
      'A refresh token is said to nobody but the token endpoint, and the one that comes back is used next.',
  },
  async ({ revision }) => {
    const scene = await setting(revision);
    const user = scriptedBrowser();
    const client = await signIn(scene, { browser: user });
    for (const _ of ['first', 'second']) {
      refuseLast(scene);
      await client.callTool('measure');
    }
    expect(user.opened).toHaveLength(1);
    const refreshes = asked(scene.issuer, 'token').filter(
      ({ params }) => params.grant_type === 'refresh_token',
    );
    const used = refreshes.map(({ params }) => params.refresh_token ?? '');
    expect(new Set(used).size).toBe(2);
    for (const { endpoint, url, body } of scene.issuer.requests) {
      const elsewhere = endpoint === 'token' ? url : url + body;
      for (const token of used) expect(elsewhere).not.toContain(token);
    }
    for (const { url, headers } of scene.place.heard)
      for (const token of used) expect(`${url}${JSON.stringify(headers)}`).not.toContain(token);
    const said: string[] = [];
    scene.issuer.behave({
      onToken: ({ params: { refresh_token = '', code = '', code_verifier = '' } }) => {
        said.push(refresh_token, code, code_verifier);
        return oauthError('invalid_grant', `No ${refresh_token}${code}${code_verifier}.`);
      },
    });
    refuseLast(scene);
    const failure = await client.callTool('measure').catch((error: unknown) => error);
    const secrets = said.filter((secret) => secret !== '');
    expect(secrets.length).toBeGreaterThan(2);
    for (let at: unknown = failure; at instanceof Error; at = at.cause)
      for (const secret of secrets) expect(`${at.message} ${at.stack}`).not.toContain(secret);
  },
);

requirement(['2026-07-28/basic/authorization/index/refresh-not-assumed'], overHttp, async ({ revision }) => {
  const scene = await setting(revision, { refreshTokens: 'none' });
  const user = scriptedBrowser();
  const client = await signIn(scene, { browser: user });
  refuseLast(scene);
  expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
  expect(user.opened).toHaveLength(2);
  expect(scene.issuer.tokenRequests('refresh_token')).toBe(0);
});

requirement(
  ['2026-07-28/basic/authorization/index/refresh-offline-access'],
  overHttp,
  async ({ revision }) => {
    for (const offered of [true, false]) {
      const scopesSupported = ['bench:use', ...(offered ? ['offline_access'] : [])];
      const scene = await setting(revision, { scopesSupported });
      scene.script = { ...scene.script, challenge: `${scene.script.challenge}, scope="bench:use"` };
      const user = scriptedBrowser();
      const client = await signIn(scene, { browser: user });
      const scopes = user.opened[0]?.searchParams.get('scope')?.split(' ');
      expect(scopes?.includes('offline_access')).toBe(offered);
      refuseLast(scene);
      expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    }
  },
);

requirement(
  ['2026-07-28/basic/authorization/index/tokens-of-server'],
  { ...overHttp, title: 'A token for one server is not shown to another.' },
  async ({ revision }) => {
    const store = new MemoryAuthStore();
    const one = await setting(revision);
    const other = await setting(revision);
    await signIn(one, { store });
    const client = await signIn(other, { store });
    await client.callTool('measure');
    const tokens = ({ place }: Setting) =>
      new Set(place.calls.flatMap(({ headers }) => headers.authorization ?? []));
    expect(tokens(one).size).toBe(1);
    expect(tokens(other).size).toBe(1);
    expect([...tokens(one)]).not.toEqual([...tokens(other)]);
  },
);
