import { refusal, since, until } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, failed, isOfficial, refusalOf, text, unlessOffered } from './fixture-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/columns.js').Column} Column */

const [words, image] = values.picture;
const weather = { ...values.weather, city: 'Rome' };
const log = (/** @type {string} */ level, /** @type {unknown} */ data) => ({
  level,
  data,
  logger: 'fixture',
});
const logs = [log('info', { step: 1 }), log('error', 'second')];

/** The calls of every fixture. @type {readonly Call[]} */
export const calls = [
  {
    name: 'negotiated revision',
    run: ({ peer }) => peer.revision(),
    expected: (/** @type {Column} */ { speaks }) => speaks,
  },
  {
    name: 'server info',
    run: async ({ peer, column }) => {
      const info = await peer.server();
      return isOfficial(column) ? info : { name: info.name, version: info.version };
    },
    expected: (/** @type {Column} */ column) => ({
      name: column.server.replace(/-(json|sessionless)$/, ''),
      ...(isOfficial(column) ? values.info : { version: values.info.version }),
    }),
  },
  {
    name: 'instructions',
    run: ({ peer }) => peer.instructions(),
    expected: values.instructions,
    unless: unlessOffered('instructions'),
  },
  {
    name: 'capabilities',
    run: async ({ peer, column }) => {
      const capabilities = await peer.capabilities();
      return isOfficial(column) ? capabilities : Object.keys(capabilities).sort();
    },
    expected: capabilitiesOf,
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
    expected: toolNames,
  },
  {
    name: 'tools/list: a definition',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'add'),
    expected: definitionOfAdd,
  },
  {
    name: 'tools/list: output schema',
    run: async ({ peer, column }) => {
      const { outputSchema } = (await peer.tools()).find(({ name }) => name === 'weather');
      if (isOfficial(column)) return outputSchema;
      return { properties: Object.keys(outputSchema.properties), required: outputSchema.required };
    },
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
    name: 'tools/call: structured content',
    run: ({ peer }) => peer.call('weather', { city: 'Rome' }),
    expected: { ...text(JSON.stringify(weather)), structuredContent: weather },
  },
  {
    name: 'tools/call: image',
    run: ({ peer }) => peer.call('picture'),
    // The official servers add annotations.
    expected: (/** @type {Column} */ column) => ({
      content: [isOfficial(column) ? words : block(words.text), image],
    }),
  },
  {
    name: 'tools/call: embedded resources',
    run: ({ peer }) => peer.call('embedded'),
    expected: { content: values.embedded },
  },
  {
    name: 'tools/call: isError',
    run: ({ peer }) => peer.call('fail'),
    expected: failed(values.texts.failure),
  },
  {
    name: 'tools/call: throws',
    run: async ({ peer }) => {
      const { data, ...refused } = await refusal(peer.call('throw'));
      return refused;
    },
    expected: by({
      official: { value: failed(values.texts.thrown) },
      tmcp: { code: -32603, message: values.texts.thrown },
      lite: { code: -32603, message: 'Internal error' },
      fast: { value: failed(`Tool 'throw' execution failed: ${values.texts.thrown}`) },
    }),
  },
  {
    name: 'tools/call: bad arguments',
    run: async ({ peer, column }) => refusalOf(column, await refusal(peer.call('add', { a: 'two' }))),
    expected: by({
      official: {
        value: failed(
          'MCP error -32602: Input validation error: Invalid arguments for tool add: ' +
            'Invalid input: expected number, received string at a',
        ),
      },
      v2: {
        value: failed(
          'Input validation error: Invalid arguments for tool add: a: Invalid input: expected number, received string',
        ),
      },
      tmcp: { isError: true },
      lite: -32602,
      fast: -32602,
    }),
  },
  {
    name: 'tools/call: unknown tool',
    run: async ({ peer, column }) => refusalOf(column, await refusal(peer.call('unknown'))),
    expected: by({
      official: { value: failed('MCP error -32602: Tool unknown not found') },
      v2: { code: -32602, message: 'Tool unknown not found' },
      tmcp: { isError: true },
      lite: -32601,
      fast: -32601,
    }),
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
    run: async ({ peer, application, column }) => {
      await peer.setLogLevel('info');
      application.logs.take();
      await peer.call('chatter');
      return application.logs.first(column.server === 'fixture-fastmcp' ? 3 : 2);
    },
    // FastMCP also sends messages below the requested level.
    expected: by({
      official: logs,
      tmcp: logs,
      lite: [],
      fast: [
        { level: 'debug', data: { message: 'not wanted' } },
        { level: 'info', data: { context: { step: 1 }, message: 'first' } },
        { level: 'error', data: { message: 'second' } },
      ],
    }),
    unless: unlessOffered('logging'),
  },
  {
    name: 'cancellation',
    run: cancel,
    expected: { cancelled: true, waited: { waits: 1, aborted: 1 } },
    unless: unlessOffered('cancellation'),
  },
];

