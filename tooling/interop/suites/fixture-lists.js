import { refusal, since } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, isOfficial, refusalOf, text, unlessOffered, user } from './fixture-dialects.js';
import { changesDuring } from './watching.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const completion = (/** @type {string[]} */ ...found) => ({
  values: found,
  total: found.length,
  hasMore: false,
});
const described = (/** @type {string} */ description) =>
  by({ official: {}, tmcp: {}, lite: {}, fast: { description } });
const titled = (/** @type {string} */ title) =>
  by({ official: { title }, tmcp: { title }, lite: { title }, fast: {} });
/** The resource of which the fixture announces changes. */
const changing = (/** @type {Column} */ column) =>
  isOfficial(column) ? 'fixture://watched' : 'fixture://text';

/** The calls of every fixture. @type {readonly Call[]} */
export const calls = [
  {
    name: 'resources/list',
    run: ({ peer }) => peer.resources(),
    expected: (/** @type {Column} */ column) => {
      if (isOfficial(column)) return values.resources;
      const [{ title = '', ...first } = {}] = values.resources;
      return [{ ...first, ...titled(title)(column) }];
    },
  },
  {
    name: 'resources/templates/list',
    run: ({ peer }) => peer.templates(),
    expected: (/** @type {Column} */ column) => {
      const { title, ...template } = values.template;
      const skills = { name: 'io.modelcontextprotocol/skills', uriTemplate: 'skill://{+path}' };
      return [
        { ...template, ...titled(title)(column) },
        ...by({ official: [], v2: [skills], tmcp: [], lite: [], fast: [] })(column),
      ];
    },
  },
  {
    name: 'resources/read: text',
    run: (scene) => read(scene, 'fixture://text'),
    expected: { contents: [{ uri: 'fixture://text', mimeType: 'text/plain', text: values.texts.odd }] },
  },
  {
    name: 'resources/read: template',
    run: (scene) => read(scene, 'fixture://item/7'),
    expected: { contents: [values.item('7')] },
  },
  {
    name: 'resources/read: unknown',
    run: async ({ peer, column }) => refusalOf(column, await refusal(peer.read('fixture://none'))),
    expected: by({
      official: { code: -32602, message: 'Resource fixture://none not found' },
      v2: { code: -32602, message: 'Resource not found: fixture://none', data: { uri: 'fixture://none' } },
      tmcp: -32602,
      lite: -32601,
      fast: -32601,
    }),
  },
  {
    name: 'prompts/list',
    run: async ({ peer, column }) => {
      const prompts = await peer.prompts();
      if (isOfficial(column)) return prompts;
      return prompts.map(({ name, arguments: given = [] }) => ({ name, arguments: given }));
    },
    expected: promptsOf,
  },
  {
    name: 'prompts/get',
    run: ({ peer }) => peer.prompt('plain'),
    expected: (/** @type {Column} */ column) => ({
      description: 'Two turns',
      ...described('No arguments')(column),
      messages: [user(block('Hello')), { role: 'assistant', content: block('Hi') }],
    }),
  },
  {
    name: 'prompts/get: arguments',
    run: ({ peer, column }) =>
      peer.prompt('greet', { team: 'kitchen', name: 'Ada', ...(isOfficial(column) && { tone: 'calm' }) }),
    expected: (/** @type {Column} */ column) => ({
      ...described('Greets')(column),
      messages: [user(block(isOfficial(column) ? 'calm: Ada of kitchen' : 'Greet Ada of kitchen'))],
    }),
  },
  {
    name: 'prompts/get: unknown',
    run: async ({ peer, column }) => refusalOf(column, await refusal(peer.prompt('unknown'))),
    expected: by({
      official: { code: -32602, message: 'Prompt unknown not found' },
      tmcp: -32602,
      lite: -32602,
      fast: -32601,
    }),
  },
  {
    name: 'completion: prompt',
    run: ({ peer }) =>
      peer.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'team', value: 'k' } }),
    expected: (/** @type {Column} */ column) => ({
      values: ['kitchen'],
      ...by({
        official: { total: 1, hasMore: false },
        tmcp: { hasMore: false },
        lite: {},
        fast: { total: 1 },
      })(column),
    }),
    unless: unlessOffered('completion'),
  },
  {
    name: 'subscription',
    run: ({ peer, column }) =>
      changesDuring(peer, { uri: changing(column) }, { by: 'touch', next: 'odd_text' }),
    expected: (/** @type {Column} */ column) => ({ received: changing(column), afterwards: [] }),
    unless: unlessOffered('subscriptions'),
  },
  {
    name: 'tools/list_changed',
    run: async ({ peer }) => {
      const { received } = await changesDuring(peer, { tools: true }, { by: 'grow' });
      return { received, called: await peer.call('grown') };
    },
    expected: { received: 'tools', called: text('grown') },
    unless: unlessOffered('list changes'),
  },
];

/** The calls of the official fixtures only. @type {readonly Call[]} */
export const officialCalls = [
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
    name: 'resources/read: bytes',
    run: ({ peer }) => peer.read('fixture://bytes'),
    expected: { contents: [{ uri: 'fixture://bytes', mimeType: 'image/png', blob: values.png }] },
  },
  {
    name: 'prompts/get: image and resource',
    run: ({ peer }) => peer.prompt('rich'),
    expected: { messages: [user(values.picture[1]), user(values.embedded[0])] },
  },
  {
    name: 'prompts/get: argument missing',
    run: ({ peer }) => refusal(peer.prompt('greet', { team: 'kitchen' })),
    expected: ({ server }) => {
      const reason = 'Invalid input: expected string, received undefined';
      const message = server.startsWith('fixture-v1') ? `${reason} at name` : `name: ${reason}`;
      return { code: -32602, message: `Invalid arguments for prompt greet: ${message}` };
    },
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
];

/** @param {Column} column */
function promptsOf(column) {
  const required = true;
  if (!isOfficial(column))
    return [
      { name: 'plain', arguments: [] },
      { name: 'greet', arguments: ['team', 'name'].map((name) => ({ name, required })) },
    ];
  const team = { name: 'team', description: 'Which team', required };
  return [
    { name: 'plain', title: 'Plain', description: 'No arguments' },
    {
      name: 'greet',
      description: 'Greets',
      arguments: [team, { name: 'name', required }, { name: 'tone', required: false }],
    },
    { name: 'rich', description: 'Not only text' },
  ];
}

/**
 * @param {Scene} scene
 * @param {string} uri
 */
async function read({ peer, column }, uri) {
  const result = await peer.read(uri);
  if (column.server !== 'fixture-fastmcp') return result;
  // FastMCP adds members that no revision has.
  const contents = result.contents.map((/** @type {any} */ { name, description, ...content }) => content);
  return { ...result, contents };
}
