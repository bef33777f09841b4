// Tests with a fake clock and with faults between the two ends.
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { connectTest, FakeClock, faulty } from '@tenon/mcp-testing';
import '@tenon/mcp-testing/vitest';
import { expect, test } from 'vitest';
import { weatherServer } from './weather-server.js';

// #region faults
test('rejects a call with a timeout when the request is lost', async () => {
  const clock = new FakeClock();
  const { client, faults, close } = await connectTest(weatherServer(), {
    client: { clock },
    faults: { outgoing: { drop: ({ message }) => Object(message).method === 'tools/call' } },
  });
  const call = client.callTool('forecast', { city: 'Oslo' }, { timeout: 5_000 });
  const expected = expect(call).toRejectWithCode('timeout');
  await clock.advance(5_000); // no real time passes
  await expected;
  expect(faults).toMatchObject([{ fault: 'drop', direction: 'outgoing', message: { method: 'tools/call' } }]);
  await close();
});
// #endregion

// #region left
test('leaves no timer when a call is cancelled', async () => {
  const clock = new FakeClock();
  const { client, close } = await connectTest(weatherServer({ clock }), { client: { clock } });
  const abort = new AbortController();
  const call = client.callTool('forecast', { city: 'Oslo' }, { signal: abort.signal });
  const expected = expect(call).toRejectWithCode('cancelled');
  abort.abort();
  await expected;
  await close();
  await clock.advance(60_000); // a timer that all calls of the server share runs once more
  expect(clock.waiting).toEqual([]);
});
// #endregion

// #region faulty
test('reconnects when the connection breaks', async () => {
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
test('reads messages that arrive byte by byte', async () => {
  const { client, close } = await connectTest(weatherServer(), {
    transport: 'stdio',
    faults: { split: 1 },
  });
  expect(await client.callTool('forecast', { city: 'Rome' })).toBeToolResult();
  await close();
});
// #endregion
