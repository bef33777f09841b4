// A server moved from tmcp. The comments name what stood there.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Principal, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const notes = new Map([['milk', 'Buy milk']]);

// new McpServer(info, { adapter: new ZodJsonSchemaAdapter(), capabilities }): no adapter, capabilities follow from what you register
const server = createServer({ name: 'notes', version: '1.0.0' })
  .tool(
    'delete', // server.tool({ name: 'delete', description, schema }, handler)
    { description: 'Deletes a note', input: z.object({ name: z.string() }) }, // schema
    async ({ name }, ctx) => {
      if (!notes.has(name)) throw new ToolError(`There is no note called ${name}.`); // tool.error(...)
      const answer = await ctx.elicit('sure', {
        message: `Delete ${name}?`,
        schema: z.object({ sure: z.boolean() }),
      }); // server.elicitation(message, schema), and `replayable: true` for 2026-07-28
      if (answer.action !== 'accept' || !answer.content.sure) return `Kept ${name}`; // tool.text(...)
      notes.delete(name);
      server.resourceListChanged();
      ctx.progress(1, 1); // server.progress(1, 1)
      return `Deleted ${name} for ${ownerOf(ctx.auth)}`; // server.ctx.auth, server.ctx.custom
    },
  )
  .resource(
    'note://{name}', // server.template({ name, uri, complete, list }, handler)
    { name: 'note', list: () => [...notes.keys()].map((name) => ({ uri: `note://${name}`, name })) },
    ({ variables }) => notes.get(variables.name), // resource.text(uri, text)
  );

function ownerOf(caller: Principal | undefined): string {
  return caller?.id ?? 'everybody';
}

const client = await connectMemory(server, {
  info: { name: 'try', version: '1.0.0' },
  onElicit: () => ({ action: 'accept', content: { sure: true } }),
});
console.log(textOf((await client.callTool('delete', { name: 'milk' })).content));
console.log((await client.resources().all()).length, 'notes left');
await client.close();
