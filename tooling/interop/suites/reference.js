import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Inbox } from '../peers/application.js';
import { refusal, since } from '../run/cells.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const require = createRequire(import.meta.url);
const docs = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/docs',
);
const text = (/** @type {string} */ text) => ({ content: [{ type: 'text', text }] });
const chicago = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 };
const completion = (/** @type {string[]} */ ...values) => ({ values, total: values.length, hasMore: false });
const user = (/** @type {string} */ text) => ({ role: 'user', content: { type: 'text', text } });
const documentUri = (/** @type {string} */ name) => `demo://resource/static/document/${name}`;

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
    expected: { name: 'mcp-servers/everything', title: 'Everything Reference Server', version: '2.0.0' },
  },
  {
    name: 'instructions',
    run: ({ peer }) => peer.instructions(),
    expected: readFileSync(join(docs, 'instructions.md'), 'utf8'),
  },
  { name: 'ping', run: async ({ peer }) => (await peer.ping()) ?? {}, expected: {} },
  { name: 'tools/list: names', run: toolNames, expected: expectedToolNames },
  {
    name: 'tools/list: a definition',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'echo'),
    expected: {
      name: 'echo',
      title: 'Echo Tool',
      description: 'Echoes back the input string',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { message: { type: 'string', description: 'Message to echo' } },
        required: ['message'],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      execution: { taskSupport: 'forbidden' },
    },
  },
  {
    name: 'task: a tool for tasks only',
    unless: since('2025-11-25', 'support for tasks'),
    async run({ peer }) {
      const { content } = await peer.call('simulate-research-query', { topic: 'tides' });
      return content[0].text.split('\n')[0];
    },
    expected: '# Research Report: tides',
  },
  { name: 'echo', run: ({ peer }) => peer.call('echo', { message: 'hå' }), expected: text('Echo: hå') },
  {
    name: 'get-sum',
    run: ({ peer }) => peer.call('get-sum', { a: 1.5, b: -4 }),
    expected: text('The sum of 1.5 and -4 is -2.5.'),
  },
  {
    name: 'get-structured-content',
    run: ({ peer }) => peer.call('get-structured-content', { location: 'Chicago' }),
    expected: { ...text(JSON.stringify(chicago)), structuredContent: chicago },
  },
  {
    name: 'get-annotated-message',
    run: async ({ peer }) => {
      const { content } = await peer.call('get-annotated-message', {
        messageType: 'error',
        includeImage: true,
      });
      const [{ data, ...image }] = content.slice(1);
      return { text: content[0], image: { ...image, isPng: data.startsWith('iVBORw0KGgo') } };
    },
    expected: {
      text: {
        type: 'text',
        text: 'Error: Operation failed',
        annotations: { audience: ['user', 'assistant'], priority: 1 },
      },
      image: {
        type: 'image',
        mimeType: 'image/png',
        annotations: { audience: ['user'], priority: 0.5 },
        isPng: true,
      },
    },
  },
  {
    name: 'get-resource-links',
    run: async ({ peer }) => (await peer.call('get-resource-links', { count: 2 })).content.slice(1),
    expected: ['blob', 'text'].map((kind, index) => ({
      type: 'resource_link',
      uri: `demo://resource/dynamic/${kind}/${index + 1}`,
      name: `${kind === 'blob' ? 'Blob' : 'Text'} Resource ${index + 1}`,
      description: `Resource ${index + 1}: plaintext resource`,
      mimeType: 'text/plain',
    })),
    unless: since('2025-06-18', 'a link to a resource'),
  },
  {
    name: 'get-resource-reference',
    run: async ({ peer }) =>
      withoutTime((await peer.call('get-resource-reference', { resourceId: 4 })).content),
    expected: [
      { type: 'text', text: 'Returning resource reference for Resource 4:' },
      { type: 'resource', resource: dynamicText(4) },
      {
        type: 'text',
        text: 'You can access this resource using the URI: demo://resource/dynamic/text/4',
      },
    ],
  },
  {
    name: 'trigger-long-running-operation',
    run: async ({ peer }) => {
      /** @type {unknown[]} */
      const received = [];
      const onProgress = (/** @type {unknown} */ progress) => received.push(progress);
      const args = { duration: 0.2, steps: 4 };
      const result = await peer.call('trigger-long-running-operation', args, { onProgress });
      return { result, received };
    },
    expected: {
      result: text('Long running operation completed. Duration: 0.2 seconds, Steps: 4.'),
      received: [1, 2, 3, 4].map((progress) => ({ progress, total: 4 })),
    },
  },
  {
    name: 'trigger-sampling-request',
    run: sample,
    expected: {
      asked: {
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: 'Resource trigger-sampling-request context: Why?' },
          },
        ],
        systemPrompt: 'You are a helpful test server.',
        maxTokens: 7,
        temperature: 0.7,
      },
      answer: {
        role: 'assistant',
        content: { type: 'text', text: 'Because.' },
        model: 'test-model',
        stopReason: 'endTurn',
      },
    },
  },
  {
    name: 'trigger-elicitation-request',
    run: elicit,
    expected: { name: 'Kari', integer: 7, untitledMultipleSelectEnum: ['Piano', 'Drums'] },
    unless: since('2025-11-25', 'the form it sends, with fields of many values,'),
  },
  {
    name: 'get-roots-list',
    run: async ({ peer }) => (await peer.call('get-roots-list')).content[0].text.split('\n\n').slice(0, 3),
    expected: [
      'Current MCP Roots (2 total):',
      '1. project\n   URI: file:///home/user/project',
      '2. dåta\n   URI: file:///srv/d%C3%A5ta',
    ],
  },
  {
    name: 'tools/call: unknown tool',
    run: ({ peer }) => peer.call('unknown'),
    expected: { ...text('MCP error -32602: Tool unknown not found'), isError: true },
  },
  {
    name: 'resources/list',
    run: async ({ peer }) => (await peer.resources()).map(({ uri, mimeType }) => ({ uri, mimeType })),
    expected: readdirSync(docs).map((name) => ({ uri: documentUri(name), mimeType: 'text/markdown' })),
  },
  {
    name: 'resources/read: text',
    run: ({ peer }) => peer.read(documentUri('features.md')),
    expected: {
      contents: [
        {
          uri: documentUri('features.md'),
          mimeType: 'text/markdown',
          text: readFileSync(join(docs, 'features.md'), 'utf8'),
        },
      ],
    },
  },
  {
    name: 'resources/read: template',
    run: async ({ peer }) => withoutTime((await peer.read('demo://resource/dynamic/text/9')).contents),
    expected: [dynamicText(9)],
  },
  {
    name: 'resources/read: unknown',
    run: ({ peer }) => refusal(peer.read('demo://nothing')),
    expected: { code: -32602, message: 'Resource demo://nothing not found' },
  },
  {
    name: 'resources/templates/list',
    run: async ({ peer }) => (await peer.templates()).map(({ name, uriTemplate }) => [name, uriTemplate]),
    expected: [
      ['Dynamic Text Resource', 'demo://resource/dynamic/text/{resourceId}'],
      ['Dynamic Blob Resource', 'demo://resource/dynamic/blob/{resourceId}'],
    ],
  },
  { name: 'subscription', run: subscribe, expected: ['demo://resource/dynamic/text/1'] },
  {
    name: 'prompts/list',
    run: async ({ peer }) =>
      (await peer.prompts()).map(({ name, arguments: args = [] }) => [name, args.length]),
    expected: [
      ['simple-prompt', 0],
      ['args-prompt', 2],
      ['completable-prompt', 2],
      ['resource-prompt', 2],
    ],
  },
  {
    name: 'prompts/get',
    run: ({ peer }) => peer.prompt('simple-prompt'),
    expected: { messages: [user('This is a simple prompt without arguments.')] },
  },
  {
    name: 'prompts/get: arguments',
    run: ({ peer }) => peer.prompt('args-prompt', { city: 'Bergen' }),
    expected: { messages: [user("What's weather in Bergen?")] },
  },
  {
    name: 'prompts/get: resource',
    run: async ({ peer }) => {
      const { messages } = await peer.prompt('resource-prompt', { resourceType: 'Text', resourceId: '3' });
      return withoutTime([messages[1].content]);
    },
    expected: [{ type: 'resource', resource: dynamicText(3) }],
  },
  {
    name: 'completion: prompt',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'S' },
      }),
    expected: completion('Sales', 'Support'),
  },
  {
    name: 'completion: by another argument',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: '' },
        context: { arguments: { department: 'Sales' } },
      }),
    expected: completion('David', 'Eve', 'Frank'),
    unless: since('2025-06-18', 'the context of a completion'),
  },
];

