import { otherBounds } from '@tenon/foundation';
import { createServer } from '@tenon/mcp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ConnectTestOptions, connectTest, everyRevision, FakeClock } from './index.js';

const transports = ['memory', 'stdio', 'http'] as const;
const everywhere = transports.flatMap((transport) =>
  everyRevision.map((revision) => ({ transport, revision })),
);

const adder = () =>
  createServer({ name: 'adder', version: '1.0.0' }).tool(
    'add',
    { input: z.object({ a: z.number(), b: z.number() }), output: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ sum: a + b }),
  );

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function joined<T extends { close(): Promise<void> }>(connection: Promise<T>): Promise<T> {
  const opened = await connection;
  closing.push(() => opened.close());
  return opened;
}

test.each(everywhere)('connects in $revision over $transport', async ({ transport, revision }) => {
  const { client, frames } = await joined(connectTest(adder(), { transport, revision }));
  expect(client.revision).toBe(revision);
  const { content } = await client.callTool('add', { a: 1, b: 2 });
  expect(content).toEqual([{ type: 'text', text: '{"sum":3}' }]);
  const calls = frames.filter(({ message }) => (message as { method?: string }).method === 'tools/call');
  expect(calls).toMatchObject([
    { from: 'client', connection: 1, message: { params: { arguments: { a: 1 } } } },
  ]);
  expect(frames.at(-1)).toMatchObject({ from: 'server', message: { result: { content } } });
});

test('uses the newest revision by default', async () => {
  const { client } = await joined(connectTest(adder()));
  expect(client.revision).toBe(everyRevision[0]);
});

test('leaves the server running when a test connection is closed', async () => {
  const server = adder();
  for (const transport of transports) {
    const { client, close } = await connectTest(server, { transport });
    await close();
    await close();
    expect(client.state).toBe('closed');
  }
  const { client } = await joined(connectTest(server));
  await expect(client.callTool('add', { a: 1, b: 1 })).resolves.toMatchObject({ isError: false });
});

test('passes options and clock to the client', async () => {
  const clock = new FakeClock();
  const server = createServer({ name: 'slow', version: '1' }, { onError: () => {} }).tool(
    'wait',
    {},
    () => new Promise(() => {}),
  );
  const { client } = await joined(connectTest(server, { client: { clock } }));
  const call = expect(client.callTool('wait', {}, { timeout: 500 })).rejects.toMatchObject({
    reason: 'timeout',
  });
  await clock.advance(500);
  await call;
});

test.each(everywhere)('passes the principal to the server in $revision over $transport', async (where) => {
  const server = createServer({ name: 'doors', version: '1' })
    .tool('open', {}, (_, ctx) => `opened for ${ctx.auth?.id}`)
    .tool('vault', { visible: (caller) => caller?.id === 'ada' }, () => 'gold');
  const ada = await joined(connectTest(server, { ...where, principal: { id: 'ada' } }));
  const bob = await joined(connectTest(server, { ...where, principal: { id: 'bob' } }));
  const { content } = await ada.client.callTool('open', {});
  expect(content).toEqual([{ type: 'text', text: 'opened for ada' }]);
  const [hers, his] = [await ada.client.tools().all(), await bob.client.tools().all()];
  expect(hers.map(({ name }) => name)).toEqual(['open', 'vault']);
  expect(his.map(({ name }) => name)).toEqual(['open']);
});

test("times faults by the client's clock", async () => {
  const clock = new FakeClock();
  const faults = { incoming: { delay: [2], delayMs: 7_000 } };
  const { client } = await joined(connectTest(adder(), { client: { clock }, faults }));
  const answered = client.callTool('add', { a: 1, b: 1 });
  await clock.armed(7_000);
  await clock.advance(7_000);
  await expect(answered).resolves.toMatchObject({ isError: false });
});

test('keeps frames up to the maximum', async () => {
  const { client, frames } = await joined(connectTest(adder(), otherBounds({ frames: 3 })));
  await client.callTool('add', { a: 1, b: 1 });
  await client.callTool('add', { a: 2, b: 2 });
  expect(frames).toHaveLength(3);
  expect(frames.at(-1)?.message).toMatchObject({ result: { structuredContent: { sum: 4 } } });
});

describe('connectTest rejects', () => {
  test.each<[ConnectTestOptions, string]>([
    [{ transport: 'smtp' as never }, 'transport must be "memory", "stdio" or "http", not "smtp".'],
    [{ faults: { split: 2 } }, 'split cuts bytes, and the transport "memory" has none: use "stdio".'],
    [{ revision: '1999-01-01' }, '"1999-01-01" is not a revision'],
    [{ transport: 'http', faults: { outgoing: { drop: 7 } } }, 'drop: 7 is not a share from 0 to 1'],
    [{ revison: '2025-11-25' } as never, 'connectTest: there is no option "revison".'],
    [{ client: { onElict: () => {} } as never }, 'connect: there is no option "onElict".'],
    [{ faults: { incomming: { drop: 1 } } as never }, 'faults: there is no option "incomming".'],
    [{ faults: { outgoing: { dorp: 1 } } as never }, 'faults.outgoing: there is no option "dorp".'],
    [{ principal: 'ada' as never }, 'connectTest: principal must be an object.'],
  ])('%o', async (options, message) => {
    await expect(connectTest(adder(), options)).rejects.toThrow(message);
  });
});

test('a function that returns a server', async () => {
  await expect(connectTest(adder as never)).rejects.toThrow(
    'connectTest takes a server of createServer(...), not a function that makes one: call it.',
  );
});
