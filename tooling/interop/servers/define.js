import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import * as values from './values.js';

/** @typedef {import('@modelcontextprotocol/server').McpServer} McpServer */

/**
 * What differs between the generations of the official SDK; what does not is typed by the second.
 *
 * @typedef {object} Dialect
 * @property {typeof import('@modelcontextprotocol/server').completable} completable
 * @property {typeof import('@modelcontextprotocol/server').ResourceTemplate} ResourceTemplate
 * @property {(ctx: any, step: { progress: number, total: number, message: string }) => Promise<void>} progress
 * @property {(ctx: any, message: { level: string, data: unknown, logger: string }) => Promise<void>} log
 * @property {(ctx: any) => AbortSignal} signal
 * @property {(ask: Ask) => (args: any, ctx: any) => any} asking a handler that asks, then answers
 * @property {(method: string, handler: (params: any) => any) => void} handle replaces the handler of a method
 * @property {(ctx: any, uri: string) => Promise<void>} updated
 * @property {(ctx: any) => void} release closes the stream of a call before its answer, where there is one
 * @property {() => void} grown is called once the list of tools has grown
 * @property {World} world
 */

/**
 * What outlives a server object, where one is made for each request.
 *
 * @typedef {{ waits: number, aborted: number, grown: boolean }} World
 */

/** @typedef {{ kind: 'form' | 'url' | 'sample' | 'roots', params: any, answer: (result: any) => unknown }} Ask */

/**
 * @param {string} text
 * @returns {{ content: { type: 'text', text: string }[] }}
 */
const text = (text) => ({ content: [{ type: 'text', text }] });
/** @param {unknown} value */
const json = (value) => text(JSON.stringify(value));

/**
 * Registers the fixture on an `McpServer` of either generation.
 *
 * @param {McpServer} server
 * @param {Dialect} dialect
 */
export function defineFixture(server, dialect) {
  defineTools(server);
  defineNotifyingTools(server, dialect);
  defineAskingTools(server, dialect);
  defineResources(server, dialect);
  definePrompts(server, dialect);
}

/** @param {McpServer} server */
function defineTools(server) {
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number().default(10) }),
      annotations,
    },
    ({ a, b }) => text(String(a + b)),
  );
  server.registerTool('odd_text', { description: 'A text that is hard to frame' }, () =>
    text(values.texts.odd),
  );
  const inputSchema = z.object({ times: z.number().int() });
  server.registerTool('big', { description: 'A long text', inputSchema }, ({ times }) =>
    text('aß😀'.repeat(times)),
  );
  server.registerTool(
    'weather',
    {
      description: 'Structured output',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({
        city: z.string(),
        celsius: z.number(),
        wind: z.object({ speed: z.number(), from: z.array(z.string()) }),
        warning: z.string().nullable(),
      }),
    },
    ({ city }) => {
      const structuredContent = { ...values.weather, city };
      return { ...json(structuredContent), structuredContent };
    },
  );
  const contents = {
    picture: values.picture,
    sound: values.sound,
    embedded: values.embedded,
    link: values.link,
  };
  for (const [name, content] of Object.entries(contents)) {
    server.registerTool(name, { description: `Returns ${name}` }, () => ({
      content: /** @type {any} */ (content),
    }));
  }
  server.registerTool('fail', { description: 'A result that is an error' }, () => ({
    ...text(values.texts.failure),
    isError: true,
  }));
  server.registerTool('throw', { description: 'A handler that throws' }, () => {
    throw new Error(values.texts.thrown);
  });
  server.registerTool('meta', { description: 'A result with metadata' }, () => ({
    ...text('see _meta'),
    _meta: { 'example.com/trace': { depth: 2 } },
  }));
}

/**
 * @param {McpServer} server
 * @param {Dialect} dialect
 */
