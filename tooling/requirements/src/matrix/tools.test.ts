import { createServer, ToolError } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  return server
    .tool('saw', { input: z.object({ boards: z.number() }) }, ({ boards }) => `Sawn ${boards}`)
    .tool('break', {}, () => {
      throw new ToolError('The board is too short.');
    })
    .tool('crash', {}, () => {
      throw new Error('The password is swordfish.');
    })
    .tool('plan', {}, () => ({
      content: [{ type: 'resource', resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' } }],
    }));
}

requirement(['2024-11-05/server/tools/embedded-resources'], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  await client.callTool('plan');
  expect(wire.answer('tools/call').result).toMatchObject({
    content: [{ type: 'resource', resource: { uri: 'plan://a', mimeType: 'text/plain', text: 'Cut.' } }],
  });
});

requirement(['2024-11-05/server/tools/protocol-errors'], {}, async ({ serve }) => {
  const { client } = await serve(bench());
  await expect(client.request('tools/call', { name: 'nobody' })).rejects.toMatchObject({
    code: -32_602,
    peerMessage: 'Unknown tool: nobody',
  });
  await expect(client.request('tools/call', { name: 1 } as never)).rejects.toMatchObject({ code: -32_602 });
});

requirement(
  ['2024-11-05/server/tools/execution-errors', 'draft-tools/tools/execution-errors'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const said = await client.callTool('break');
    expect(said).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'The board is too short.' }],
    });
    expect(await client.callTool('crash')).toMatchObject({ isError: true });
    expect(JSON.stringify(wire.frames)).not.toContain('swordfish');
  },
);

requirement(['2024-11-05/server/tools/inputs-validated'], {}, async ({ serve, revision }) => {
  const { client, wire } = await serve(bench());
  const params = { name: 'saw', arguments: { boards: 'two' } };
  const outcome = await client.request('tools/call', params).catch(({ code }) => ({ code }));
  // Until 2025-06-18 invalid arguments were a protocol error; later revisions report them to the model.
  const isRead = revision > '2025-06-18';
  expect(outcome).toMatchObject(isRead ? { isError: true } : { code: -32_602 });
  expect(JSON.stringify(wire.answer('tools/call'))).toContain('boards');
});
