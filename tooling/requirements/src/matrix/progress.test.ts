import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';
import type { Wire } from './wire.js';

function bench() {
  return createServer({ name: 'bench', version: '1.0.0' }, { logging: false })
    .tool('plane', {}, (_, ctx) => {
      ctx.progress(0.25, 1.5);
      ctx.progress(0.25, 1.5);
      ctx.progress(0.1, 1.5);
      ctx.progress(1, 1.5);
      return 'Planed';
    })
    .tool('saw', {}, (_, ctx) => {
      ctx.progress(1);
      return 'Sawn';
    })
    .tool('measure', {}, () => '40 mm');
}

function tokens(wire: Wire): readonly unknown[] {
  return wire.sent('client', 'tools/call').map(({ params }) => {
    const meta = params?._meta as { readonly progressToken?: unknown } | undefined;
    return meta?.progressToken;
  });
}

requirement(
  [
    '2024-11-05/basic/utilities/progress/token-kind',
    '2024-11-05/basic/utilities/progress/token-in-meta',
    '2024-11-05/basic/utilities/progress/reported',
    '2024-11-05/basic/utilities/progress/increases',
    '2024-11-05/basic/utilities/progress/floating',
    '2024-11-05/basic/utilities/progress/any-frequency',
  ],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    const heard: unknown[] = [];
    await client.callTool('plane', {}, { onProgress: (one) => void heard.push(one) });
    const [token] = tokens(wire);
    expect(typeof token === 'string' || Number.isInteger(token)).toBe(true);
    const reports = wire.sent('server', 'notifications/progress').map(({ params }) => params);
    expect(reports.at(-1)).toMatchObject({ progressToken: token, progress: 1, total: 1.5 });
    const values = reports.map((params) => params?.progress as number);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(heard).toHaveLength(reports.length);
    expect(wire.from('server').at(-1)).toHaveProperty('result');
  },
);

requirement(['2024-11-05/basic/utilities/progress/token-unique'], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  const options = { onProgress: () => {} };
  await Promise.all(Array.from({ length: 20 }, () => client.callTool('plane', {}, options)));
  expect(new Set(tokens(wire)).size).toBe(20);
});

requirement(
  ['2024-11-05/basic/utilities/progress/none-sent', '2024-11-05/basic/utilities/progress/no-total'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    await client.callTool('measure', {}, { onProgress: () => {} });
    expect(wire.sent('server', 'notifications/progress')).toEqual([]);
    await client.callTool('saw', {}, { onProgress: () => {} });
    const [report] = wire.sent('server', 'notifications/progress');
    expect(report?.params).toMatchObject({ progress: 1 });
    expect(report?.params).not.toHaveProperty('total');
  },
);

requirement(['2025-03-26/progress/total-and-message'], {}, async ({ serve }) => {
  const server = createServer({ name: 'bench', version: '1.0.0' }).tool('plane', {}, (_, ctx) => {
    ctx.progress(1, 2, 'one board');
    return 'Planed';
  });
  const { client, wire } = await serve(server);
  const heard: unknown[] = [];
  await client.callTool('plane', {}, { onProgress: (one) => void heard.push(one) });
  expect(heard).toMatchObject([{ progress: 1, total: 2, message: 'one board' }]);
  expect(wire.sent('server', 'notifications/progress')[0]?.params).toMatchObject({
    total: 2,
    message: 'one board',
  });
});
