import { Inbox } from '../peers/application.js';
import { refusal, since } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const isFirst = (/** @type {Column} */ { server }) => server.startsWith('fixture-v1');
const completion = (/** @type {string[]} */ ...found) => ({
  values: found,
  total: found.length,
  hasMore: false,
});
const user = (/** @type {unknown} */ content) => ({ role: 'user', content });
const text = (/** @type {string} */ text) => ({ type: 'text', text });

/** @type {readonly Call[]} */
export const calls = [
  { name: 'resources/list: all', run: ({ peer }) => peer.resources(), expected: values.resources },
  {
    name: 'resources/list: pages',
    run: async ({ peer }) => {
      const first = await peer.resourcePage();
      const second = await peer.resourcePage(first.nextCursor);
      return [first, second, await peer.resourcePage(second.nextCursor)];
    },
    expected: [
      { uris: ['fixture://text', 'fixture://bytes'], nextCursor: '2' },
      { uris: ['fixture://watched', 'fixture://item/1'], nextCursor: '4' },
      { uris: ['fixture://item/2'] },
    ],
  },
  {
    name: 'resources/templates/list',
    run: ({ peer }) => peer.templates(),
    expected: (/** @type {Column} */ column) =>
      isFirst(column)
        ? [values.template]
        : [values.template, { name: 'io.modelcontextprotocol/skills', uriTemplate: 'skill://{+path}' }],
  },
  {
    name: 'resources/read: text',
    run: ({ peer }) => peer.read('fixture://text'),
    expected: { contents: [{ uri: 'fixture://text', mimeType: 'text/plain', text: values.texts.odd }] },
  },
  {
    name: 'resources/read: bytes',
    run: ({ peer }) => peer.read('fixture://bytes'),
    expected: { contents: [{ uri: 'fixture://bytes', mimeType: 'image/png', blob: values.png }] },
  },
  {
    name: 'resources/read: template',
    run: ({ peer }) => peer.read('fixture://item/7'),
    expected: { contents: [values.item('7')] },
  },
  {
    name: 'resources/read: unknown',
    run: ({ peer }) => refusal(peer.read('fixture://none')),
    expected: (/** @type {Column} */ column) =>
      isFirst(column)
        ? { code: -32602, message: 'Resource fixture://none not found' }
        : { code: -32602, message: 'Resource not found: fixture://none', data: { uri: 'fixture://none' } },
  },
  {
    name: 'prompts/list',
    run: ({ peer }) => peer.prompts(),
    expected: [
      { name: 'plain', title: 'Plain', description: 'No arguments' },
      {
        name: 'greet',
        description: 'Greets',
        arguments: [
          { name: 'team', description: 'Which team', required: true },
          { name: 'name', required: true },
          { name: 'tone', required: false },
        ],
      },
      { name: 'rich', description: 'Not only text' },
    ],
  },
  {
    name: 'prompts/get',
    run: ({ peer }) => peer.prompt('plain'),
    expected: {
      description: 'Two turns',
      messages: [user(text('Hello')), { role: 'assistant', content: text('Hi') }],
    },
  },
  {
    name: 'prompts/get: arguments',
    run: ({ peer }) => peer.prompt('greet', { team: 'kitchen', name: 'Ada', tone: 'calm' }),
    expected: { messages: [user(text('calm: Ada of kitchen'))] },
  },
  {
    name: 'prompts/get: image and resource',
    run: ({ peer }) => peer.prompt('rich'),
    expected: { messages: [user(values.picture[1]), user(values.embedded[0])] },
  },
  {
    name: 'prompts/get: argument missing',
    run: ({ peer }) => refusal(peer.prompt('greet', { team: 'kitchen' })),
    expected: (/** @type {Column} */ column) => {
      const reason = 'Invalid input: expected string, received undefined';
      const message = isFirst(column) ? `${reason} at name` : `name: ${reason}`;
      return { code: -32602, message: `Invalid arguments for prompt greet: ${message}` };
    },
  },
  {
    name: 'prompts/get: unknown',
    run: ({ peer }) => refusal(peer.prompt('unknown')),
    expected: { code: -32602, message: 'Prompt unknown not found' },
  },
  {
    name: 'completion: prompt',
    run: ({ peer }) =>
      peer.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'team', value: 'k' } }),
    expected: completion('kitchen'),
  },
  {
    name: 'completion: by another argument',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'name', value: 'A' },
        context: { arguments: { team: 'kitchen' } },
      }),
    expected: completion('Ada', 'Alan'),
    unless: since('2025-06-18', 'the context of a completion'),
  },
  {
    name: 'completion: template',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/resource', uri: 'fixture://item/{id}' },
        argument: { name: 'id', value: '1' },
      }),
    expected: completion('1', '12'),
  },
  { name: 'subscription', run: subscribe, expected: { received: ['fixture://watched'], afterwards: [] } },
  {
    name: 'tools/list_changed',
    run: grow,
    expected: { received: ['tools'], called: { content: [text('grown')] } },
  },
];

/** @param {Scene} scene */
async function subscribe({ peer }) {
  const changes = new Inbox();
  const stop = await peer.watch({ uri: 'fixture://watched' }, (change) => changes.add(change));
  await peer.call('touch');
  const received = await changes.first(1);
  await stop();
  await peer.call('touch');
  await peer.call('odd_text');
  return { received, afterwards: changes.take() };
}

/** @param {Scene} scene */
async function grow({ peer }) {
  const changes = new Inbox();
  const stop = await peer.watch({ tools: true }, (change) => changes.add(change));
  await peer.call('grow');
  const received = await changes.first(1);
  await stop();
  return { received, called: await peer.call('grown') };
}
