import { connect } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, RemoteError, TransportError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, onTestFinished, test } from 'vitest';

const overHttp = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const info = { name: 'caller', version: '1' };

const make = () =>
  createServer({ name: 'busy', version: '1' }, { rates: { calls: { perSecond: 0.1, burst: 2 } } }).tool(
    'hello',
    {},
    () => 'Hello',
  );

async function overHttpTo(revision: string) {
  const serving = await serveHttp(make());
  onTestFinished(() => serving.close());
  return connect<ReturnType<typeof make>>(serving.url, { info, revision });
}

const inMemory = (revision: string) => connectMemory(make(), { info, revision });

describe.each([
  ...overHttp.map((revision) => ['HTTP', revision, overHttpTo] as const),
  ...['2024-11-05', ...overHttp].map((revision) => ['memory', revision, inMemory] as const),
])('over %s in %s', (transport, revision, open) => {
  test('rejects a call beyond the rate with the wait, and keeps the connection', async () => {
    const client = await open(revision);
    onTestFinished(() => client.close());
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => client.callTool('hello')));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const [refused] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toBeInstanceOf(RemoteError);
    expect(refused).toMatchObject({
      code: -31004,
      message: expect.stringMatching(/^tools\/call hello: Too many tool calls: try again in (9|10) s\.$/),
      data: { retryAfterMs: expect.any(Number) },
    });
    if (transport === 'HTTP') {
      expect(refused.cause).toBeInstanceOf(TransportError);
      expect(refused.cause).toMatchObject({ status: 429 });
    }
    const names: string[] = [];
    for await (const tool of client.tools()) names.push(tool.name);
    expect(names).toEqual(['hello']);
    expect(client.state).toBe('open');
  });
});
