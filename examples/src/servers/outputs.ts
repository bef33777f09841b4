// What a tool may return: an object that fits `output`, a string, one content block, several, or a full result.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=',
  'base64',
);

// #region outputs
const server = createServer({ name: 'outputs', version: '1.0.0' })
  .tool(
    'sum',
    { input: z.object({ a: z.number(), b: z.number() }), output: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ sum: a + b }), // checked by `output`; also sent as text for older clients
  )
  .tool('greeting', {}, () => 'Good morning')
  .tool('picture', {}, () => ({ type: 'image', data: dot, mimeType: 'image/png' })) // bytes, a Blob, or base64
  .tool('recipe', {}, () => [
    { type: 'text', text: 'The recipe is among the notes.' },
    { type: 'resource_link', uri: 'note://bread', name: 'bread' },
  ])
  .tool('report', {}, () => ({
    content: [{ type: 'text', text: '3 of 4 passed' }],
    structuredContent: { passed: 3, failed: 1 },
    _meta: { 'example.com/run': 17 },
  }));
// #endregion

const client = await connectMemory(server, { info: { name: 'reader', version: '1.0.0' } });
const { structuredContent, content } = await client.callTool('sum', { a: 2, b: 3 });
console.log(structuredContent?.sum, textOf(content));
for (const name of ['greeting', 'picture', 'recipe', 'report'] as const) {
  const result = await client.callTool(name);
  console.log(name, result.content.map((block) => block.type).join(' + '));
}
await client.close();
