import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const lifecycle = '2024-11-05/basic/lifecycle';

function bench() {
  const server = createServer({ name: 'bench', version: '1.2.3' });
  return server.tool('where', {}, async (_, ctx) => `${(await ctx.roots('folders')).length}`);
}

requirement(
  [
    '2024-11-05/basic/index/base-and-lifecycle',
    '2024-11-05/basic/transports/custom-transports',
    `${lifecycle}/first-interaction`,
    `${lifecycle}/client-begins`,
    `${lifecycle}/client-version`,
  ],
  {},
  async ({ serve, revision }) => {
    const { wire } = await serve(bench(), { roots: [] });
    expect(wire.frames[0]).toMatchObject({
      from: 'client',
      said: {
        method: 'initialize',
        params: {
          protocolVersion: revision,
          capabilities: { roots: { listChanged: true } },
          clientInfo: { name: 'matrix', version: '1.0.0' },
        },
      },
    });
    expect(wire.frames[1]).toMatchObject({ from: 'server', said: { result: {} } });
  },
);

requirement(
  [`${lifecycle}/server-answers`, `${lifecycle}/server-same`, '2024-11-05/basic/versioning/one-version'],
  {},
  async ({ serve, revision }) => {
    const { client, wire } = await serve(bench());
    expect(wire.answer('initialize').result).toMatchObject({
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1.2.3' },
    });
    expect(client.revision).toBe(revision);
    expect(wire.sent('client', 'initialize')).toHaveLength(1);
  },
);

requirement([`${lifecycle}/server-other`], {}, async ({ serve, revision }) => {
  const others = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].filter((one) => one !== revision);
  const server = createServer({ name: 'bench', version: '1.2.3' }, { revisions: others });
  const refused = await serve(server).catch((error: unknown) => error);
  expect(refused).toMatchObject({ reason: 'no-common-revision' });
  expect(String(refused)).toContain(others.at(-1));
});

requirement([`${lifecycle}/initialized`, `${lifecycle}/client-waits`], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench(), { roots: [{ uri: 'file:///a' }] });
  await client.callTool('where');
  const order = wire.frames.flatMap(({ said }) => said).map(({ method }) => method ?? 'an answer');
  expect(order.slice(0, 3)).toEqual(['initialize', 'an answer', 'notifications/initialized']);
  expect(order).toContain('roots/list');
});
