import type { OnSample } from '@tenon/mcp-client';
import { createServer, RpcError } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const sampling = '2024-11-05/client/sampling';

function bench() {
  return createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} }).tool(
    'name',
    {},
    async (_, ctx) => {
      if (!ctx.can('sample')) return 'no model';
      const asked = ctx.sample('joint', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Name a joint.' } }],
        maxTokens: 8,
        modelPreferences: { hints: [{ name: 'small' }, { name: 'any' }], speedPriority: 1 },
      });
      return await asked.then(
        ({ model, content }) => `${model}: ${JSON.stringify(content)}`,
        (error: Error) => error.message,
      );
    },
  );
}

requirement([`${sampling}/capability`], {}, async ({ serve }) => {
  const without = await serve(bench());
  expect((await without.client.callTool('name')).content).toMatchObject([{ text: 'no model' }]);
  expect(without.wire.sent('server', 'sampling/createMessage')).toEqual([]);
  const onSample: OnSample = () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Tenon' },
    model: 'm',
  });
  const { wire } = await serve(bench(), { onSample });
  expect(wire.sent('client', 'initialize')[0]?.params?.capabilities).toEqual({ sampling: {} });
});

requirement(
  [`${sampling}/edited-by-application`, `${sampling}/hints-mapped`, `${sampling}/content-validated`],
  {},
  async ({ serve }) => {
    const asked: unknown[] = [];
    const onSample: OnSample = (params) => {
      asked.push(params);
      return {
        role: 'assistant',
        content: { type: 'text', text: 'Dovetail' },
        model: 'tiny-2',
        stopReason: 'endTurn',
      };
    };
    const { client, wire } = await serve(bench(), { onSample });
    const { content } = await client.callTool('name');
    expect(content).toMatchObject([{ text: 'tiny-2: {"type":"text","text":"Dovetail"}' }]);
    expect(asked).toMatchObject([
      { maxTokens: 8, modelPreferences: { hints: [{ name: 'small' }, { name: 'any' }], speedPriority: 1 } },
    ]);
    expect(wire.answer('sampling/createMessage', 'server').result).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Dovetail' },
      model: 'tiny-2',
      stopReason: 'endTurn',
    });
  },
);

requirement([`${sampling}/errors`], {}, async ({ serve }) => {
  const onSample: OnSample = () => {
    throw new RpcError(-1, 'User rejected sampling request');
  };
  const { client, wire } = await serve(bench(), { onSample });
  expect((await client.callTool('name')).content).toMatchObject([
    { text: expect.stringContaining('User rejected sampling request') },
  ]);
  expect(wire.answer('sampling/createMessage', 'server').error).toMatchObject({ code: -1 });
});

requirement(
  ['2025-03-26/sampling/answer-members', '2025-03-26/sampling/content-kinds'],
  {},
  async ({ serve }) => {
    const contents = [
      { type: 'text', text: 'Tenon' },
      { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    ] as const;
    for (const content of contents) {
      const { client, wire } = await serve(bench(), {
        onSample: () => ({ role: 'assistant', content, model: 'm' }),
      });
      await client.callTool('name');
      const { result } = wire.answer('sampling/createMessage', 'server');
      expect(result).toMatchObject({ role: 'assistant', content, model: 'm' });
      expect(result?.stopReason).toBeTypeOf('string');
    }
  },
);

requirement([`${sampling}/content-kinds`, `${sampling}/priorities`], {}, async ({ serve }) => {
  const image = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' } as const;
  const asking = (speedPriority: number) =>
    createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} }).tool(
      'look',
      {},
      async (_, ctx) => {
        const messages = [{ role: 'user', content: image }] as const;
        const said = await ctx.sample('look', {
          messages,
          maxTokens: 8,
          modelPreferences: { speedPriority },
        });
        return JSON.stringify(said.content);
      },
    );
  const asked: unknown[] = [];
  const onSample: OnSample = (params) => {
    asked.push(params.messages);
    return { role: 'assistant', content: image, model: 'm' };
  };
  const within = await serve(asking(1), { onSample });
  expect((await within.client.callTool('look')).content).toMatchObject([{ text: JSON.stringify(image) }]);
  expect(asked).toMatchObject([[{ role: 'user', content: image }]]);
  const beyond = await serve(asking(1.5), { onSample });
  await beyond.client.callTool('look').catch(() => {});
  expect(asked).toHaveLength(1);
});
