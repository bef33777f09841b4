// Several processes that share state: each continues the sessions that another one opened.
// #region serve
import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import type { State } from '@tenon/mcp-state';
import { z } from 'zod';

/** @param state - shared by all processes, such as `redisState(url)` of `@tenon/mcp-state-redis`. */
export function serveShared(state: State, port: number): Promise<HttpServing> {
  const server = createServer({ name: 'notes', version: '1.0.0' }, { state }).tool(
    'save_note',
    { description: 'Saves a note', input: z.object({ name: z.string(), text: z.string() }) },
    async ({ name }, ctx) => {
      const schema = z.object({ overwrite: z.boolean() });
      const answer = await ctx.elicit('overwrite', { message: `Overwrite ${name}?`, schema });
      return answer.action === 'accept' ? `Saved ${name}` : `Kept ${name}`;
    },
  );
  return serveHttp(server, { port });
}
// #endregion
