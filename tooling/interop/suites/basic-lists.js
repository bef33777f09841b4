import { Inbox } from '../peers/application.js';
import { refusal } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, text, unlessOffered } from './basic-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const user = (/** @type {string} */ message) => ({ role: 'user', content: block(message) });
const described = (/** @type {string} */ description) => by({ tmcp: {}, lite: {}, fast: { description } });

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'resources/list',
    run: ({ peer }) => peer.resources(),
    expected: (/** @type {Column} */ column) => [
      {
        uri: 'fixture://text',
        name: 'text',
        description: 'Fixed text',
        mimeType: 'text/plain',
        ...titled('A text')(column),
      },
    ],
  },
  {
    name: 'resources/templates/list',
    run: ({ peer }) => peer.templates(),
    expected: (/** @type {Column} */ column) => {
      const { title, ...template } = values.template;
      return [{ ...template, ...titled(title)(column) }];
    },
  },
  {
    name: 'resources/read',
    run: ({ peer }) => read(peer, 'fixture://text'),
    expected: [{ uri: 'fixture://text', mimeType: 'text/plain', text: values.texts.odd }],
  },
  {
    name: 'resources/read: template',
    run: ({ peer }) => read(peer, 'fixture://item/7'),
    expected: [values.item('7')],
  },
  {
    name: 'resources/read: unknown',
    run: async ({ peer }) => (await refusal(peer.read('fixture://none'))).code,
    expected: by({ tmcp: -32602, lite: -32601, fast: -32601 }),
  },
  {
    name: 'prompts/list',
    run: async ({ peer }) =>
      (await peer.prompts()).map(({ name, arguments: given = [] }) => ({ name, arguments: given })),
    expected: [
      { name: 'plain', arguments: [] },
      { name: 'greet', arguments: ['team', 'name'].map((name) => ({ name, required: true })) },
    ],
  },
  {
    name: 'prompts/get',
    run: ({ peer }) => peer.prompt('plain'),
    expected: (/** @type {Column} */ column) => ({
      description: 'Two turns',
      ...described('No arguments')(column),
      messages: [user('Hello'), { role: 'assistant', content: block('Hi') }],
    }),
  },
  {
    name: 'prompts/get: arguments',
    run: ({ peer }) => peer.prompt('greet', { team: 'kitchen', name: 'Ada' }),
    expected: (/** @type {Column} */ column) => ({
      ...described('Greets')(column),
      messages: [user('Greet Ada of kitchen')],
    }),
  },
  {
    name: 'prompts/get: unknown',
    run: async ({ peer }) => (await refusal(peer.prompt('unknown'))).code,
    expected: by({ tmcp: -32602, lite: -32602, fast: -32601 }),
  },
  {
    name: 'completion',
    run: ({ peer }) =>
      peer.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'team', value: 'k' } }),
    expected: (/** @type {Column} */ column) => ({
      values: ['kitchen'],
      ...by({ tmcp: { hasMore: false }, lite: {}, fast: { total: 1 } })(column),
    }),
    unless: unlessOffered('completion'),
  },
  {
    name: 'subscription',
    run: subscribe,
    expected: { received: ['fixture://text'], afterwards: [] },
    unless: unlessOffered('subscriptions'),
  },
  {
    name: 'tools/list_changed',
    run: grow,
    expected: { received: ['tools'], called: text('grown') },
    unless: unlessOffered('list changes'),
  },
];

/**
 * @param {import('../peers/peer.js').Peer} peer
 * @param {string} uri
 */
async function read(peer, uri) {
  const { contents } = await peer.read(uri);
  // FastMCP adds members that no revision has.
  return contents.map((/** @type {any} */ { name, description, ...content }) => content);
}

/** @param {string} title */
function titled(title) {
  return by({ tmcp: { title }, lite: { title }, fast: {} });
}

/** @param {Scene} scene */
async function subscribe({ peer }) {
  const changes = new Inbox();
  const stop = await peer.watch({ uri: 'fixture://text' }, (change) => changes.add(change));
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
