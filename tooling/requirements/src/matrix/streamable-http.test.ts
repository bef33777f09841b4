import { createServer, type Server } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { expect, onTestFinished } from 'vitest';
import { RawSession } from './raw-session.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;

function bench(): Server {
  const server = createServer({ name: 'bench', version: '1.0.0' }) as Server;
  server.tool('saw', {}, (_, ctx) => {
    ctx.progress(1, 2);
    return 'Sawn';
  });
  return server.tool('measure', {}, () => '40 mm') as Server;
}

async function opened(server: Server, revision: string): Promise<RawSession> {
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return RawSession.open(serving.url, revision);
}

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const reporting = (id: number, name: string) => {
  const said = call(id, name);
  return { ...said, params: { ...said.params, _meta: { progressToken: `t${id}` } } };
};

requirement(['2025-03-26/streamable-http/accepted'], overHttp, async ({ revision }) => {
  const session = await opened(bench(), revision);
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
  const response = { jsonrpc: '2.0', id: 'unknown', result: {} };
  for (const body of [notification, response, [notification, response]])
    expect(await session.post(body)).toMatchObject({ status: 202, body: '' });
});

requirement(
  [
    '2025-03-26/streamable-http/answer-type',
    '2025-03-26/streamable-http/one-response-each',
    '2025-03-26/streamable-http/before-responses',
    '2025-03-26/streamable-http/body',
  ],
  overHttp,
  async ({ revision }) => {
    const session = await opened(bench(), revision);
    const plain = await session.post(call(1, 'measure'));
    expect(plain).toMatchObject({ status: 200, messages: [{ id: 1, result: {} }] });
    const streamed = await session.post(reporting(2, 'saw'));
    expect(streamed.messages).toMatchObject([{ method: 'notifications/progress' }, { id: 2, result: {} }]);
    const batch = await session.post([call(3, 'measure'), reporting(4, 'saw'), call(5, 'nobody')]);
    const responses = batch.messages.filter(({ method }) => method === undefined);
    expect(responses.map(({ id }) => id).sort()).toEqual([3, 4, 5]);
    for (const { type } of [plain, streamed, batch])
      expect(type).toMatch(/^(application\/json|text\/event-stream)/);
    expect(streamed.type).toMatch(/^text\/event-stream/);
  },
);

requirement(
  [
    '2025-03-26/streamable-http/single-endpoint',
    '2025-03-26/streamable-http/stream-or-405',
    '2025-03-26/streamable-http/unrelated-messages',
    '2025-03-26/streamable-http/no-responses',
    '2025-03-26/streamable-http/several-streams',
    '2025-03-26/streamable-http/one-stream-each',
  ],
  overHttp,
  async ({ revision }) => {
    const server = bench();
    const session = await opened(server, revision);
    const beside = await session.listen();
    expect(beside.status).toBe(200);
    expect(beside.type).toMatch(/^text\/event-stream/);
    const [first, second] = await Promise.all([
      session.post(reporting(1, 'saw')),
      session.post(reporting(2, 'saw')),
    ]);
    for (const [at, { messages }] of [first, second].entries()) {
      expect(messages).toMatchObject([{ params: { progressToken: `t${at + 1}` } }, { id: at + 1 }]);
      expect(messages).toHaveLength(2);
    }
    server.tool('plane', {}, () => '');
    // A response or report on this stream would have arrived earlier.
    expect(await beside.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await beside.close();
  },
);

requirement(
  ['2025-03-26/sessions/id-required', '2025-03-26/sessions/terminated'],
  overHttp,
  async ({ revision }) => {
    const session = await opened(bench(), revision);
    expect(await session.post(call(1, 'measure'))).toMatchObject({ status: 200 });
    const without = { ...(revision > '2025-03-26' && { 'mcp-protocol-version': revision }) };
    expect(await session.post(call(2, 'measure'), without)).toMatchObject({ status: 400 });
    expect(await session.end()).toBeLessThan(300);
    expect(await session.post(call(3, 'measure'))).toMatchObject({ status: 404 });
  },
);
