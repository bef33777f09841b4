// Tests of a server: its tools, every revision, every transport, and the messages between both ends.
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import '@tenon/mcp-testing/vitest';
import { expect, test } from 'vitest';
import { weatherServer } from './weather-server.js';

test('returns a unit and a high', async () => {
  const { client, close } = await connectTest(weatherServer());
  await expect(client).toHaveTool('forecast');
  const result = await client.callTool('forecast', { city: 'Oslo' });
  expect(result).toHaveStructuredContent({ unit: 'C', high: 21 });
  await close();
});

test.each(everyRevision)('rejects an unknown city in %s', async (revision) => {
  const { client, close } = await connectTest(weatherServer(), { revision });
  expect(await client.callTool('forecast', { city: 'Atlantis' })).toBeToolError(/no forecast for Atlantis/);
  await close();
});

test.each(['memory', 'stdio', 'http'] as const)('asks the user for the unit over %s', async (transport) => {
  const onElicit = async () => ({ action: 'accept', content: { unit: 'F' } }) as const;
  const { client, close } = await connectTest(weatherServer(), { transport, client: { onElicit } });
  const result = await client.callTool('forecast', { city: 'Oslo' });
  expect(result).toHaveStructuredContent({ unit: 'F', high: 69.8 });
  await close();
});

test('sends structured content in the result', async () => {
  const { client, frames, close } = await connectTest(weatherServer());
  await client.callTool('forecast', { city: 'Oslo' });
  expect(frames.at(-1)).toMatchObject({
    from: 'server',
    message: { result: { structuredContent: { unit: 'C', high: 21 } } },
  });
  await close();
});
