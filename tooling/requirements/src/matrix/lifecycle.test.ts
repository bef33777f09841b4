import { createServer } from '@tenon/mcp-server';
import { serveMemory } from '@tenon/mcp-server/memory';
import { expect } from 'vitest';
import { requirement } from './requirement.js';
import type { Message } from './wire.js';

function bench() {
  const server = createServer({ name: 'bench', version: '1.2.3' });
  return server.tool('where', {}, async (_, ctx) => `${(await ctx.roots('folders')).length}`);
}

requirement(
  [
    '2024-11-05/basic/index/base-and-lifecycle',
    '2024-11-05/basic/transports/custom-transports',
    '2024-11-05/basic/lifecycle/first-interaction',
    '2024-11-05/basic/lifecycle/client-begins',
    '2024-11-05/basic/lifecycle/client-version',
    '2025-03-26/lifecycle/declared',
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
  [
    '2024-11-05/basic/lifecycle/server-answers',
    '2024-11-05/basic/lifecycle/server-same',
    '2024-11-05/basic/versioning/one-version',
    '2025-03-26/lifecycle/answer-members',
    '2025-03-26/lifecycle/declared',
  ],
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

requirement(['2024-11-05/basic/lifecycle/server-other'], {}, async ({ serve, revision }) => {
  const others = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].filter((one) => one !== revision);
  const server = createServer({ name: 'bench', version: '1.2.3' }, { revisions: others });
  const refused = await serve(server).catch((error: unknown) => error);
  expect(refused).toMatchObject({ reason: 'no-common-revision' });
  expect(String(refused)).toContain(others.at(-1));
});

requirement(
  ['2024-11-05/basic/lifecycle/initialized', '2024-11-05/basic/lifecycle/client-waits'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench(), { roots: [{ uri: 'file:///a' }] });
    await client.callTool('where');
    const order = wire.frames.flatMap(({ said }) => said).map(({ method }) => method ?? 'an answer');
    expect(order.slice(0, 3)).toEqual(['initialize', 'an answer', 'notifications/initialized']);
    expect(order).toContain('roots/list');
  },
);

requirement(['2024-11-05/basic/lifecycle/server-waits'], { transports: ['memory'] }, async ({ revision }) => {
  const connection = serveMemory(bench());
  const asked: Message[] = [];
  const waits: { when: (message: Message) => boolean; done: () => void }[] = [];
  const receive = (value: unknown) => {
    const message = value as Message;
    if (message.method !== undefined && message.id !== undefined) asked.push(message);
    for (const { when, done } of waits) if (when(message)) done();
    return undefined;
  };
  const heard = (when: (message: Message) => boolean) =>
    new Promise<void>((done) => waits.push({ when, done }));
  connection.start({ receive, malformed: () => undefined, closed: () => undefined });
  const send = (message: object) => void connection.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const clientInfo = { name: 'matrix', version: '1.0.0' };
  const params = { protocolVersion: revision, capabilities: { roots: {} }, clientInfo };
  const pong = heard(({ id }) => id === 3);
  send({ id: 1, method: 'initialize', params });
  send({ id: 2, method: 'tools/call', params: { name: 'where' } });
  send({ id: 3, method: 'ping' });
  await pong;
  expect(asked).toEqual([]);
  const question = heard(({ method }) => method === 'roots/list');
  send({ method: 'notifications/initialized' });
  await question;
  const answer = heard(({ id, result }) => id === 2 && result !== undefined);
  send({ id: asked[0]?.id, result: { roots: [] } });
  await answer;
  await connection.close();
});
