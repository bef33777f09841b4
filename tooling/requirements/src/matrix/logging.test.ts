import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  server.tool('saw', {}, (_, ctx) => {
    ctx.log('debug', 'The saw is sharp');
    ctx.log('warning', { board: 1, cut: { depth: 0.5 } }, 'saw');
    ctx.log('error', ['The board broke'], 'saw');
    return 'Sawn';
  });
  server.tool('tangle', {}, (_, ctx) => {
    const circle: unknown[] = [];
    circle.push(circle);
    ctx.log('error', circle, 'saw');
    return 'Tangled';
  });
  return server;
}

requirement(
  ['2024-11-05/server/utilities/logging/set-level', '2024-11-05/server/utilities/logging/invalid-level'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    await client.setLogLevel('error');
    expect(wire.answer('logging/setLevel').result).toEqual({});
    await client.request('tools/call', { name: 'saw' });
    expect(wire.sent('server', 'notifications/message')).toHaveLength(1);
    await expect(client.request('logging/setLevel', { level: 'loud' as never })).rejects.toMatchObject({
      code: -32_602,
    });
  },
);

requirement(['2024-11-05/server/utilities/logging/configuration-errors'], {}, async ({ serve }) => {
  const server = bench().use((call, next) => {
    if (call.method === 'logging/setLevel') throw new Error('The disk with the levels is full.');
    return next();
  });
  const { client } = await serve(server);
  await expect(client.setLogLevel('error')).rejects.toMatchObject({ code: -32_603 });
});

requirement(
  [
    '2024-11-05/server/utilities/logging/context',
    '2024-11-05/server/utilities/logging/logger-names',
    '2024-11-05/server/utilities/logging/presented',
    '2025-03-26/logging/message',
    '2024-11-05/server/utilities/logging/severity-displayed',
  ],
  {},
  async ({ serve }) => {
    const heard: unknown[] = [];
    const { client, wire } = await serve(bench(), {
      logLevel: 'debug',
      onLog: (message) => void heard.push(message),
    });
    await client.request('tools/call', { name: 'saw' });
    expect(wire.sent('server', 'notifications/message').map(({ params }) => params)).toMatchObject(heard);
    expect(heard).toMatchObject([
      { level: 'debug', data: 'The saw is sharp' },
      { level: 'warning', logger: 'saw', data: { board: 1, cut: { depth: 0.5 } } },
      { level: 'error', logger: 'saw', data: ['The board broke'] },
    ]);
  },
);

requirement(['2024-11-05/server/utilities/logging/fields-validated'], {}, async ({ serve }) => {
  const { client } = await serve(bench(), { logLevel: 'debug' });
  // Data that is not JSON affects neither the call nor the connection.
  expect(await client.request('tools/call', { name: 'tangle' })).toMatchObject({
    content: [{ text: 'Tangled' }],
  });
  expect(await client.request('tools/call', { name: 'saw' })).toMatchObject({ content: [{ text: 'Sawn' }] });
});

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

requirement(
  ['2025-03-26/logging/levels', '2024-11-05/server/utilities/logging/levels'],
  {},
  async ({ serve }) => {
    const server = createServer({ name: 'bench', version: '1.0.0' }).tool('all', {}, (_, ctx) => {
      for (const level of levels) ctx.log(level, level);
      return '';
    });
    for (const [at, level] of levels.entries()) {
      const { client, wire } = await serve(server);
      await client.setLogLevel(level);
      await client.callTool('all');
      const heard = wire.sent('server', 'notifications/message').map(({ params }) => params?.level);
      expect(heard).toEqual(levels.slice(at));
    }
  },
);
