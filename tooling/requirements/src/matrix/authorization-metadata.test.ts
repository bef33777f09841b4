import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { guarded } from './authorization/guarded.js';
import { knock } from './authorization/knock.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;
const path = '/.well-known/oauth-protected-resource/mcp';

const bench = () => createServer({ name: 'bench', version: '1.0.0' }).tool('measure', {}, () => '40 mm');

requirement(
  [
    '2026-07-28/basic/authorization/index/protected-resource-metadata',
    '2026-07-28/basic/authorization/authorization-server-discovery/metadata',
    '2026-07-28/basic/authorization/authorization-server-discovery/metadata-servers',
    '2026-07-28/basic/authorization/authorization-server-discovery/mechanism',
  ],
  { ...overHttp, title: 'The challenge leads to a document that names the authorization servers.' },
  async ({ revision }) => {
    const { place, issuer } = await guarded(bench(), { scopes: ['bench:use'] });
    const { challenge } = await knock(place.url, revision);
    expect(challenge).toContain(`resource_metadata="${place.origin}${path}"`);
    const response = await fetch(place.origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      resource: place.url,
      authorization_servers: [issuer.issuer],
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    await expect(guarded(bench(), { authorizationServers: [] })).rejects.toThrow(/authorizationServers/);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/challenge-scope',
    '2026-07-28/basic/authorization/index/challenge-scope-relation',
    '2026-07-28/basic/authorization/index/challenge-consistent',
  ],
  { ...overHttp, title: 'The challenge names the scopes it takes, always the same.' },
  async ({ revision }) => {
    const scopes = ['bench:read', 'bench:use'];
    const { place, token } = await guarded(bench(), { scopes });
    const expired = `Bearer ${await token({ lifetime: -3_600_000 })}`;
    for (const authorization of [undefined, undefined, expired]) {
      const { challenge } = await knock(
        place.url,
        revision,
        authorization === undefined ? {} : { authorization },
      );
      expect(challenge).toMatch(/scope="bench:read bench:use"/);
    }
    const small = `Bearer ${await token({ scopes: ['bench:read'] })}`;
    expect(await knock(place.url, revision, { authorization: small })).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('scope="bench:read bench:use"'),
    });
  },
);

requirement(['2026-07-28/basic/authorization/index/refresh-not-in-challenge'], overHttp, async () => {
  await expect(guarded(bench(), { scopes: ['bench:use', 'offline_access'] })).rejects.toThrow(
    'offline_access',
  );
});
