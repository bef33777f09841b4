import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { guarded } from './authorization/guarded.js';
import { knock } from './authorization/knock.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const bench = () => createServer({ name: 'bench', version: '1.0.0' }).tool('measure', {}, () => '40 mm');

requirement(
  [
    '2025-03-26/authorization/unauthorized',
    '2025-03-26/authorization/oauth',
    '2026-07-28/basic/authorization/index/http-conforms',
    '2026-07-28/basic/index/auth-http',
    '2026-07-28/basic/authorization/index/status-codes',
    '2026-07-28/basic/authorization/index/tokens-refused',
    '2026-07-28/basic/authorization/security-considerations/validated-first',
    '2026-07-28/security-best-practices/requests-verified',
  ],
  { ...overHttp, title: 'Who shows no token is told where to get one before anything he said is read.' },
  async ({ revision }) => {
    const { place, reached, token } = await guarded(bench());
    for (const body of [undefined, 'no JSON', '[]', '']) {
      const answered = await knock(place.url, revision, body === undefined ? {} : { body });
      expect(answered).toMatchObject({ status: 401, challenge: expect.stringMatching(/^Bearer /) });
      expect(answered.challenge).not.toContain('error=');
    }
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(place.url, { method })).status, method).toBe(401);
    const valid = await token();
    for (const authorization of ['Bearer', 'Bearer ', `Bearer ${valid} ${valid}`])
      expect(await knock(place.url, revision, { authorization })).toMatchObject({
        status: 400,
        challenge: expect.stringContaining('error="invalid_request"'),
      });
    expect(reached).toEqual([]);
    expect((await knock(place.url, revision, { authorization: `Bearer ${valid}` })).status).toBe(200);
    expect((await knock(place.url, revision, { authorization: `bearer ${valid}` })).status).toBe(200);
  },
);

requirement(
  [
    '2025-03-26/authorization/tokens-validated',
    '2026-07-28/basic/authorization/index/token-handling',
    '2026-07-28/basic/authorization/index/tokens-validated',
    '2026-07-28/basic/authorization/index/tokens-expired',
    '2026-07-28/basic/authorization/security-considerations/validated-oauth',
  ],
  { ...overHttp, title: 'A token that is expired, forged or nobody’s is answered with 401.' },
  async ({ revision }) => {
    const { place, reached, token } = await guarded(bench());
    const bad = {
      expired: await token({ lifetime: -3_600_000 }),
      early: await token({ claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }),
      broken: await token({ signature: 'broken' }),
      unsigned: await token({ signature: 'none' }),
      confused: await token({ signature: 'hs256-public-key' }),
      foreign: await token({ signature: 'wrong-key' }),
      stranger: await token({ claims: { iss: 'https://honest.example' } }),
      identity: await token({ kind: 'id', audience: 'client' }),
      grant: await token({ kind: 'id-jag' }),
      garbage: 'garbage',
    };
    for (const [name, one] of Object.entries(bad)) {
      const answered = await knock(place.url, revision, { authorization: `Bearer ${one}` });
      expect(answered.status, name).toBe(401);
      expect(answered.challenge, name).toContain('error="invalid_token"');
      expect(answered.challenge, name).not.toContain(one);
      expect(answered.body, name).not.toContain(one);
    }
    expect(reached).toEqual([]);
  },
);

requirement(
  [
    '2026-07-28/basic/authorization/index/tokens-audience',
    '2026-07-28/basic/authorization/index/tokens-own-resources',
    '2026-07-28/basic/authorization/index/tokens-no-others',
    '2026-07-28/basic/authorization/security-considerations/tokens-own',
    '2026-07-28/basic/authorization/security-considerations/audience-only',
    '2026-07-28/basic/authorization/security-considerations/audience-rejected',
  ],
  { ...overHttp, title: 'A token for somebody else, or for nobody, is not taken.' },
  async ({ revision }) => {
    const { place, reached, token } = await guarded(bench());
    const others = [
      'https://other.example/mcp',
      `${place.url}/deeper`,
      place.origin,
      place.url.replace('/mcp', '/MCP'),
      ['https://other.example/mcp', place.origin],
    ];
    for (const audience of others) {
      const authorization = `Bearer ${await token({ audience })}`;
      expect((await knock(place.url, revision, { authorization })).status, `${audience}`).toBe(401);
    }
    const without = await token({ claims: { aud: undefined } });
    expect((await knock(place.url, revision, { authorization: `Bearer ${without}` })).status).toBe(401);
    expect(reached).toEqual([]);
    for (const audience of [place.url, ['https://other.example/mcp', place.url]]) {
      const authorization = `Bearer ${await token({ audience })}`;
      expect((await knock(place.url, revision, { authorization })).status).toBe(200);
    }
  },
);

requirement(
  ['2025-03-26/authorization/not-in-query', '2026-07-28/basic/authorization/index/token-not-in-query'],
  { ...overHttp, title: 'A token in a query opens nothing.' },
  async ({ revision }) => {
    const { place, reached, token } = await guarded(bench());
    const valid = await token();
    for (const authorization of [undefined, `Bearer ${valid}`]) {
      const asked = authorization === undefined ? {} : { authorization };
      const answered = await knock(`${place.url}?access_token=${valid}`, revision, asked);
      expect(answered).toMatchObject({
        status: 400,
        challenge: expect.stringContaining('error="invalid_request"'),
      });
      expect(answered.challenge + answered.body).not.toContain(valid);
    }
    expect(reached).toEqual([]);
  },
);
