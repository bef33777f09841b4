import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const link = { type: 'resource_link', uri: 'note://a', name: 'a' };
const resource = { type: 'resource', resource: { uri: 'note://a', text: 'a' } };

/** The client's and the author's error for a tool that returns this value. */
async function outcomeOf(returned: unknown) {
  const reported: string[] = [];
  const onError = (error: unknown) => void reported.push(String(error));
  const server = createServer({ name: 'test', version: '1' }, { onError }).tool(
    't',
    {},
    () => returned as never,
  );
  const peer = await WirePeer.open(server);
  const { result } = await peer.request('tools/call', { name: 't' });
  return { result, reported };
}

const refused: readonly [returned: unknown, report: string, ...ids: string[]][] = [
  [{ type: 'text' }, 'A content block of type "text" needs "text": a text.'],
  [{ type: 'text', text: 7 }, 'A content block of type "text" needs "text": a text.'],
  [[{ type: 'text', text: 'a' }, { type: 'text' }], 'A content block of type "text" needs "text": a text.'],
  [{ content: [{ type: 'text' }] }, 'A content block of type "text" needs "text": a text.'],
  [
    { type: 'image', data: 'AA==' },
    'A content block of type "image" needs "mimeType": a text.',
    '2024-11-05/server/prompts/image-encoded',
  ],
  [
    { type: 'audio', data: [1, 2], mimeType: 'audio/wav' },
    'A content block of type "audio" needs "data": base64, a Uint8Array, an ArrayBuffer or a Blob.',
  ],
  [{ ...link, name: undefined }, 'A content block of type "resource_link" needs "name": a text.'],
  [
    { type: 'resource', resource: { uri: 'note://a' } },
    'A content block of type "resource" has a "resource" that needs "text", or "blob".',
    '2024-11-05/server/prompts/resource-contents',
  ],
  [
    { type: 'resource' },
    'A content block of type "resource" has a "resource" that must be an object with "uri", and "text" or "blob".',
  ],
  [{ content: [], isError: 'yes' }, 'A result has "isError": "yes"; it must be true or false.'],
];

test.each(refused)(
  'rejects %j: the client receives an error, the author the problem',
  async (returned, report, ...ids) => {
    shows(...ids);
    const { result, reported } = await outcomeOf(returned);
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^The tool "t" failed\./) }],
    });
    expect(reported).toEqual([`TypeError: ${report}`]);
  },
);

test.each([
  { type: 'image', data: 'AA==', mimeType: 'image/png' },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  link,
  resource,
  { type: 'resource', resource: { uri: 'note://a', blob: 'AA==' } },
])('%j is content', async (block) => {
  const { result, reported } = await outcomeOf([block, { type: 'text', text: '' }]);
  expect(result?.content).toEqual([block, { type: 'text', text: '' }]);
  expect(reported).toEqual([]);
});

test('what looks like a result but holds no content blocks is output like any other', async () => {
  const { result } = await outcomeOf({ content: ['a'] });
  expect(result?.structuredContent).toEqual({ content: ['a'] });
});

describe('over the wire', () => {
  const wrong = 'no base64!';
  const noUri = { type: 'resource', resource: { text: 'x' } };
  const image = { type: 'image', data: wrong, mimeType: 'image/png' };

  /** The client's response for a prompt or resource with a handler that returns this value. */
  async function heard(method: 'prompts/get' | 'resources/read', returned: unknown) {
    const reported: string[] = [];
    const onError = (error: unknown) => void reported.push(String(error));
    const server = createServer({ name: 'test', version: '1' }, { onError })
      .prompt('p', {}, () => returned as never)
      .resource('a://a', {}, () => returned as never);
    const peer = await WirePeer.open(server);
    const { error } = await peer.request(method, { name: 'p', uri: 'a://a' });
    expect(JSON.stringify(peer.received)).not.toContain(wrong);
    return { error, reported };
  }

  test.each<[returned: unknown, report: string, ...string[]]>([
    [
      { role: 'user', content: noUri },
      'a message has content that no client can read: a block of type "resource" has a "resource" that needs "uri": an absolute URI.',
      '2024-11-05/server/prompts/resource-uri',
    ],
    [
      { role: 'user', content: image },
      'a message has content that no client can read: a block of type "image" needs "data": base64, a Uint8Array, an ArrayBuffer or a Blob.',
      '2024-11-05/server/prompts/image-encoded',
    ],
    [
      [{ role: 'system', content: { type: 'text', text: 'a' } }],
      'a message needs "role": "user" or "assistant".',
    ],
    [{ messages: [{ role: 'user', content: 'a' }] }, 'a message needs "content": a content block.'],
    [{ messages: ['a'] }, 'a message must be an object with "role" and "content".'],
  ])('a prompt with %j is an internal error', async (returned, report, ...ids) => {
    shows(...ids);
    const { error, reported } = await heard('prompts/get', returned);
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(reported).toEqual([`TypeError: Prompt "p": ${report}`]);
  });

  test.each<[returned: unknown, report: string, ...string[]]>([
    [
      { uri: 'a://a', blob: wrong },
      'needs "blob": base64, a Uint8Array, an ArrayBuffer or a Blob.',
      '2024-11-05/server/resources/binary-encoded',
    ],
    [{ uri: 'a://a', blob: 'AAA' }, 'needs "blob": base64, a Uint8Array, an ArrayBuffer or a Blob.'],
    [{ text: 'a' }, 'needs "uri": an absolute URI.'],
    [{ uri: 'relative', text: 'a' }, 'needs "uri": an absolute URI.'],
    [{ contents: [{ uri: 'a://a' }] }, 'needs "text", or "blob".'],
  ])('a resource with %j is an internal error', async (returned, report, ...ids) => {
    shows(...ids);
    const { error, reported } = await heard('resources/read', returned);
    expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(reported).toEqual([`TypeError: Resource "a://a": what was read ${report}`]);
  });
});

test('promised output may have a member "content" of its own, whatever its items look like', async () => {
  const document = { content: [{ type: 'image', src: 'a.png' }] };
  const output = { type: 'object', properties: { content: { type: 'array' } } } as const;
  const server = createServer({ name: 'test', version: '1' }).tool('t', { output }, () => document as never);
  const { result } = await (await WirePeer.open(server)).request('tools/call', { name: 't' });
  expect(result).toMatchObject({ structuredContent: document, content: [{ type: 'text' }] });
});
