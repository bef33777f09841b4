// A list, a tool call, a resource, a prompt and a batch. The server is in the same program.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'notes', version: '1.0.0' })
  .tool(
    'count_words',
    { input: z.object({ text: z.string() }), output: z.object({ words: z.number() }) },
    ({ text }) => ({ words: text.split(/\s+/).length }),
  )
  .resource('note://milk', { name: 'milk' }, () => 'Buy milk')
  .prompt('summary', { args: z.object({ note: z.string() }) }, ({ note }) => `Summarize ${note}`);

const client = await connectMemory(server, { info: { name: 'reader', version: '1.0.0' } });

// #region calls
for await (const tool of client.tools()) console.log('tool:', tool.name); // reads the next page when needed
const resources = await client.resources().all();
console.log('resources:', resources.map(({ uri }) => uri).join(', '));

const { structuredContent, isError } = await client.callTool('count_words', { text: 'Buy oat milk' });
console.log('words:', structuredContent?.words, 'failed:', isError === true);

const { contents } = await client.readResource('note://milk');
console.log('read:', textOf(contents));
const { messages } = await client.getPrompt('summary', { note: 'milk' });
console.log('prompt:', messages.map(({ content }) => textOf(content)).join());
// #endregion

// #region batch
const [tools, note] = client.batch([
  { method: 'tools/list', params: {} },
  { method: 'resources/read', params: { uri: 'note://milk' } },
]); // a promise for each request
console.log('batch:', (await tools).tools.length, (await note).contents.length);
// #endregion
await client.close();