/** @param {Scene} scene */
async function toolNames({ peer }) {
  return (await peer.tools()).map(({ name }) => name);
}

/** @param {Column} column */
function expectedToolNames({ speaks }) {
  const elicits = speaks >= '2025-06-18';
  const runsTasks = speaks >= '2025-11-25';
  return [
    ...['echo', 'get-annotated-message', 'get-env', 'get-resource-links', 'get-resource-reference'],
    ...['get-structured-content', 'get-sum', 'get-tiny-image', 'gzip-file-as-resource'],
    ...['toggle-simulated-logging', 'toggle-subscriber-updates', 'trigger-long-running-operation'],
    'get-roots-list',
    ...(elicits ? ['trigger-elicitation-request'] : []),
    ...(runsTasks ? ['trigger-url-elicitation'] : []),
    ...['trigger-sampling-request', 'simulate-research-query'],
    ...(runsTasks ? ['trigger-sampling-request-async', 'trigger-elicitation-request-async'] : []),
  ];
}

/** @param {Scene} scene */
async function sample({ peer, application }) {
  application.takeInputRequests();
  application.answers.sample = () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Because.' },
    model: 'test-model',
    stopReason: 'endTurn',
  });
  const { content } = await peer.call('trigger-sampling-request', { prompt: 'Why?', maxTokens: 7 });
  // Some time after the start, the server requests the roots.
  const asked = application.takeInputRequests().find(({ kind }) => kind === 'sample');
  return { asked: asked?.params, answer: JSON.parse(content[0].text.replace('LLM sampling result:', '')) };
}

