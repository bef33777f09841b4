// The kit on mcp-lite, over streamable HTTP with sessions.
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  InMemoryClientRequestAdapter,
  InMemorySessionAdapter,
  McpServer,
  StreamableHttpTransport,
} from 'mcp-lite';
import { z } from 'zod';
import * as kit from './kit.js';
import { listenOnLoopback } from './listening.js';
import { template } from './values.js';

const { uriTemplate, ...meta } = template;

const server = new McpServer({
  name: 'fixture-mcp-lite',
  version: kit.info.version,
  schemaAdapter: (schema) => /** @type {any} */ (z.toJSONSchema(/** @type {z.ZodType} */ (schema))),
});

server
  .tool('add', {
    title: 'Add',
    description: 'Adds two numbers',
    inputSchema: kit.inputs.add,
    handler: ({ a, b }) => kit.said(String(a + b)),
  })
  .tool('odd_text', {
    description: 'A text that is hard to frame',
    handler: () => kit.said(kit.texts.odd),
  })
  .tool('weather', {
    description: 'Structured output',
    inputSchema: kit.inputs.weather,
    outputSchema: kit.weatherOutput,
    handler: ({ city }) => kit.weatherOf(city),
  })
  .tool('picture', { description: 'Returns picture', handler: () => ({ content: kit.picture }) })
  .tool('embedded', { description: 'Returns embedded', handler: () => ({ content: kit.embedded }) })
  .tool('fail', {
    description: 'A result that is an error',
    handler: () => /** @type {any} */ (kit.failed(kit.texts.failure)),
  })
  .tool('throw', {
    description: 'A handler that throws',
    handler: () => {
      throw new Error(kit.texts.thrown);
    },
  })
  .tool('count', {
    description: 'Reports progress',
    inputSchema: kit.inputs.count,
    async handler({ to }, ctx) {
      for (let progress = 1; progress <= to; progress++) {
        await ctx.progress?.({ progress, total: to, message: `step ${progress}` });
      }
      return kit.said(`counted to ${to}`);
    },
  })
  .tool('ask_form', {
    description: 'Asks the client',
    handler: async (_args, ctx) =>
      kit.said(JSON.stringify(await ctx.elicit({ message: kit.formMessage, schema: kit.form }))),
  })
  .tool('ask_model', {
    description: 'Asks the client',
    async handler(_args, ctx) {
      const { systemPrompt, maxTokens, messages } = kit.question;
      const prompt = messages[0]?.content.text ?? '';
      return kit.said(
        JSON.stringify(await ctx.sample(/** @type {any} */ ({ prompt, systemPrompt, maxTokens }))),
      );
    },
  })
  .tool('grow', {
    description: 'Adds a tool',
    handler() {
      server.tool('grown', { description: 'Added later', handler: () => kit.said('grown') });
      return kit.said('a tool was added');
    },
  })
  .resource(
    'fixture://text',
    /** @type {any} */ ({ name: 'text', title: 'A text', description: 'Fixed text', mimeType: 'text/plain' }),
    async () => ({ contents: [/** @type {any} */ (kit.document)] }),
  )
  .resource(uriTemplate, /** @type {any} */ (meta), async (_uri, { id }) => ({
    contents: [/** @type {any} */ (kit.item(String(id)))],
  }))
  .prompt('plain', {
    title: 'Plain',
    description: 'No arguments',
    handler: () => ({ description: 'Two turns', messages: kit.twoTurns }),
  })
  .prompt('greet', {
    description: 'Greets',
    arguments: kit.inputs.greet,
    handler: (whom) => ({ messages: kit.greeting(/** @type {any} */ (whom)) }),
  });

const transport = new StreamableHttpTransport({
  sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1_024 }),
  clientRequestAdapter: new InMemoryClientRequestAdapter(),
});
listenOnLoopback({ '/mcp': toNodeHandler({ fetch: transport.bind(server) }) });
