import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

requirement(
  ['draft-tools/tools/input-required', 'draft-tools/tools/retry-new-id', 'draft-tools/tools/retry-state'],
  {},
  async ({ serve }) => {
    const schema = z.object({ name: z.string() });
    const server = createServer({ name: 'bench', version: '1.0.0' }).tool('greet', {}, async (_, ctx) => {
      const said = await ctx.elicit('login', { message: 'Who are you?', schema });
      return said.action === 'accept' ? `Hello ${said.content.name}` : said.action;
    });
    const onElicit = async () => ({ action: 'accept' as const, content: { name: 'octocat' } });
    const { client, wire } = await serve(server, { onElicit });
    expect((await client.callTool('greet')).content).toMatchObject([{ text: 'Hello octocat' }]);
    const [first, retry] = wire.sent('client', 'tools/call');
    const [asked, done] = wire.from('server').filter(({ id }) => id === first?.id || id === retry?.id);
    expect(asked).toMatchObject({
      id: first?.id,
      result: {
        resultType: 'input_required',
        inputRequests: { login: { method: 'elicitation/create', params: { message: 'Who are you?' } } },
      },
    });
    expect(retry?.id).not.toBe(first?.id);
    expect(retry?.params).toMatchObject({
      name: 'greet',
      inputResponses: { login: { action: 'accept', content: { name: 'octocat' } } },
      requestState: asked?.result?.requestState,
    });
    expect(asked?.result?.requestState).toBeTypeOf('string');
    expect(done).toMatchObject({ id: retry?.id, result: { resultType: 'complete' } });
  },
);
