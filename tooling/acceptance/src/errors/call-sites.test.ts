import { type Client, connect, RemoteError, SessionError, TransportError } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer, RpcError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { connectTest, everyRevision, FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';

const info = { name: 'test', version: '1.0.0' };

const server = () =>
  createServer(info, { onError: () => undefined })
    .tool('refuse', {}, () => {
      throw new RpcError(4_001, 'No such index.');
    })
    .tool(
      'sleep',
      {},
      (_, { signal }) =>
        new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    )
    .resource('note:1', {}, () => {
      throw new RpcError(4_001, 'No such note.');
    });

type Made = Client<never>;

async function callsARefusingTool(client: Made): Promise<unknown> {
  return await client.request('tools/call', { name: 'refuse' });
}

async function readsABrokenNote(client: Made): Promise<unknown> {
  return await client.readResource('note:1');
}

async function callsASleepingTool(client: Made): Promise<unknown> {
  return await client.request('tools/call', { name: 'sleep' }, { timeout: 1_000 });
}

async function failureOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('The call did not fail.');
}

const places = everyRevision.flatMap((revision) =>
  (['memory', 'http'] as const).map((transport) => ({ revision, transport })),
);

describe.each(places)('the stack of a failed call in $revision over $transport', (place) => {
  it('names the caller of a tool the server rejects', async () => {
    await using made = await connectTest(server(), place);
    const failure = await failureOf(callsARefusingTool(made.client as Made));
    expect(failure).toBeInstanceOf(RemoteError);
    expect(failure.stack).toContain('callsARefusingTool');
    expect(failure.stack).toMatch(/^RemoteError: tools\/call refuse: No such index\.\n/);
  });

  it('names the caller of a read the server rejects', async () => {
    await using made = await connectTest(server(), place);
    const failure = await failureOf(readsABrokenNote(made.client as Made));
    expect(failure.stack).toContain('readsABrokenNote');
  });

  it('names the caller of a tool that times out', async () => {
    const clock = new FakeClock();
    await using made = await connectTest(server(), { ...place, client: { clock } });
    const failing = failureOf(callsASleepingTool(made.client as Made));
    await clock.pass(1_001);
    const failure = await failing;
    expect(failure).toBeInstanceOf(SessionError);
    expect(failure.message).toMatch(/^tools\/call sleep was not answered within 1000 ms/);
    expect(failure.stack).toContain('callsASleepingTool');
  });
});

describe('the stack of a call after a transport error', () => {
  it.each(everyRevision)('names the caller in %s over memory', async (revision) => {
    const target = memoryTarget(server());
    const open = async () => {
      const connection = await target.open();
      const { send } = connection;
      connection.send = (frame, envelope) =>
        frame.includes('"tools/call"')
          ? Promise.reject(new TransportError('The wire broke.'))
          : send.call(connection, frame, envelope);
      return connection;
    };
    const client = await connect({ ...target, open }, { info, revision });
    const failure = await failureOf(callsARefusingTool(client as Made));
    expect(failure).toBeInstanceOf(TransportError);
    expect(failure.message).toBe('tools/call refuse: The wire broke.');
    expect(failure.stack).toContain('callsARefusingTool');
    await client.close();
  });

  it('names the caller over HTTP', async () => {
    const http = await serveHttp(server(), { host: '127.0.0.1', port: 0 });
    const client = await connect(http.url, { info, revision: '2026-07-28' });
    await http.close();
    const failure = await failureOf(callsARefusingTool(client as Made));
    expect(failure).toBeInstanceOf(TransportError);
    expect(failure.message).toMatch(/^tools\/call refuse: /);
    expect(failure.stack).toContain('callsARefusingTool');
    await client.close();
  });
});
