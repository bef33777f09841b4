import { refusal, since } from '../run/cells.js';
import { png } from '../servers/fixtures/values.js';
import { block as text, user } from './fixture-dialects.js';
import { changesDuring } from './watching.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/columns.js').Column} Column */

const completion = (/** @type {string[]} */ ...values) => ({ values, total: values.length, hasMore: false });
const needed = (/** @type {string} */ name, /** @type {string} */ description) => ({
  name,
  description,
  required: true,
});

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'resources/list',
    run: ({ peer }) => peer.resources(),
    expected: [
      {
        uri: 'skill://report-writing/SKILL.md',
        name: 'report-writing',
        description: 'How to write a status report. Use it when the user asks for a summary of the week.',
        mimeType: 'text/markdown',
      },
      {
        uri: 'skill://report-writing/references/guide.md',
        name: 'guide.md',
        mimeType: 'text/markdown',
      },
      {
        uri: 'ui://counter',
        name: 'counter',
        mimeType: 'text/html;profile=mcp-app',
        _meta: { ui: { prefersBorder: true } },
      },
      {
        uri: 'test://static-text',
        name: 'static-text',
        description: 'A text that never changes',
        mimeType: 'text/plain',
      },
      {
        uri: 'test://static-binary',
        name: 'static-binary',
        description: 'An image that never changes',
        mimeType: 'image/png',
      },
      {
        uri: 'test://watched-resource',
        name: 'watched-resource',
        description: 'A text that changes when told to',
        mimeType: 'text/plain',
      },
    ],
  },
  {
    name: 'resources/list: pages',
    run: async ({ peer }) => {
      const first = await peer.resourcePage();
      const second = await peer.resourcePage(first.nextCursor);
      return { first: first.uris, second: second.uris, more: second.nextCursor !== undefined };
    },
    expected: {
      first: ['skill://report-writing/SKILL.md', 'skill://report-writing/references/guide.md'],
      second: ['ui://counter', 'test://static-text'],
      more: true,
    },
  },
  {
    name: 'resources/list: bad cursor',
    run: async ({ peer }) => (await refusal(peer.resourcePage('no such cursor'))).code,
    expected: -32602,
  },
  {
    name: 'resources/templates/list',
    run: ({ peer }) => peer.templates(),
    expected: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'Data by identifier',
        mimeType: 'application/json',
      },
    ],
  },
  {
    name: 'resources/read: text',
    run: ({ peer }) => peer.read('test://static-text'),
    expected: {
      contents: [
        {
          uri: 'test://static-text',
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ],
    },
  },
  {
    name: 'resources/read: bytes',
    run: ({ peer }) => peer.read('test://static-binary'),
    expected: { contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: png }] },
  },
  {
    name: 'resources/read: template',
    run: ({ peer }) => peer.read('test://template/%C3%A5/data'),
    expected: {
      contents: [
        {
          uri: 'test://template/%C3%A5/data',
          mimeType: 'application/json',
          text: '{"id":"å","templateTest":true,"data":"Data for ID: å"}',
        },
      ],
    },
  },
  {
    name: 'resources/read: unknown',
    run: async ({ peer }) => {
      const { code, data } = await refusal(peer.read('test://nothing'));
      return { code, data };
    },
    // The second generation shows its newest code for any code the server sent.
    expected: (/** @type {Column} */ { client }) => ({
      code: client === 'official-v1' ? -32002 : -32602,
      data: { uri: 'test://nothing' },
    }),
  },
  {
    name: 'prompts/list',
    run: ({ peer }) => peer.prompts(),
    expected: [
      { name: 'test_simple_prompt', description: 'A prompt without arguments' },
      {
        name: 'test_prompt_with_arguments',
        description: 'A prompt with two arguments',
        arguments: [needed('arg1', 'First test argument'), needed('arg2', 'Second test argument')],
      },
      {
        name: 'test_prompt_with_embedded_resource',
        description: 'A prompt that carries a resource',
        arguments: [needed('resourceUri', 'URI of the resource to embed')],
      },
      { name: 'test_prompt_with_image', description: 'A prompt that carries an image' },
      {
        name: 'test_input_required_result_prompt',
        description: 'A prompt that asks the user what it is about',
      },
    ],
  },
  {
    name: 'prompts/get',
    run: async ({ peer }) => (await peer.prompt('test_simple_prompt')).messages,
    expected: [user(text('This is a simple prompt for testing.'))],
  },
  {
    name: 'prompts/get: arguments',
    run: async ({ peer }) =>
      (await peer.prompt('test_prompt_with_arguments', { arg1: 'one', arg2: 'tø' })).messages,
    expected: [user(text("Prompt with arguments: arg1='one', arg2='tø'"))],
  },
  {
    name: 'prompts/get: resource',
    run: async ({ peer }) =>
      (await peer.prompt('test_prompt_with_embedded_resource', { resourceUri: 'test://x' })).messages,
    expected: [
      user({
        type: 'resource',
        resource: { uri: 'test://x', mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      user(text('Please process the embedded resource above.')),
    ],
  },
  {
    name: 'prompts/get: image',
    run: async ({ peer }) => (await peer.prompt('test_prompt_with_image')).messages,
    expected: [
      user({ type: 'image', data: png, mimeType: 'image/png' }),
      user(text('Please analyze the image above.')),
    ],
  },
  {
    name: 'prompts/get: argument missing',
    run: async ({ peer }) => {
      const { code, message } = await refusal(peer.prompt('test_prompt_with_arguments', { arg1: 'one' }));
      return { code, names: message.includes('arg2') };
    },
    expected: { code: -32602, names: true },
  },
  {
    name: 'prompts/get: unknown',
    run: ({ peer }) => refusal(peer.prompt('unknown')),
    expected: { code: -32602, message: 'Unknown prompt: unknown' },
  },
  {
    name: 'completion: prompt',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
        argument: { name: 'arg1', value: 'par' },
      }),
    expected: completion('paris', 'park', 'party'),
  },
  {
    name: 'completion: template',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
        argument: { name: 'id', value: '12' },
      }),
    expected: completion('123', '124'),
  },
  {
    name: 'completion: no match',
    run: ({ peer }) =>
      peer.complete({
        ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
        argument: { name: 'arg1', value: 'zz' },
        context: { arguments: { arg2: 'x' } },
      }),
    expected: completion(),
    unless: since('2025-06-18', 'the context of a completion'),
  },
  {
    name: 'subscription',
    run: ({ peer }) => {
      const filter = { uri: 'test://watched-resource' };
      const change = { by: 'test_trigger_resource_change', next: 'test_simple_text' };
      return changesDuring(peer, filter, change);
    },
    expected: { received: 'test://watched-resource', afterwards: [] },
  },
  {
    name: 'tools/list_changed',
    run: ({ peer }) => changesDuring(peer, { tools: true }, { by: 'test_trigger_tool_change' }),
    expected: { received: 'tools' },
  },
  {
    name: 'prompts/list_changed',
    run: ({ peer }) => changesDuring(peer, { prompts: true }, { by: 'test_trigger_prompt_change' }),
    expected: { received: 'prompts' },
  },
];
