import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

requirement(
  ['2025-03-26/json-rpc/send-batches', '2025-03-26/json-rpc/receive-batches'],
  {},
  async ({ serve }) => {
    const server = createServer({ name: 'bench', version: '1.0.0' }).tool('measure', {}, () => '40 mm');
    const { client, wire } = await serve(server);
    const [first, second] = client.batch([
      { method: 'tools/call', params: { name: 'measure' } },
      { method: 'tools/call', params: { name: 'nobody' } },
    ]);
    await expect(second).rejects.toMatchObject({ code: -32_602 });
    expect((await first).content).toMatchObject([{ text: '40 mm' }]);
    const batch = wire.frames.find(({ from, said }) => from === 'client' && Array.isArray(said));
    expect(batch?.said).toMatchObject([{ method: 'tools/call' }, { method: 'tools/call' }]);
  },
);
