import { connectTest, everyRevision } from '@tenon/mcp-testing';
import '@tenon/mcp-testing/vitest';
import { expect, test } from 'vitest';
import { server } from '../src/server.ts';

test.each(everyRevision)('converts a length in %s', async (revision) => {
  const { client, close } = await connectTest(server, { revision });
  const result = await client.callTool('convert_length', { value: 3, from: 'km', to: 'm' });
  expect(result).toBeToolResult('{"value":3000,"unit":"m"}');
  await close();
});

test('rejects a unit that does not exist', async () => {
  const { client, close } = await connectTest(server);
  const calling = client.callTool('convert_length', { value: 1, from: 'm', to: 'parsec' as 'm' });
  expect(await calling).toBeToolError(/to/);
  await close();
});
