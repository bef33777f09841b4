// The kit on FastMCP, over streamable HTTP with sessions.
import { FastMCP, UserError } from 'fastmcp';
import * as kit from './kit.js';
import { instructions, template } from './values.js';

const server = new FastMCP({
  name: 'fixture-fastmcp',
  version: /** @type {`${number}.${number}.${number}`} */ (kit.info.version),
  title: kit.info.title,
  instructions,
});
const sessionOf = (/** @type {string | undefined} */ id) =>
  server.sessions.find((one) => one.sessionId === id);

server.addTool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: kit.inputs.add,
  annotations: { title: 'Add' },
  execute: async ({ a, b }) => String(a + b),
});
server.addTool({
  name: 'odd_text',
  description: 'A text that is hard to frame',
  execute: async () => kit.texts.odd,
});
server.addTool({
  name: 'weather',
  description: 'Structured output',
  parameters: kit.inputs.weather,
  outputSchema: kit.weatherOutput,
  execute: async ({ city }) => kit.weatherOf(city),
});
server.addTool({
  name: 'picture',
  description: 'Returns picture',
  execute: async () => ({ content: kit.picture }),
});
server.addTool({
  name: 'embedded',
  description: 'Returns embedded',
  execute: async () => ({ content: kit.embedded }),
});
server.addTool({
  name: 'fail',
  description: 'A result that is an error',
  execute: async () => {
    throw new UserError(kit.texts.failure);
  },
});
server.addTool({
  name: 'throw',
  description: 'A handler that throws',
  execute: async () => {
    throw new Error(kit.texts.thrown);
  },
});
server.addTool({
  name: 'count',
  description: 'Reports progress',
  parameters: kit.inputs.count,
  async execute({ to }, { reportProgress }) {
    for (let progress = 1; progress <= to; progress++) {
      await reportProgress({ progress, total: to, message: `step ${progress}` });
    }
    return `counted to ${to}`;
  },
});
server.addTool({
  name: 'chatter',
  description: 'Logs',
  async execute(_args, { log }) {
    log.debug('not wanted');
    log.info('first', { step: 1 });
    log.error('second');
    return 'logged';
  },
});
server.addTool({
  name: 'wait',
  description: 'Waits until it is cancelled',
  execute: (_args, { signal }) => kit.waitFor(signal),
});
server.addTool({
  name: 'waited',
  description: 'What became of `wait`',
  execute: async () => JSON.stringify(kit.waiting),
});
server.addTool({
  name: 'touch',
  description: 'Updates the watched resource',
  async execute() {
    await server.sendResourceUpdated('fixture://text');
    return 'touched';
  },
});
server.addTool({
  name: 'ask_form',
  description: 'Asks the client',
  execute: async (_args, { elicit }) =>
    JSON.stringify(
      await elicit({ message: kit.formMessage, requestedSchema: /** @type {any} */ (kit.form) }),
    ),
});
server.addTool({
  name: 'ask_model',
  description: 'Asks the client',
  execute: async (_args, { sessionId }) =>
    JSON.stringify(await sessionOf(sessionId)?.requestSampling(/** @type {any} */ (kit.question))),
});
server.addTool({
  name: 'ask_roots',
  description: 'Asks the client',
  execute: async (_args, { sessionId }) => JSON.stringify(sessionOf(sessionId)?.roots),
});
server.addTool({
  name: 'grow',
  description: 'Adds a tool',
  async execute() {
    server.addTool({ name: 'grown', description: 'Added later', execute: async () => 'grown' });
    return 'a tool was added';
  },
});

server.addResource({
  uri: 'fixture://text',
  name: 'text',
  description: 'Fixed text',
  mimeType: 'text/plain',
  load: async () => ({ text: kit.texts.odd }),
});
server.addResourceTemplate({
  uriTemplate: template.uriTemplate,
  name: template.name,
  description: template.description,
  mimeType: template.mimeType,
  arguments: [{ name: 'id', required: true, complete: async (typed) => completed(['1', '12', '2'], typed) }],
  load: async ({ id }) => ({ text: kit.item(id).text }),
});
server.addPrompt({
  name: 'plain',
  description: 'No arguments',
  load: async () => ({ messages: kit.twoTurns }),
});
server.addPrompt({
  name: 'greet',
  description: 'Greets',
  arguments: [
    { name: 'team', required: true, complete: async (typed) => completed(kit.teamsLike(typed), typed) },
    { name: 'name', required: true },
  ],
  load: async (whom) => ({ messages: kit.greeting(/** @type {any} */ (whom)) }),
});

await server.start({
  transportType: 'httpStream',
  httpStream: { port: 1, host: '127.0.0.1', endpoint: '/mcp' },
});

/**
 * @param {string[]} all
 * @param {string} typed
 */
function completed(all, typed) {
  const values = all.filter((one) => one.startsWith(typed));
  return { values, total: values.length };
}
