// A tool that has the user confirm before it deletes a note. The client is connected in two revisions, one after the other.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const notes = new Map([
  ['milk', 'Buy milk'],
  ['bread', 'Buy bread'],
]);

// #region server
const server = createServer({ name: 'notes', version: '1.0.0' }).tool(
  'delete_note',
  {
    description: 'Deletes a note after the user has confirmed',
    input: z.object({ name: z.string() }),
    annotations: { destructiveHint: true },
  },
  async ({ name }, ctx) => {
    if (!notes.has(name)) throw new ToolError(`There is no note called ${name}.`);
    const answer = await ctx.elicit('confirm', {
      message: `Delete ${name}?`,
      schema: z.object({ sure: z.boolean() }),
    });
    if (answer.action !== 'accept' || !answer.content.sure) return `Kept ${name}`;
    notes.delete(name);
    return `Deleted ${name}`;
  },
);
// #endregion

for (const [revision, name] of [
  ['2025-11-25', 'milk'],
  ['2026-07-28', 'bread'],
] as const) {
  // #region client
  const client = await connectMemory(server, {
    info: { name: 'assistant', version: '1.0.0' },
    revision,
    onElicit: ({ message }) => {
      console.log(`${revision} asks: ${message}`);
      return { action: 'accept', content: { sure: true } };
    },
  });
  const { content } = await client.callTool('delete_note', { name });
  // #endregion
  console.log(`${revision} answers: ${textOf(content)}`);
  await client.close();
}
