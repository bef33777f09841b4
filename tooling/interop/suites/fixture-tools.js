import { refusal, since, until } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/columns.js').Column} Column */

const isFirst = (/** @type {Column} */ { server }) => server.startsWith('fixture-v1');
const text = (/** @type {string} */ text) => ({ content: [{ type: 'text', text }] });
const failed = (/** @type {string} */ message) => ({ ...text(message), isError: true });

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'negotiated revision',
    run: ({ peer }) => peer.revision(),
    expected: (/** @type {Column} */ { speaks }) => speaks,
  },
  {
    name: 'server info',
    run: ({ peer }) => peer.server(),
    expected: (/** @type {Column} */ { server }) => ({
      name: server.replace(/-(json|sessionless)$/, ''),
      ...values.info,
    }),
  },
  { name: 'instructions', run: ({ peer }) => peer.instructions(), expected: values.instructions },
  {
    name: 'capabilities',
    run: ({ peer }) => peer.capabilities(),
    expected: (/** @type {Column} */ { server }) => ({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
      ...(server.startsWith('fixture-v2') && {
        extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
      }),
    }),
  },
  {
    name: 'ping',
    run: async ({ peer }) => (await peer.ping()) ?? {},
    expected: {},
    unless: until('2025-11-25', 'ping'),
  },
  {
    name: 'tools/list: names',
    run: async ({ peer }) => (await peer.tools()).map(({ name }) => name),
    expected: [
      ...['add', 'odd_text', 'big', 'weather', 'picture', 'sound', 'embedded', 'link'],
      ...['fail', 'throw', 'meta'],
      ...['count', 'linger', 'chatter', 'wait', 'waited', 'poll', 'touch', 'grow'],
      ...['ask_form', 'ask_page', 'ask_model', 'ask_roots'],
    ],
  },
  {
    name: 'tools/list: a definition',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'add'),
    expected: definitionOfAdd,
  },
  {
    name: 'tools/list: output schema',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'weather').outputSchema,
    expected: weatherSchema,
  },
  { name: 'tools/call: text', run: ({ peer }) => peer.call('add', { a: 2, b: 0.5 }), expected: text('2.5') },
  { name: 'tools/call: default', run: ({ peer }) => peer.call('add', { a: -2 }), expected: text('8') },
  {
    name: 'tools/call: odd characters',
    run: ({ peer }) => peer.call('odd_text'),
    expected: text(values.texts.odd),
  },
  {
    name: 'tools/call: 3 million characters',
    run: async ({ peer }) =>
      (await peer.call('big', { times: 1_000_000 })).content[0].text === 'aß😀'.repeat(1_000_000),
    expected: true,
  },
  {
    name: 'tools/call: structured content',
    run: ({ peer }) => peer.call('weather', { city: 'Rome' }),
    expected: {
      ...text(JSON.stringify({ ...values.weather, city: 'Rome' })),
      structuredContent: { ...values.weather, city: 'Rome' },
    },
  },
  {
    name: 'tools/call: image and annotations',
    run: ({ peer }) => peer.call('picture'),
    expected: { content: values.picture },
  },
  {
    name: 'tools/call: audio',
    run: ({ peer }) => peer.call('sound'),
    expected: { content: values.sound },
    unless: since('2025-03-26', 'audio'),
  },
  {
    name: 'tools/call: embedded resources',
    run: ({ peer }) => peer.call('embedded'),
    expected: { content: values.embedded },
  },
  {
    name: 'tools/call: resource link',
    run: ({ peer }) => peer.call('link'),
    expected: { content: values.link },
    unless: since('2025-06-18', 'a link to a resource'),
  },
  {
    name: 'tools/call: isError',
    run: ({ peer }) => peer.call('fail'),
    expected: failed(values.texts.failure),
  },
  {
    name: 'tools/call: throws',
    run: ({ peer }) => peer.call('throw'),
    expected: failed(values.texts.thrown),
  },
  {
    name: 'tools/call: _meta',
    run: ({ peer }) => peer.call('meta'),
    expected: { ...text('see _meta'), _meta: { 'example.com/trace': { depth: 2 } } },
  },
  {
    name: 'tools/call: bad arguments',
    run: ({ peer }) => peer.call('add', { a: 'two' }),
    expected: (/** @type {Column} */ column) =>
      isFirst(column)
        ? failed(
            'MCP error -32602: Input validation error: Invalid arguments for tool add: ' +
              'Invalid input: expected number, received string at a',
          )
        : failed(
            'Input validation error: Invalid arguments for tool add: a: Invalid input: expected number, received string',
          ),
  },
  {
    name: 'tools/call: unknown tool',
    run: ({ peer }) => refusal(peer.call('unknown')),
    expected: (/** @type {Column} */ column) =>
      isFirst(column)
        ? { value: failed('MCP error -32602: Tool unknown not found') }
        : { code: -32602, message: 'Tool unknown not found' },
  },
  {
    name: 'tools/call: 50 at once',
    run: async ({ peer }) => {
      const sums = Array.from({ length: 50 }, (_, n) => peer.call('add', { a: n, b: 1000 }));
      return (await Promise.all(sums)).map(({ content }) => content[0].text);
    },
    expected: Array.from({ length: 50 }, (_, n) => String(n + 1000)),
  },
  {
    name: 'progress',
    run: async ({ peer }) => {
      const received = /** @type {unknown[]} */ ([]);
      const result = await peer.call(
        'count',
        { to: 3 },
        { onProgress: (progress) => received.push(progress) },
      );
      return { result, received };
    },
    expected: {
      result: text('counted to 3'),
      received: [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
    },
  },
  {
    name: 'logging',
    run: async ({ peer, application }) => {
      await peer.setLogLevel('info');
      application.logs.take();
      await peer.call('chatter');
      return application.logs.first(2);
    },
    expected: [
      { level: 'info', data: { step: 1 }, logger: 'fixture' },
      { level: 'error', data: 'second', logger: 'fixture' },
    ],
  },
  { name: 'cancellation', run: cancel, expected: { cancelled: true, waited: { waits: 1, aborted: 1 } } },
];

