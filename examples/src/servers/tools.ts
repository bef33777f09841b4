// A tool with a typed input and output, and a client in the same program that calls it.
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const unit = z.enum(['m', 'ft', 'mi']);
const metres = { m: 1, ft: 0.3048, mi: 1609.344 };

const server = createServer({ name: 'units', version: '1.0.0' }).tool(
  'convert_length',
  {
    description: 'Converts a length between metres, feet and miles',
    input: z.object({ value: z.number(), from: unit, to: unit.default('m') }),
    output: z.object({ value: z.number(), unit }),
    annotations: { readOnlyHint: true },
  },
  ({ value, from, to }) => ({ value: (value * metres[from]) / metres[to], unit: to }),
);

const client = await connectMemory(server, { info: { name: 'try', version: '1.0.0' } });
const { structuredContent } = await client.callTool('convert_length', { value: 26.2, from: 'mi' });
console.log(structuredContent);
await client.close();