/** The calls of the official fixtures only. @type {readonly Call[]} */
export const officialCalls = [
  {
    name: 'tools/call: 3 million characters',
    run: async ({ peer }) =>
      (await peer.call('big', { times: 1_000_000 })).content[0].text === 'aß😀'.repeat(1_000_000),
    expected: true,
  },
  {
    name: 'tools/call: audio',
    run: ({ peer }) => peer.call('sound'),
    expected: { content: values.sound },
    unless: since('2025-03-26', 'audio'),
  },
  {
    name: 'tools/call: resource link',
    run: ({ peer }) => peer.call('link'),
    expected: { content: values.link },
    unless: since('2025-06-18', 'a link to a resource'),
  },
  {
    name: 'tools/call: _meta',
    run: ({ peer }) => peer.call('meta'),
    expected: { ...text('see _meta'), _meta: { 'example.com/trace': { depth: 2 } } },
  },
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
function capabilitiesOf(column) {
  const official = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    logging: {},
    completions: {},
  };
  const names = Object.keys(official).sort();
  const extensions = { 'io.modelcontextprotocol/skills': { directoryRead: true } };
  const v2 = { ...official, extensions };
  return by({ official, v2, tmcp: names, lite: ['prompts', 'resources', 'tools'], fast: names })(column);
}

/** @param {Column} column */
function toolNames(column) {
  const asking = ['ask_form', 'ask_model', 'ask_roots'];
  const first = ['add', 'odd_text', 'weather', 'picture', 'embedded', 'fail', 'throw', 'count'];
  const all = [...first, 'chatter', 'wait', 'waited', 'touch', ...asking, 'grow'];
  const official = [
    ...['add', 'odd_text', 'big', 'weather', 'picture', 'sound', 'embedded', 'link'],
    ...['fail', 'throw', 'meta'],
    ...['count', 'linger', 'chatter', 'wait', 'waited', 'poll', 'touch', 'grow'],
    ...['ask_form', 'ask_page', 'ask_model', 'ask_roots'],
  ];
  const lite = [...first, 'ask_form', 'ask_model', 'grow'];
  return by({ official, tmcp: all, lite, fast: all })(column);
}

const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

/** @param {Column} column */
function definitionOfAdd(column) {
  const inputSchema = {
    $schema: by({ official: draft7, v2: draft2020, tmcp: draft7, lite: draft2020, fast: draft7 })(column),
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number', default: 10 } },
    // Two send the schema of parsed arguments, in which a member with a default is required.
    required: by({ official: ['a'], tmcp: ['a', 'b'], lite: ['a', 'b'], fast: ['a'] })(column),
    ...(!isOfficial(column) && { additionalProperties: false }),
  };
  const title = { title: 'Add' };
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  const v2 = { ...title, annotations };
  const official = { ...v2, execution: { taskSupport: 'forbidden' } };
  return {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema,
    ...by({ official, v2, tmcp: title, lite: title, fast: { annotations: title } })(column),
  };
}

/** @param {Column} column */
function weatherSchema(column) {
  const names = Object.keys(weather);
  if (!isOfficial(column)) return { properties: names, required: names };
  const texts = { type: 'array', items: { type: 'string' } };
  const wind = {
    type: 'object',
    properties: { speed: { type: 'number' }, from: texts },
    required: ['speed', 'from'],
  };
  return {
    $schema: by({ official: draft7, v2: draft2020, tmcp: '', lite: '', fast: '' })(column),
    type: 'object',
    properties: {
      city: { type: 'string' },
      celsius: { type: 'number' },
      wind: { ...wind, additionalProperties: false },
      warning: { type: ['string', 'null'] },
    },
    required: names,
    additionalProperties: false,
  };
}
