// A server and its client in one process.
import { strict as assert } from 'node:assert';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

// #region in-memory
const server = createServer({ name: 'sums', version: '1.0.0' }).tool(
  'add',
  {
    description: 'Adds two numbers',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ sum: a + b }),
);

const client = await connectMemory(server, { info: { name: 'test', version: '1.0.0' } });
const { structuredContent } = await client.callTool('add', { a: 2, b: 3 });
assert.deepEqual(structuredContent, { sum: 5 });
await client.close();
// #endregion

console.log('2 + 3 =', structuredContent?.sum);