/** @param {Scene} scene */
async function elicit({ peer, application }) {
  const content = { name: 'Kari', integer: 7, untitledMultipleSelectEnum: ['Piano', 'Drums'] };
  application.answers.form = () => ({ action: 'accept', content });
  const result = await peer.call('trigger-elicitation-request');
  const raw = result.content.at(-1).text.replace('\nRaw result: ', '');
  const given = JSON.parse(raw).content;
  return Object.fromEntries(Object.keys(content).map((key) => [key, given[key]]));
}

/** @param {Scene} scene */
async function subscribe({ peer }) {
  const changes = new Inbox();
  const uri = 'demo://resource/dynamic/text/1';
  const stop = await peer.watch({ uri }, (change) => changes.add(change));
  await peer.call('toggle-subscriber-updates');
  const received = await changes.first(1);
  await peer.call('toggle-subscriber-updates');
  await stop();
  return received;
}

/** @param {number} id */
function dynamicText(id) {
  return {
    uri: `demo://resource/dynamic/text/${id}`,
    mimeType: 'text/plain',
    text: `Resource ${id}: This is a plaintext resource created at TIME`,
  };
}

/**
 * Replaces the time of day in values of the reference server with a word.
 *
 * @param {unknown} value
 */
function withoutTime(value) {
  return JSON.parse(JSON.stringify(value).replaceAll(/created at [^"]+"/g, 'created at TIME"'));
}
