// Everything that a client does, in one program. The server is in the same program.
import { connect, textOf } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const notes = new Map([['milk', 'Buy milk']]);

const server = createServer({ name: 'notes', version: '1.0.0' })
  .resource(
    'note://{name}',
    {
      list: () => [...notes.keys()].map((name) => ({ uri: `note://${name}`, name })),
      complete: { name: (typed) => [...notes.keys()].filter((name) => name.startsWith(typed)) },
    },
    ({ variables }) => notes.get(variables.name),
  )
  .prompt('brief', { args: z.object({ note: z.string() }) }, ({ note }) => `Sum up ${note}`)
  .tool(
    'write',
    { input: z.object({ name: z.string(), text: z.string() }), output: z.object({ length: z.number() }) },
    async ({ name, text }, ctx) => {
      const answer = await ctx.elicit('sure', {
        message: `Write ${name}?`,
        schema: z.object({ sure: z.boolean().default(true) }),
      });
      if (answer.action === 'accept' && answer.content.sure) notes.set(name, text);
      server.resourceUpdated(`note://${name}`);
      return { length: notes.get(name)?.length ?? 0 };
    },
  );

const target = memoryTarget(server);
const info = { name: 'my-agent', version: '1.0.0' };
const askUser = async (message: string) => console.log('asked:', message) === undefined;

// #region handlers
const client = await connect<typeof server>(target, {
  info,
  onElicit: async ({ message }) => {
    const sure = await askUser(message);
    return sure ? { action: 'accept', content: { sure } } : { action: 'decline' };
  },
  onElicitUrl: async ({ url, message }, { server }) => ({
    action: (await askUser(`${server?.name}: ${message} ${url}`)) ? 'accept' : 'decline',
  }),
  onSample: ({ messages, maxTokens }) => ({
    role: 'assistant',
    content: { type: 'text', text: `${messages.length} messages, ${maxTokens} tokens` },
    model: 'none',
  }),
  roots: [{ uri: 'file:///home/ada/project' }],
});
// #endregion

// #region watch
const watch = await client.watch({ resources: true, uris: ['note://milk'] }, (change) => {
  if (change.kind === 'resource') console.log('changed:', change.uri);
  if (change.kind === 'resources') console.log('list changed');
  if (change.kind === 'gap') console.log('changes may have been missed: read again');
  if (change.kind === 'ended') console.warn('over:', change.error); // undefined if you closed the client
});
console.log('watching:', watch.honoured.uris); // what the server accepted
// #endregion

// #region typed
// `connect<typeof server>` types names, arguments and structured content.
const { structuredContent } = await client.callTool('write', { name: 'milk', text: 'Buy oat milk' });
console.log('written:', structuredContent?.length);
// #endregion

// #region calls
for await (const resource of client.resources()) console.log('listed:', resource.uri); // reads the next page when needed
const { items, nextCursor } = await client.prompts().page();
const everything = await client.resourceTemplates().all();
console.log('page:', items.length, nextCursor, 'all:', everything.length);

const { contents } = await client.readResource('note://milk');
const { messages } = await client.getPrompt('brief', { note: 'milk' });
const { values } = await client.complete({
  ref: { type: 'ref/resource', uri: 'note://{name}' },
  argument: { name: 'name', value: 'm' },
});
console.log('read:', textOf(contents), '| got:', messages.length, '| completed:', values);

const [tools, note] = client.batch([
  { method: 'tools/list', params: {} },
  { method: 'resources/read', params: { uri: 'note://milk' } },
]); // a promise for each request
console.log('batch:', (await tools).tools.length, (await note).contents.length);
// #endregion

await watch.close();
await client.close();
