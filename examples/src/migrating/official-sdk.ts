// A server and a client moved from the official SDK. The comments name what stood there.
import { connect, RemoteError, textOf } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
// #region server
import { createServer, suggest, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const notes = new Map([['milk', 'Buy milk']]);

const server = createServer({ name: 'notes', version: '1.0.0' }, { instructions: 'Notes by name.' }) // new McpServer
  .tool(
    'save', // registerTool
    {
      description: 'Saves a note',
      input: z.object({ name: z.string(), text: z.string() }), // inputSchema
      output: z.object({ length: z.number() }), // outputSchema
    },
    async ({ name, text }, ctx) => {
      if (text === '') throw new ToolError('A note needs a text.'); // return { isError: true, content: ... }
      ctx.log('info', `saving ${name}`); // server.sendLoggingMessage, ctx.mcpReq.log
      ctx.progress(1, 2); // sendNotification with the progressToken of _meta
      if (notes.has(name) && ctx.can('elicit')) {
        const schema = z.object({ sure: z.boolean() });
        const answer = await ctx.elicit('replace', { message: `Replace ${name}?`, schema }); // server.elicitInput
        if (answer.action !== 'accept' || !answer.content.sure) throw new ToolError(`Kept ${name}.`);
      }
      notes.set(name, text);
      server.resourceUpdated(`note://${name}`); // sendResourceUpdated, for all sessions
      return { length: text.length }; // structuredContent, and the same as text
    },
  )
  .resource(
    'note://{name}', // registerResource, new ResourceTemplate('note://{name}', { list, complete })
    {
      name: 'note',
      list: () => [...notes.keys()].map((name) => ({ uri: `note://${name}`, name })),
      complete: { name: suggest(() => [...notes.keys()]) },
    },
    ({ variables }) => notes.get(variables.name), // contents, or a string; undefined: there is none
  )
  .prompt(
    'sum_up', // registerPrompt
    { args: z.object({ name: z.string() }), complete: { name: suggest(() => [...notes.keys()]) } }, // completable()
    ({ name }) => `Sum up: ${notes.get(name)}`, // messages, or the text of a user message
  );
// #endregion
const target = memoryTarget(server);

// #region client
const client = await connect<typeof server>(target, {
  info: { name: 'my-agent', version: '1.0.0' }, // new Client(info, { capabilities }), client.connect(transport)
  onElicit: ({ message }) => {
    console.log(message); // setRequestHandler(ElicitRequestSchema, ...)
    return { action: 'accept', content: { sure: true } };
  },
  logLevel: 'info', // setLoggingLevel
  onLog: ({ data }) => console.log('log:', data), // setNotificationHandler(LoggingMessageNotificationSchema, ...)
});
const tools = await client.tools().all(); // listTools, with or without nextCursor
const saved = await client.callTool(
  'save', // callTool({ name, arguments }), typed by the server
  { name: 'milk', text: 'Buy oat milk' },
  { timeout: 10_000, onProgress: ({ progress }) => console.log('progress:', progress) },
);
const { contents } = await client.readResource('note://milk'); // readResource({ uri })
const watch = await client.watch({ uris: ['note://milk'] }, ({ kind }) => console.log(kind)); // subscribeResource, listen
await client.readResource('note://rye').catch((error: unknown) => {
  if (error instanceof RemoteError) console.log(error.code); // McpError, ProtocolError
});
await watch.close();
await client.close();
// #endregion
console.log(tools.map((tool) => tool.name).join(), saved.structuredContent?.length, textOf(contents));
