// A server over stdio: typed input and output, an input request, progress and cancellation.
// #region server
import { createServer } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { z } from 'zod';
import { highFor } from './weather-station.js';

export const server = createServer({ name: 'weather', version: '1.0.0' }).tool(
  'forecast',
  {
    description: 'Daily highs for a city',
    input: z.object({ city: z.string(), days: z.number().int().min(1).max(7).default(3) }),
    output: z.object({ unit: z.enum(['C', 'F']), highs: z.array(z.number()) }),
    annotations: { readOnlyHint: true },
  },
  async ({ city, days }, ctx) => {
    const answer = ctx.can('elicit')
      ? await ctx.elicit('unit', { message: 'Which unit?', schema: z.object({ unit: z.enum(['C', 'F']) }) })
      : undefined;
    const unit = answer?.action === 'accept' ? answer.content.unit : 'C';
    const highs = [];
    for (let day = 0; day < days; day++) {
      highs.push(await highFor({ city, day, unit }, ctx.signal));
      ctx.progress(day + 1, days);
    }
    return { unit, highs }; // typed and validated by `output`; also sent as text
  },
);

await serveStdio(server);
// #endregion
