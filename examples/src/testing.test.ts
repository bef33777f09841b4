// Tests of a server and of a client, as the guide to testing shows them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// #region imports
import { connectTest, everyRevision, FakeClock, faulty } from '@tenon/mcp-testing';
import '@tenon/mcp-testing/vitest';
// #endregion
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
// #region recordings
import { record, replay } from '@tenon/mcp-testing/recordings';
// #endregion
import { afterAll, expect, test } from 'vitest';
import { weatherServer } from './testing-server.js';

const folder = await mkdtemp(join(tmpdir(), 'testing-'));
afterAll(() => rm(folder, { recursive: true }));

// #region first
test('a forecast has a unit and a high', async () => {
  const { client, close } = await connectTest(weatherServer());
  await expect(client).toHaveTool('forecast');
  const result = await client.callTool('forecast', { city: 'Oslo' });
  expect(result).toHaveStructuredContent({ unit: 'C', high: 21 });
  await close();
});
// #endregion

// #region revisions
test.each(everyRevision)('a city that is not known is told in %s', async (revision) => {
  const { client, close } = await connectTest(weatherServer(), { revision });
  expect(await client.callTool('forecast', { city: 'Atlantis' })).toBeToolError(/no forecast for Atlantis/);
  await close();
});
// #endregion

// #region transports
test.each(['memory', 'stdio', 'http'] as const)('the user is asked over %s', async (transport) => {
  const onElicit = async () => ({ action: 'accept', content: { unit: 'F' } }) as const;
  const { client, close } = await connectTest(weatherServer(), { transport, client: { onElicit } });
  const result = await client.callTool('forecast', { city: 'Oslo' });
  expect(result).toHaveStructuredContent({ unit: 'F', high: 69.8 });
  await close();
});
// #endregion

test('what is on the wire', async () => {
  // #region frames
  const { client, frames, close } = await connectTest(weatherServer());
  await client.callTool('forecast', { city: 'Oslo' });
  expect(frames.at(-1)).toMatchObject({
    from: 'server',
    message: { result: { structuredContent: { unit: 'C', high: 21 } } },
  });
  await close();
  // #endregion
});

// #region faults
test('a call whose request is lost runs into its timeout', async () => {
  const clock = new FakeClock();
  const { client, strikes, close } = await connectTest(weatherServer(), {
    client: { clock },
    faults: { outgoing: { drop: ({ message }) => Object(message).method === 'tools/call' } },
  });
  const call = client.callTool('forecast', { city: 'Oslo' }, { timeout: 5_000 });
  const judged = expect(call).toRejectWithCode('timeout');
  await clock.advance(5_000); // takes no time
  await judged;
  expect(strikes).toMatchObject([{ fault: 'drop', lane: 'outgoing', message: { method: 'tools/call' } }]);
  await close();
});
// #endregion

// #region faulty
test('a client gets over connections that break', async () => {
  const clock = new FakeClock();
  const target = faulty(
    { ...memoryTarget(weatherServer()), restartable: true },
    { seed: 42, outgoing: { duplicate: 0.1, close: [3] }, incoming: { delay: 0.2, delayMs: 30 }, clock },
  );
  const client = await connect(target, {
    info: { name: 'test', version: '1.0.0' },
    revision: '2025-11-25',
    clock,
  });
  const lost = client.callTool('forecast', { city: 'Oslo' });
  await expect(lost).rejects.toThrow('The connection was broken by its fault plan.');
  const again = client.callTool('forecast', { city: 'Oslo' });
  await clock.advance(1_000);
  expect(await again).toBeToolResult();
  await client.close();
});
// #endregion

// #region split
test('frames are put together from single bytes', async () => {
  const { client, close } = await connectTest(weatherServer(), {
    transport: 'stdio',
    faults: { split: 1 },
  });
  expect(await client.callTool('forecast', { city: 'Rome' })).toBeToolResult();
  await close();
});
// #endregion

test('recording and replaying', async () => {
  const file = join(folder, 'forecast.md');
  const info = { name: 'test', version: '1.0.0' };

  // #region record
  const target = record(memoryTarget(weatherServer()), file);
  const client = await connect(target, { info });
  await client.callTool('forecast', { city: 'Oslo' });
  await client.close();
  // #endregion

  // #region replay-server
  const session = replay(file);
  const offline = await connect(session.target, { info }); // no server is needed
  expect(await offline.callTool('forecast', { city: 'Oslo' })).toHaveStructuredContent({
    unit: 'C',
    high: 21,
  });
  await offline.close();
  session.verify(); // nothing that was recorded is missing
  // #endregion

  // #region replay-client
  await replay(file).check(weatherServer()); // rejects with the line and the difference
  // #endregion
});

// #region left
test('nothing is left of a call that is cancelled', async () => {
  const clock = new FakeClock();
  const { client, close } = await connectTest(weatherServer({ clock }), { client: { clock } });
  const abort = new AbortController();
  const call = client.callTool('forecast', { city: 'Oslo' }, { signal: abort.signal });
  const judged = expect(call).toRejectWithCode('cancelled');
  abort.abort();
  await judged;
  await close();
  await clock.advance(60_000); // the sweep all calls of a server share runs once more
  expect(clock.waiting).toEqual([]);
});
// #endregion
