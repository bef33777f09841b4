import { once } from 'node:events';
import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

requirement(
  [
    '2024-11-05/basic/utilities/cancellation/own-requests',
    '2024-11-05/basic/utilities/cancellation/stops',
    '2024-11-05/basic/utilities/cancellation/unanswered',
    '2025-03-26/cancellation/request-id',
    '2025-03-26/cancellation/issued-requests',
  ],
  { transports: ['memory', 'stdio', 'http', 'sse'] },
  async ({ serve }) => {
    let stopped: Promise<unknown> = Promise.resolve();
    let begun: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const server = createServer({ name: 'bench', version: '1.0.0' })
      .tool('glue', {}, async (_, ctx) => {
        stopped = once(ctx.signal, 'abort');
        begun();
        await stopped;
        return 'Never told';
      })
      .tool('measure', {}, () => '40 mm');
    const { client, wire } = await serve(server);
    const calling = new AbortController();
    const call = client.callTool('glue', {}, { signal: calling.signal });
    await beginning;
    calling.abort();
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    await stopped;
    await client.callTool('measure');
    const [asked] = wire.sent('client', 'tools/call');
    const [cancelled] = wire.sent('client', 'notifications/cancelled');
    expect(cancelled?.params).toMatchObject({ requestId: asked?.id });
    expect(wire.from('server').filter(({ id }) => id === asked?.id)).toEqual([]);
  },
);