/** @param {import('../run/cells.js').Scene} scene */
async function cancel({ peer }) {
  const controller = new AbortController();
  const waiting = peer.call('wait', undefined, { signal: controller.signal }).then(
    () => false,
    () => true,
  );
  await peer.call('odd_text');
  controller.abort();
  const cancelled = await waiting;
  let waited;
  // If closing the stream cancels, nothing shows when the server has noticed.
  do waited = JSON.parse((await peer.call('waited')).content[0].text);
  while (waited.aborted === 0);
  return { cancelled, waited };
}

/** @param {Column} column */
function dialect(column) {
  return isFirst(column)
    ? 'http://json-schema.org/draft-07/schema#'
    : 'https://json-schema.org/draft/2020-12/schema';
}

/** @param {Column} column */
function definitionOfAdd(column) {
  return {
    name: 'add',
    title: 'Add',
    description: 'Adds two numbers',
    inputSchema: {
      $schema: dialect(column),
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number', default: 10 } },
      required: ['a'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    ...(isFirst(column) && { execution: { taskSupport: 'forbidden' } }),
  };
}

/** @param {Column} column */
function weatherSchema(column) {
  const texts = { type: 'array', items: { type: 'string' } };
  const wind = {
    type: 'object',
    properties: { speed: { type: 'number' }, from: texts },
    required: ['speed', 'from'],
  };
  return {
    $schema: dialect(column),
    type: 'object',
    properties: {
      city: { type: 'string' },
      celsius: { type: 'number' },
      wind: { ...wind, additionalProperties: false },
      warning: { type: ['string', 'null'] },
    },
    required: ['city', 'celsius', 'wind', 'warning'],
    additionalProperties: false,
  };
}
