import { refusal, until } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, failed, text, unlessOffered } from './basic-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/columns.js').Column} Column */

const pictures = [block('a picture'), { type: 'image', data: values.png, mimeType: 'image/png' }];
const weather = { ...values.weather, city: 'Rome' };
const log = (/** @type {string} */ level, /** @type {unknown} */ data) => ({
  level,
  data,
  logger: 'fixture',
});

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'negotiated revision',
    run: ({ peer }) => peer.revision(),
    expected: (/** @type {Column} */ { speaks }) => speaks,
  },
  {
    name: 'server info',
    run: async ({ peer }) => {
      const { name, version } = await peer.server();
      return { name, version };
    },
    expected: (/** @type {Column} */ { server }) => ({ name: server, version: values.info.version }),
  },
  {
    name: 'instructions',
    run: ({ peer }) => peer.instructions(),
    expected: values.instructions,
    unless: unlessOffered('instructions'),
  },
  {
    name: 'capabilities',
    run: async ({ peer }) => Object.keys(await peer.capabilities()).sort(),
    expected: by({
      tmcp: ['completions', 'logging', 'prompts', 'resources', 'tools'],
      lite: ['prompts', 'resources', 'tools'],
      fast: ['completions', 'logging', 'prompts', 'resources', 'tools'],
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
    expected: toolNames,
  },
  {
    name: 'tools/list: a definition',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'add'),
    expected: definitionOfAdd,
  },
  {
    name: 'tools/list: output schema',
    run: async ({ peer }) => {
      const { outputSchema } = (await peer.tools()).find(({ name }) => name === 'weather');
      return { properties: Object.keys(outputSchema.properties), required: outputSchema.required };
    },
    expected: { properties: Object.keys(weather), required: Object.keys(weather) },
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
  { name: 'tools/call: image', run: ({ peer }) => peer.call('picture'), expected: { content: pictures } },
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
      tmcp: { code: -32603, message: values.texts.thrown },
      lite: { code: -32603, message: 'Internal error' },
      fast: { value: failed(`Tool 'throw' execution failed: ${values.texts.thrown}`) },
    }),
  },
  {
    name: 'tools/call: bad arguments',
    run: async ({ peer }) => {
      const { code, value } = await refusal(peer.call('add', { a: 'two' }));
      return code ?? { isError: value.isError };
    },
    expected: by({ tmcp: { isError: true }, lite: -32602, fast: -32602 }),
  },
  {
    name: 'tools/call: unknown tool',
    run: async ({ peer }) => {
      const { code, value } = await refusal(peer.call('unknown'));
      return code ?? { isError: value.isError };
    },
    expected: by({ tmcp: { isError: true }, lite: -32601, fast: -32601 }),
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
      tmcp: [log('info', { step: 1 }), log('error', 'second')],
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
function toolNames(column) {
  const first = ['add', 'odd_text', 'weather', 'picture', 'embedded', 'fail', 'throw', 'count'];
  const more = ['chatter', 'wait', 'waited', 'touch', 'ask_form', 'ask_model', 'ask_roots', 'grow'];
  return [...first, ...by({ tmcp: more, lite: ['ask_form', 'ask_model', 'grow'], fast: more })(column)];
}

/** @param {Column} column */
function definitionOfAdd(column) {
  const draft7 = 'http://json-schema.org/draft-07/schema#';
  const titled = { title: 'Add' };
  return {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: {
      $schema: by({ tmcp: draft7, lite: 'https://json-schema.org/draft/2020-12/schema', fast: draft7 })(
        column,
      ),
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number', default: 10 } },
      // The first two send the schema of parsed arguments, in which a member with a default is required.
      required: by({ tmcp: ['a', 'b'], lite: ['a', 'b'], fast: ['a'] })(column),
      additionalProperties: false,
    },
    ...by({ tmcp: titled, lite: titled, fast: { annotations: titled } })(column),
  };
}
