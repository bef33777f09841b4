import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

/** The length of each unit in metres. */
const metres = { mm: 0.001, cm: 0.01, m: 1, km: 1000, in: 0.0254, ft: 0.3048, mi: 1609.344 };
const unit = z.enum(['mm', 'cm', 'm', 'km', 'in', 'ft', 'mi']);

export const server = createServer({ name: '{{serverName}}', version: '0.1.0' })
  .tool(
    'convert_length',
    {
      title: 'Convert a length',
      description: 'Converts a length from one unit to another. Use it for every conversion of lengths.',
      input: z.strictObject({
        value: z.number().describe('The length in the unit "from"'),
        from: unit.describe('The unit of the value'),
        to: unit.describe('The unit of the result'),
      }),
      output: z.object({ value: z.number(), unit }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ value, from, to }) => ({ value: (value * metres[from]) / metres[to], unit: to }),
  )
  .tool(
    'list_units',
    {
      title: 'List the units',
      description: 'Lists the units of length that convert_length accepts.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => unit.options.join(', '),
  )
  .resource(
    'units://length',
    {
      name: 'length',
      title: 'Units of length',
      description: 'The length of each unit in metres',
      mimeType: 'application/json',
    },
    () => JSON.stringify(metres),
  );
