import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const annotations = {
  audience: ['user', 'assistant'],
  priority: 0.7,
  lastModified: '2025-05-03T14:30:00Z',
} as const;
const blocks = [
  { type: 'text', text: 'A mortise', annotations },
  { type: 'image', data: 'iVBORw==', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', annotations },
  { type: 'resource_link', uri: 'plan://a', name: 'plan', mimeType: 'text/plain', annotations },
  { type: 'resource', resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' }, annotations },
] as const;

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  const output = z.object({ sum: z.number() });
  server.resource('plan://a', { mimeType: 'text/plain' }, () => 'Cut.');
  return server
    .tool('show', {}, () => blocks)
    .tool('add', { output }, () => ({ sum: 3 }))
    .tool('lie', { output }, () => ({ sum: 'three' }) as never)
    .tool('saw', { input: z.object({ boards: z.number() }) }, () => 'Sawn');
}

requirement(
  [
    '2025-11-25-server-features/tools/content-text',
    '2025-11-25-server-features/tools/content-image',
    '2025-11-25-server-features/tools/content-audio',
    '2025-11-25-server-features/tools/content-link',
    '2025-11-25-server-features/tools/content-resource',
    '2024-11-05/server/tools/content-kinds',
    'draft-tools/tools/content-kinds',
  ],
  {},
  async ({ serve, revision }) => {
    const { client, wire } = await serve(bench());
    await client.callTool('show');
    const { content } = wire.answer('tools/call').result as { content: unknown[] };
    expect(content).toHaveLength(blocks.length);
    const [text, image, audio, link, resource] = content;
    expect([text, image, resource]).toMatchObject([
      { type: 'text', text: 'A mortise' },
      { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' } },
    ]);
    const isHeard = revision > '2024-11-05';
    expect(audio).toMatchObject(
      isHeard ? { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } : { type: 'text' },
    );
    const isLinked = revision >= '2025-06-18';
    expect(link).toMatchObject(isLinked ? { type: 'resource_link', uri: 'plan://a' } : { type: 'text' });
  },
);

requirement(['2025-03-26/tools/content-kinds', '2025-03-26/tools/result-members'], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  await client.callTool('show');
  const { content, isError } = wire.answer('tools/call').result as {
    content: { type: string }[];
    isError: boolean;
  };
  expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'audio', 'text', 'resource']);
  expect(isError).toBe(false);
});

requirement(
  ['draft-tools/tools/annotated-content', 'draft-tools/tools/resources-capability'],
  {},
  async ({ serve }) => {
    const { client } = await serve(bench());
    expect((await client.callTool('show')).content).toEqual(blocks);
    expect(client.capabilities.resources).toBeDefined();
    expect(await client.readResource('plan://a')).toMatchObject({ contents: [{ text: 'Cut.' }] });
  },
);

requirement(
  ['2025-11-25-server-features/tools/structured-as-text', '2025-11-25-server-features/tools/call'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const { structuredContent } = await client.callTool('add');
    expect(structuredContent).toEqual({ sum: 3 });
    expect(wire.sent('client', 'tools/call')[0]?.params).toMatchObject({ name: 'add' });
    expect(wire.answer('tools/call').result).toMatchObject({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    });
  },
);

requirement(['2025-11-25-server-features/tools/output-conforms'], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  await client.request('tools/call', { name: 'lie' }).catch(() => {});
  expect(JSON.stringify(wire.answer('tools/call'))).not.toContain('structuredContent');
  expect(JSON.stringify(wire.answer('tools/call'))).not.toContain('three');
});

requirement(['2025-11-25-server-features/tools/client-validates'], {}, async ({ serve }) => {
  const server = bench().use(async (call, next) => {
    const result = await next();
    return call.method === 'tools/call' ? { ...result, structuredContent: { sum: 'three' } } : result;
  });
  const { client, wire } = await serve(server);
  await client.tools().all();
  await expect(client.callTool('add')).rejects.toThrow('sum');
  expect(wire.answer('tools/call').result).toMatchObject({ structuredContent: { sum: 'three' } });
});

requirement(
  [
    '2025-11-25-server-features/tools/invalid-input',
    '2025-11-25-server-features/tools/errors-to-models',
    '2025-11-25-server-features/tools/inputs-validated',
    'draft-tools/tools/inputs-validated',
    'draft-tools/tools/execution-errors',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(bench());
    const outcome = await client.request('tools/call', { name: 'saw', arguments: { boards: 'two' } });
    expect(outcome).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(JSON.stringify(outcome)).toContain('boards');
  },
);

requirement(
  ['2025-11-25-server-features/tools/protocol-errors', 'draft-tools/tools/protocol-errors-to-models'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const error = await client.request('tools/call', { name: 'nobody' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32_602, peerMessage: 'Unknown tool: nobody' });
    expect(wire.answer('tools/call')).not.toHaveProperty('result');
  },
);
