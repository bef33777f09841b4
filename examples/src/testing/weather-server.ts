// A function that makes a server. Another file serves it, so that tests can import this one.
// #region server
import { createServer, type ServerOptions, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const known: ReadonlyMap<string, number> = new Map([
  ['Oslo', 21],
  ['Rome', 31],
]);

export function weatherServer(options?: ServerOptions) {
  return createServer({ name: 'weather', version: '1.0.0' }, options).tool(
    'forecast',
    {
      description: "Tomorrow's high for a city",
      input: z.object({ city: z.string() }),
      output: z.object({ unit: z.enum(['C', 'F']), high: z.number() }),
    },
    async ({ city }, ctx) => {
      const high = known.get(city);
      if (high === undefined) throw new ToolError(`There is no forecast for ${city}.`);
      const schema = z.object({ unit: z.enum(['C', 'F']) });
      const answer = ctx.can('elicit')
        ? await ctx.elicit('unit', { message: 'Which unit?', schema })
        : undefined;
      const unit = answer?.action === 'accept' ? answer.content.unit : 'C';
      return { unit, high: unit === 'C' ? high : (high * 9) / 5 + 32 };
    },
  );
}
// #endregion
