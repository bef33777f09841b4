import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { guarded } from './authorization/guarded.js';
import { knock } from './authorization/knock.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

const asking = () =>
  createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} }).tool(
    'order',
    {},
    async (_, ctx) => {
      const { action } = await ctx.elicit('sure', {
        message: 'Sure?',
        schema: z.object({ sure: z.boolean() }),
      });
      return `${ctx.auth?.id}: ${action}`;
    },
  );

requirement(
  [
    '2026-07-28/client/elicitation/user-from-credentials',
    '2026-07-28/client/elicitation/user-best-practices',
    '2026-07-28/security-best-practices/handles-prove-nothing',
    '2026-07-28/security-best-practices/handles-bound',
  ],
  { ...overHttp, title: 'What one user was asked, another cannot answer, whatever he calls himself.' },
  async ({ revision }) => {
    const { place, token } = await guarded(asking());
    const alice = `Bearer ${await token({ subject: 'alice' })}`;
    const bob = `Bearer ${await token({ subject: 'bob' })}`;
    const asked = await knock(place.url, revision, { tool: 'order', authorization: alice });
    const { requestState } = JSON.parse(asked.body).result;
    expect(requestState).toMatch(/^\S{40,}$/);
    const params = {
      requestState,
      inputResponses: { sure: { action: 'accept', content: { sure: true } } },
    };
    const stolen = await knock(place.url, revision, { tool: 'order', authorization: bob, params });
    expect(JSON.parse(stolen.body)).toMatchObject({ error: { code: -32602 } });
    // Another token of the same user has the same principal.
    const again = `Bearer ${await token({ subject: 'alice', lifetime: 60_000 })}`;
    const answered = await knock(place.url, revision, { tool: 'order', authorization: again, params });
    expect(JSON.parse(answered.body)).toMatchObject({ result: { content: [{ text: 'alice: accept' }] } });
  },
);

requirement(['2026-07-28/client/elicitation/not-for-itself'], overHttp, async ({ revision }) => {
  const { place, reached } = await guarded(asking());
  const answered = await knock(place.url, revision, { tool: 'order' });
  expect(answered).toMatchObject({ status: 401, challenge: expect.stringContaining('resource_metadata=') });
  expect(answered.body).not.toMatch(/elicit|input_required/);
  expect(reached).toEqual([]);
});

requirement(
  [
    '2026-07-28/basic/authorization/security-considerations/no-passthrough',
    '2026-07-28/basic/authorization/index/tokens-no-others',
    '2026-07-28/client/elicitation/client-credentials-not-used',
  ],
  { ...overHttp, title: 'A handler is told who is calling, and has no token that it could hand on.' },
  async ({ revision }) => {
    const seen: unknown[] = [];
    const server = createServer({ name: 'bench', version: '1.0.0' }).tool('who', {}, (_, ctx) => {
      const getters = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(ctx));
      for (const [name, { get }] of Object.entries(getters))
        if (get !== undefined) seen.push(name, get.call(ctx));
      seen.push({ ...ctx }, ctx.auth);
      return `${ctx.auth?.id}`;
    });
    server.use((request, next) => {
      seen.push({ ...request });
      return next();
    });
    const { place, token } = await guarded(server);
    const secret = await token({ subject: 'alice' });
    const info = { name: 'matrix', version: '1.0.0' };
    const headers = { authorization: `Bearer ${secret}` };
    const client = await connect(place.url, { info, revision, headers });
    onTestFinished(() => client.close());
    expect((await client.callTool('who')).content).toMatchObject([{ text: 'alice' }]);
    expect(seen.length).toBeGreaterThan(4);
    const signature = secret.split('.').at(-1) ?? '';
    expect(textsOf(seen).filter((text) => text.includes(signature))).toEqual([]);
    expect(textsOf(seen)).toContain('alice');
  },
);

/** Returns every text in a value. */
function textsOf(value: unknown, met = new Set<unknown>()): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || met.has(value)) return [];
  met.add(value);
  const entries = value instanceof Map ? [...value.entries()].flat() : Object.values(value);
  return entries.flatMap((one) => textsOf(one, met));
}
