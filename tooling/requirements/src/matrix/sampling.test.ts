import type { OnSample } from '@tenon/mcp-client';
import { createServer, RpcError } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

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

requirement(
  ['2024-11-05/client/sampling/capability', '2024-11-05/architecture/sampling-declared'],
  {},
  async ({ serve }) => {
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
  },
);

requirement(
  [
    '2024-11-05/client/sampling/edited-by-application',
    '2024-11-05/client/sampling/hints-mapped',
    '2024-11-05/client/sampling/content-validated',
    '2024-11-05/client/sampling/hints-in-order',
  ],
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

requirement(
  ['2024-11-05/client/sampling/errors', '2024-11-05/index/sampling-occurs'],
  {},
  async ({ serve }) => {
    const onSample: OnSample = () => {
      throw new RpcError(-1, 'User rejected sampling request');
    };
    const { client, wire } = await serve(bench(), { onSample });
    expect((await client.callTool('name')).content).toMatchObject([
      { text: expect.stringContaining('User rejected sampling request') },
    ]);
    expect(wire.answer('sampling/createMessage', 'server').error).toMatchObject({ code: -1 });
  },
);

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

requirement(
  ['2024-11-05/client/sampling/content-kinds', '2024-11-05/client/sampling/priorities'],
  {},
  async ({ serve }) => {
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
    const message = { role: 'user', content: image };
    for (const priority of [0, 1]) {
      const { client } = await serve(asking(priority), { onSample });
      expect((await client.callTool('look')).content).toMatchObject([{ text: JSON.stringify(image) }]);
    }
    expect(asked).toMatchObject([[message], [message]]);
    for (const priority of [-0.1, 1.5]) {
      const { client } = await serve(asking(priority), { onSample });
      await client.callTool('look').catch(() => {});
    }
    expect(asked).toHaveLength(2);
  },
);

requirement(
  ['2024-11-05/client/sampling/content-validated'],
  { title: 'Neither end hands on what is no content.' },
  async ({ serve }) => {
    const broken = { type: 'text' } as never;
    const asked: unknown[] = [];
    const onSample: OnSample = (params) => {
      asked.push(params);
      return { role: 'assistant', content: broken, model: 'm' };
    };
    const mute = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} }).tool(
      'mute',
      {},
      async (_, ctx) => {
        const asking = ctx.sample('m', { messages: [{ role: 'user', content: broken }], maxTokens: 8 });
        return asking.then(
          () => 'heard',
          () => 'refused',
        );
      },
    );
    const before = await serve(mute, { onSample });
    expect((await before.client.callTool('mute')).content).toMatchObject([{ text: 'refused' }]);
    expect(asked).toEqual([]);
    const after = await serve(bench(), { onSample });
    expect((await after.client.callTool('name')).content).not.toMatchObject([
      { text: expect.stringContaining('m: ') },
    ]);
    expect(asked).toHaveLength(1);
  },
);
