// The kit on tmcp, over streamable HTTP.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import * as kit from './kit.js';
import { listenOnLoopback } from './listening.js';
import { instructions, template } from './values.js';

const server = new McpServer(
  { name: 'fixture-tmcp', ...kit.info },
  {
    adapter: new ZodJsonSchemaAdapter(),
    instructions,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    },
  },
);

server.tool(
  { name: 'add', title: 'Add', description: 'Adds two numbers', schema: kit.inputs.add },
  ({ a, b = 10 }) => kit.said(String(a + b)),
);
server.tool({ name: 'odd_text', description: 'A text that is hard to frame' }, () => kit.said(kit.texts.odd));
server.tool(
  {
    name: 'weather',
    description: 'Structured output',
    schema: kit.inputs.weather,
    outputSchema: kit.weatherOutput,
  },
  ({ city }) => kit.weatherOf(city),
);
server.tool({ name: 'picture', description: 'Returns picture' }, () => ({ content: kit.picture }));
server.tool({ name: 'embedded', description: 'Returns embedded' }, () => ({ content: kit.embedded }));
server.tool({ name: 'fail', description: 'A result that is an error' }, () => kit.failed(kit.texts.failure));
server.tool({ name: 'throw', description: 'A handler that throws' }, () => {
  throw new Error(kit.texts.thrown);
});
server.tool({ name: 'count', description: 'Reports progress', schema: kit.inputs.count }, ({ to }) => {
  for (let step = 1; step <= to; step++) server.progress(step, to, `step ${step}`);
  return kit.said(`counted to ${to}`);
});
server.tool({ name: 'chatter', description: 'Logs' }, () => {
  server.log('debug', 'not wanted', 'fixture');
  server.log('info', { step: 1 }, 'fixture');
  server.log('error', 'second', 'fixture');
  return kit.said('logged');
});
server.tool({ name: 'wait', description: 'Waits until it is cancelled' }, async () =>
  kit.said(await kit.waitFor(server.ctx.signal)),
);
server.tool({ name: 'waited', description: 'What became of `wait`' }, () =>
  kit.said(JSON.stringify(kit.waiting)),
);
server.tool({ name: 'touch', description: 'Updates the watched resource' }, () => {
  server.changed('resource', 'fixture://text');
  return kit.said('touched');
});
server.tool({ name: 'ask_form', description: 'Asks the client', replayable: true }, async () =>
  kit.said(JSON.stringify(await server.elicitation(kit.formMessage, kit.wanted))),
);
server.tool({ name: 'ask_model', description: 'Asks the client', replayable: true }, async () =>
  kit.said(JSON.stringify(await server.message(/** @type {any} */ (kit.question)))),
);
server.tool({ name: 'ask_roots', description: 'Asks the client', replayable: true }, async () => {
  await server.refreshRoots();
  return kit.said(JSON.stringify(server.roots));
});
server.tool({ name: 'grow', description: 'Adds a tool' }, () => {
  server.tool({ name: 'grown', description: 'Added later' }, () => kit.said('grown'));
  return kit.said('a tool was added');
});

server.resource(
  { name: 'text', title: 'A text', description: 'Fixed text', mimeType: 'text/plain', uri: 'fixture://text' },
  () => ({ contents: [kit.document] }),
);
const { uriTemplate, name, title, description, mimeType } = template;
server.template(
  { name, title, description, mimeType, uri: uriTemplate },
  (_uri, /** @type {any} */ { id }) => ({
    contents: [kit.item(String(id))],
  }),
);
server.prompt({ name: 'plain', title: 'Plain', description: 'No arguments' }, () => ({
  description: 'Two turns',
  messages: kit.twoTurns,
}));
server.prompt(
  {
    name: 'greet',
    description: 'Greets',
    schema: kit.inputs.greet,
    complete: { team: (typed) => ({ completion: { values: kit.teamsLike(typed), hasMore: false } }) },
  },
  (whom) => ({ messages: kit.greeting(whom) }),
);

const transport = new HttpTransport(server, { path: '/mcp' });
const notFound = () => new Response(null, { status: 404 });
listenOnLoopback({
  '/mcp': toNodeHandler({ fetch: async (request) => (await transport.respond(request)) ?? notFound() }),
});
