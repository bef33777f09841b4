import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { expect, onTestFinished } from 'vitest';
import { type Guarded, guarded } from './authorization/guarded.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const bench = () =>
  createServer({ name: 'bench', version: '1.0.0' })
    .tool('measure', {}, () => '40 mm')
    .tool('saw', { scopes: ['wood:read', 'wood:cut'] }, () => 'sawn')
    .tool('order', {}, (_, ctx) => {
      ctx.requireScopes('wood:read', 'wood:buy');
      return 'ordered';
    });

/** A client with one token, and the challenges it received. */
async function holding({ place }: Guarded, revision: string, token: string) {
  const refusals: { status: number; challenge: string | null }[] = [];
  const watched = async (input: string, init: RequestInit) => {
    const response = await fetch(input, init);
    const challenge = response.headers.get('www-authenticate');
    if (!response.ok) refusals.push({ status: response.status, challenge });
    return response;
  };
  const headers = { authorization: `Bearer ${token}` };
  const info = { name: 'matrix', version: '1.0.0' };
  const client = await connect(place.url, { info, revision, headers, fetch: watched });
  onTestFinished(() => client.close());
  return { client, refusals };
}

requirement(
  [
    '2026-07-28/basic/authorization/index/insufficient-scope',
    '2026-07-28/basic/authorization/index/insufficient-scope-named',
    '2026-07-28/basic/authorization/index/insufficient-scope-once',
    '2026-07-28/basic/authorization/index/insufficient-scope-consistent',
    '2026-07-28/basic/authorization/index/insufficient-scope-experience',
  ],
  { ...overHttp, title: 'A tool that takes more scopes names all of them at once, each time.' },
  async ({ revision }) => {
    const protectedBench = await guarded(bench(), { scopes: ['bench:use'] });
    const token = await protectedBench.token({ scopes: ['bench:use', 'wood:read'] });
    const { client, refusals } = await holding(protectedBench, revision, token);
    expect((await client.callTool('measure')).content).toMatchObject([{ text: '40 mm' }]);
    refusals.length = 0;
    const document = `${protectedBench.place.origin}/.well-known/oauth-protected-resource/mcp`;
    for (const [tool, scope] of [
      ['saw', 'bench:use wood:read wood:cut'],
      ['saw', 'bench:use wood:read wood:cut'],
      ['order', 'bench:use wood:read wood:buy'],
    ] as const) {
      await expect(client.callTool(tool)).rejects.toMatchObject({ status: 403 });
      const { status, challenge } = refusals.at(-1) ?? {};
      expect(status).toBe(403);
      expect(challenge).toMatch(/^Bearer /);
      expect(challenge).toContain('error="insufficient_scope"');
      expect(challenge).toContain(`scope="${scope}"`);
      expect(challenge).toContain(`resource_metadata="${document}"`);
    }
    expect(refusals).toHaveLength(3);
    const broad = await protectedBench.token({ scopes: ['bench:use', 'wood:read', 'wood:cut', 'wood:buy'] });
    const allowed = await holding(protectedBench, revision, broad);
    expect((await allowed.client.callTool('saw')).content).toMatchObject([{ text: 'sawn' }]);
    expect((await allowed.client.callTool('order')).content).toMatchObject([{ text: 'ordered' }]);
  },
);

requirement(['2026-07-28/basic/authorization/index/scope-hierarchies'], overHttp, async ({ revision }) => {
  const protectedBench = await guarded(bench(), {
    scopes: { required: ['bench:use'], implies: { 'bench:all': ['bench:use', 'wood:read', 'wood:cut'] } },
  });
  const token = await protectedBench.token({ scopes: ['bench:all'] });
  const { client } = await holding(protectedBench, revision, token);
  expect((await client.callTool('saw')).content).toMatchObject([{ text: 'sawn' }]);
  await expect(client.callTool('order')).rejects.toMatchObject({ status: 403 });
});
