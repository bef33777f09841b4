// A complete test file: a server, and a test that calls its tool in every revision.
import { createServer, ToolError } from '@tenon/mcp-server';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import '@tenon/mcp-testing/vitest';
import { expect, test } from 'vitest';
import { z } from 'zod';

const highs = new Map([['Oslo', 21]]);
const makeServer = () =>
  createServer({ name: 'weather', version: '1.0.0' }).tool(
    'forecast',
    { description: "Returns tomorrow's high", input: z.object({ city: z.string() }) },
    ({ city }) => {
      const high = highs.get(city);
      if (high === undefined) throw new ToolError(`There is no forecast for ${city}.`);
      return `${high} °C`;
    },
  );

test.each(everyRevision)('returns the high of a known city in %s', async (revision) => {
  const { client, close } = await connectTest(makeServer(), { revision });
  expect(await client.callTool('forecast', { city: 'Oslo' })).toBeToolResult('21 °C');
  await close();
});

test('names the city when there is no forecast', async () => {
  const { client, close } = await connectTest(makeServer());
  expect(await client.callTool('forecast', { city: 'Atlantis' })).toBeToolError(/no forecast for Atlantis/);
  await close();
});
