// The same tool with each kind of schema.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

const description = 'Repeats a word';

// #region schemas
const server = createServer({ name: 'schemas', version: '1.0.0' })
  .tool(
    'zod',
    { description, input: z.object({ word: z.string(), times: z.number().default(2) }) },
    ({ word, times }) => word.repeat(times),
  )
  .tool('arktype', { description, input: type({ word: 'string', times: 'number = 2' }) }, ({ word, times }) =>
    word.repeat(times),
  )
  .tool(
    'valibot',
    {
      description,
      input: toStandardJsonSchema(v.object({ word: v.string(), times: v.optional(v.number(), 2) })),
    },
    ({ word, times }) => word.repeat(times),
  )
  .tool(
    'plain',
    {
      description,
      input: {
        type: 'object',
        properties: { word: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
        required: ['word'],
      },
    },
    ({ word, times = 2 }) => word.repeat(times),
  );
// #endregion

const client = await connectMemory(server, { info: { name: 'speller', version: '1.0.0' } });
for (const name of ['zod', 'arktype', 'valibot', 'plain'] as const) {
  const { content } = await client.callTool(name, { word: 'knock ' });
  console.log(`${name}: ${textOf(content).trim()}`);
}
await client.close();
