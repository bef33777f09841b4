import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { asked, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

requirement(
  [
    '2026-07-28/basic/authorization/index/resource-indicators',
    '2026-07-28/basic/authorization/index/resource-in-both',
    '2026-07-28/basic/authorization/index/resource-identifies',
    '2026-07-28/basic/authorization/index/resource-canonical',
    '2026-07-28/basic/authorization/index/resource-specific',
    '2026-07-28/basic/authorization/index/resource-always',
    '2026-07-28/basic/authorization/security-considerations/resource-parameter',
    '2026-07-28/basic/authorization/security-considerations/client-resource',
  ],
  { ...overHttp, title: 'Every request for a code or a token names the server, whoever answers it.' },
  async ({ revision }) => {
    for (const resource of ['bound', 'required', 'ignored'] as const) {
      const scene = await setting(revision, { resource });
      const user = scriptedBrowser();
      let refused = '';
      scene.script = { ...scene.script, admits: (token) => token !== refused };
      const client = await signIn(scene, { browser: user });
      await client.callTool('measure');
      refused = tokenOf(scene.place.calls.at(-1)?.headers.authorization);
      await client.callTool('measure');
      expect(user.opened.map((url) => url.searchParams.getAll('resource'))).toEqual([[scene.place.url]]);
      const requests = asked(scene.issuer, 'token');
      expect(requests.map(({ params }) => params.grant_type)).toEqual([
        'authorization_code',
        'refresh_token',
      ]);
      for (const { body } of requests)
        expect(new URLSearchParams(body).getAll('resource')).toEqual([scene.place.url]);
    }
  },
);

function tokenOf(header = ''): string {
  return header.slice('Bearer '.length);
}

requirement(
  ['2026-07-28/basic/authorization/index/resource-uppercase'],
  { ...overHttp, title: 'A server named in upper case is the same server.' },
  async ({ revision }) => {
    const scene = await setting(revision);
    const user = scriptedBrowser();
    const path = '/.well-known/oauth-protected-resource/mcp';
    const document = { ...scene.script.documents?.[path], resource: scene.place.url.replace('http', 'HTTP') };
    scene.script = { ...scene.script, documents: { [path]: document } };
    const client = await signIn(scene, { browser: user, url: scene.place.url.replace('http', 'HTTP') });
    expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    expect(user.opened).toHaveLength(1);
  },
);

requirement(['2026-07-28/basic/authorization/index/resource-no-slash'], overHttp, async ({ revision }) => {
  for (const given of ['', '/']) {
    const scene = await setting(revision, {}, { path: '' });
    const user = scriptedBrowser();
    await signIn(scene, { browser: user, url: scene.place.origin + given });
    expect(user.opened[0]?.searchParams.get('resource')).toBe(scene.place.origin);
  }
});