function defineNotifyingTools(server, dialect) {
  const inputSchema = z.object({ to: z.number().int() });
  server.registerTool('count', { description: 'Reports progress', inputSchema }, async ({ to }, ctx) => {
    for (let progress = 1; progress <= to; progress++) {
      await dialect.progress(ctx, { progress, total: to, message: `step ${progress}` });
    }
    return text(`counted to ${to}`);
  });
  server.registerTool('linger', { description: 'Reports progress, and takes its time' }, async (ctx) => {
    for (let progress = 1; progress <= 3; progress++) {
      await dialect.progress(ctx, { progress, total: 3, message: 'lingering' });
      await delay(50);
    }
    return text('lingered');
  });
  server.registerTool('chatter', { description: 'Logs' }, async (ctx) => {
    await dialect.log(ctx, { level: 'debug', data: 'not wanted', logger: 'fixture' });
    await dialect.log(ctx, { level: 'info', data: { step: 1 }, logger: 'fixture' });
    await dialect.log(ctx, { level: 'error', data: 'second', logger: 'fixture' });
    return text('logged');
  });
  const { world } = dialect;
  server.registerTool('wait', { description: 'Waits until it is cancelled' }, async (ctx) => {
    world.waits++;
    const signal = dialect.signal(ctx);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    world.aborted++;
    return text('never seen');
  });
  server.registerTool('waited', { description: 'What became of `wait`' }, () =>
    json({ waits: world.waits, aborted: world.aborted }),
  );
  server.registerTool('poll', { description: 'Closes its stream, then answers' }, async (ctx) => {
    dialect.release(ctx);
    await delay(50);
    return text('polled');
  });
  server.registerTool('touch', { description: 'Updates the watched resource' }, async (ctx) => {
    await dialect.updated(ctx, 'fixture://watched');
    return text('touched');
  });
  const grow = () => server.registerTool('grown', { description: 'Added later' }, () => text('grown'));
  if (world.grown) grow();
  server.registerTool('grow', { description: 'Adds a tool' }, () => {
    world.grown = true;
    grow();
    dialect.grown();
    return text('a tool was added');
  });
}

/**
 * @param {McpServer} server
 * @param {Dialect} dialect
 */
function defineAskingTools(server, dialect) {
  const answer = (/** @type {unknown} */ result) => json(result);
  const inputSchema = z.object({});
  const add = (/** @type {string} */ name, /** @type {Omit<Ask, 'answer'>} */ ask) =>
    server.registerTool(
      name,
      { description: 'Asks the client', inputSchema },
      dialect.asking({ ...ask, answer }),
    );
  add('ask_form', { kind: 'form', params: { message: values.formMessage, requestedSchema: values.form } });
  add('ask_page', { kind: 'url', params: values.page });
  add('ask_model', { kind: 'sample', params: values.question });
  add('ask_roots', { kind: 'roots', params: undefined });
}

/**
 * @param {McpServer} server
 * @param {Dialect} dialect
 */
function defineResources(server, dialect) {
  /** @type {Record<string, any>} */
  const contents = {
    'fixture://text': { mimeType: 'text/plain', text: values.texts.odd },
    'fixture://bytes': { mimeType: 'image/png', blob: values.png },
    'fixture://watched': { mimeType: 'text/plain', text: 'watched' },
  };
  for (const [uri, content] of Object.entries(contents)) {
    const { name, uri: _, ...config } = values.resources.find((one) => one.uri === uri) ?? { name: uri };
    server.registerResource(name, uri, config, () => ({ contents: [{ uri, ...content }] }));
  }
  const { uriTemplate, name, ...config } = values.template;
  const items = new dialect.ResourceTemplate(uriTemplate, {
    list: undefined,
    complete: { id: (/** @type {string} */ typed) => ['1', '12', '2'].filter((id) => id.startsWith(typed)) },
  });
  server.registerResource(name, items, config, (_uri, { id }) => ({ contents: [values.item(String(id))] }));
  dialect.handle('resources/list', (params) => {
    const start = Number(params?.cursor ?? 0);
    const next = start + values.pageLength;
    const page = { resources: values.resources.slice(start, next) };
    return next < values.resources.length ? { ...page, nextCursor: String(next) } : page;
  });
}

/**
 * @param {McpServer} server
 * @param {Dialect} dialect
 */
function definePrompts(server, { completable }) {
  server.registerPrompt('plain', { title: 'Plain', description: 'No arguments' }, () => ({
    description: 'Two turns',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: { type: 'text', text: 'Hi' } },
    ],
  }));
  const starting = (/** @type {string[]} */ list, /** @type {string} */ typed) =>
    list.filter((one) => one.startsWith(typed));
  const argsSchema = z.object({
    team: completable(z.string().describe('Which team'), (typed) =>
      starting(Object.keys(values.teams), typed),
    ),
    name: completable(z.string(), (typed, context) =>
      starting(Reflect.get(values.teams, context?.arguments?.team ?? '') ?? [], typed),
    ),
    tone: completable(z.string().optional(), (typed) => starting(values.tones, typed ?? '')),
  });
  server.registerPrompt(
    'greet',
    { description: 'Greets', argsSchema: argsSchema.shape },
    ({ team, name, tone }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${tone ?? 'plain'}: ${name} of ${team}` } }],
    }),
  );
  server.registerPrompt('rich', { description: 'Not only text' }, () => ({
    messages: [
      { role: 'user', content: values.picture[1] },
      { role: 'user', content: values.embedded[0] },
    ],
  }));
}
