import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const make = (release: Promise<void> = Promise.resolve()) =>
  createServer({ name: 'working', version: '1.0.0' })
    .tool('saw', {}, async (_, ctx) => {
      for (const step of [0.5, 1, 1, 0.25, 2]) ctx.progress(step, 2, `Board ${step}`);
      ctx.log('debug', 'sharp');
      ctx.log('error', 'broken');
      await release;
      return 'sawn';
    })
    .tool('glue', {}, (_, ctx) => {
      ctx.progress(1);
      return new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
      });
    });

requirement(
  [
    '2026-07-28/basic/patterns/progress/progress-increases',
    '2026-07-28/basic/patterns/progress/token-provided',
    '2026-07-28/basic/patterns/progress/token-unique',
    '2026-07-28/basic/patterns/progress/stops',
  ],
  { title: 'Progress names the token of its call, grows, and is over with the answer.' },
  async ({ serve }) => {
    const { client, wire } = await serve(make());
    const seen: number[] = [];
    await Promise.all([
      client.callTool('saw', {}, { onProgress: ({ progress }) => seen.push(progress) }),
      client.callTool('saw', {}, { onProgress: () => undefined }),
    ]);
    expect(seen).toEqual([0.5, 1, 2]);
    const tokens = wire
      .sent('client', 'tools/call')
      .map(({ params }) => (params?._meta as { progressToken?: unknown })?.progressToken);
    expect(new Set(tokens).size).toBe(2);
    for (const [at, token] of tokens.entries()) {
      const { id } = wire.sent('client', 'tools/call')[at] ?? {};
      const from = wire.from('server');
      const notified = from.filter(({ params }) => params?.progressToken === token);
      expect(notified.map(({ params }) => params?.progress)).toEqual([0.5, 1, 2]);
      const answer = from.findIndex((one) => one.id === id && one.result !== undefined);
      expect(Math.max(...notified.map((one) => from.indexOf(one)))).toBeLessThan(answer);
    }
  },
);

requirement(
  [
    '2026-07-28/server/utilities/logging/no-level-no-logs',
    '2026-07-28/server/utilities/logging/level-respected',
  ],
  {},
  async ({ serve }) => {
    const logs: unknown[] = [];
    const { client, wire } = await serve(make(), { onLog: ({ data }) => void logs.push(data) });
    await client.callTool('saw');
    expect(wire.sent('server', 'notifications/message')).toEqual([]);
    await client.callTool('saw', {}, { logLevel: 'warning' });
    await client.callTool('saw', {}, { logLevel: 'debug' });
    await client.callTool('saw');
    expect(logs).toEqual(['broken', 'sharp', 'broken']);
  },
);

requirement(
  [
    '2026-07-28/basic/patterns/cancellation/client-cancels',
    '2026-07-28/basic/patterns/cancellation/no-response',
  ],
  { title: 'A call that is given up is cancelled as its transport does, and not answered.' },
  async ({ serve, transport }) => {
    const { client, wire } = await serve(make());
    const giving = new AbortController();
    const call = client.callTool(
      'glue',
      {},
      { signal: giving.signal, onProgress: () => giving.abort('enough') },
    );
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    await client.callTool('saw');
    const [given] = wire.sent('client', 'tools/call');
    expect(wire.from('server').filter(({ id }) => id === given?.id)).toEqual([]);
    const notified = wire.sent('client', 'notifications/cancelled').map(({ params }) => params?.requestId);
    expect(notified).toEqual(transport === 'http' ? [] : [given?.id]);
  },
);
