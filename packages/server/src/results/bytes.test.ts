import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const bytes = Uint8Array.of(1, 2, 3);
const base64 = 'AQID';
const given = [
  ['a Uint8Array', bytes],
  ['an ArrayBuffer', bytes.buffer],
  ['a Blob', new Blob([bytes])],
  ['a File', new File([bytes], 'dot.png', { type: 'image/png' })],
] as const;

describe.each(given)('encodes %s', (_, data) => {
  const image = { type: 'image', data, mimeType: 'image/png' } as const;
  const sent = { ...image, data: base64 };
  const uri = 'note://a';
  const embedded = { type: 'resource', resource: { uri, blob: data } } as const;
  const server = createServer(info)
    .tool('block', {}, () => image)
    .tool('list', {}, async () => [{ type: 'text', text: 'a' }, image, embedded])
    .tool('full', {}, () => ({ content: [image], isError: true }))
    .tool('output', { output: z.object({ sum: z.number() }) }, () => ({
      content: [image],
      structuredContent: { sum: 3 },
    }))
    .tool('broken', { output: z.object({ sum: z.number() }) }, () => ({ content: [image], isError: true }))
    .prompt('message', {}, () => ({ role: 'user', content: image }))
    .prompt('messages', {}, () => [{ role: 'user', content: embedded }])
    .resource('note://bytes', {}, () => data)
    .resource('note://contents', {}, () => ({ uri, blob: data }))
    .resource('note://full', {}, () => ({
      contents: [
        { uri, text: 'a' },
        { uri, blob: data },
      ],
    }));

  const peer = WirePeer.open(server);

  test.each([
    ['block', [sent]],
    ['list', [{ type: 'text', text: 'a' }, sent, { type: 'resource', resource: { uri, blob: base64 } }]],
    ['full', [sent]],
    ['output', [sent]],
    ['broken', [sent]],
  ])('in the result of the tool %s', async (name, content) => {
    const { result } = await (await peer).request('tools/call', { name });
    expect(result?.content).toEqual(content);
  });

  test.each([
    ['message', sent],
    ['messages', { type: 'resource', resource: { uri, blob: base64 } }],
  ])('in the prompt %s', async (name, content) => {
    const { result } = await (await peer).request('prompts/get', { name });
    expect(result?.messages).toEqual([{ role: 'user', content }]);
  });

  test.each([
    ['bytes', [{ uri: 'note://bytes', blob: base64 }]],
    ['contents', [{ uri, blob: base64 }]],
    [
      'full',
      [
        { uri, text: 'a' },
        { uri, blob: base64 },
      ],
    ],
  ])('in the resource note://%s', async (name, contents) => {
    const { result } = await (await peer).request('resources/read', { uri: `note://${name}` });
    expect(result?.contents).toMatchObject(contents);
  });
});

test('uses the type of a Blob as MIME type of a resource without one', async () => {
  const blob = new Blob([bytes], { type: 'image/png' });
  const server = createServer(info)
    .resource('note://blob', {}, () => blob)
    .resource('note://typed', { mimeType: 'image/gif' }, () => blob)
    .resource('note://plain', {}, () => bytes);
  const peer = await WirePeer.open(server);
  const typeOf = async (name: string) =>
    (await peer.request('resources/read', { uri: `note://${name}` })).result?.contents?.[0]?.mimeType;
  expect(await Promise.all(['blob', 'typed', 'plain'].map(typeOf))).toEqual([
    'image/png',
    'image/gif',
    undefined,
  ]);
});

test('fails the call when a Blob cannot be read', async () => {
  const errors: unknown[] = [];
  const gone = new Blob(['x']);
  gone.arrayBuffer = () => Promise.reject(new Error('The file is gone.'));
  const server = createServer(info, { onError: (error) => void errors.push(error) }).tool('t', {}, () => ({
    type: 'image',
    data: gone,
    mimeType: 'image/png',
  }));
  const peer = await WirePeer.open(server);
  expect((await peer.request('tools/call', { name: 't' })).result?.isError).toBe(true);
  expect(errors).toEqual([new Error('The file is gone.')]);
});

describe.each(given)('encodes %s for the model', (_, data) => {
  const image = { type: 'image', data, mimeType: 'image/png' } as const;
  const server = createServer(info).tool('look', {}, async (_input, ctx) => {
    const messages = [{ role: 'user', content: image }] as const;
    const { model } = await ctx.sample('seen', { messages, maxTokens: 5 });
    return model;
  });
  const answer = { role: 'assistant', content: { type: 'text', text: 'A dot' }, model: 'm' };

  test(`in ${latestHandshake.id}`, async () => {
    const peer = await WirePeer.open(server, latestHandshake, { sampling: {} });
    const call = peer.request('tools/call', { name: 'look' });
    const asked = await peer.heard('sampling/createMessage');
    expect(asked.params?.messages?.[0]?.content?.data).toBe(base64);
    peer.answer(asked.id, answer);
    expect((await call).result?.content?.[0]?.text).toBe('m');
  });

  test(`in ${latestStateless.id}, in which the handler runs again`, async () => {
    const peer = await WirePeer.open(server, latestStateless, { sampling: {} });
    const first = (await peer.request('tools/call', { name: 'look' })).result;
    expect(first?.inputRequests?.seen?.params?.messages?.[0]?.content?.data).toBe(base64);
    const again = { name: 'look', requestState: first?.requestState, inputResponses: { seen: answer } };
    expect((await peer.request('tools/call', again)).result?.content?.[0]?.text).toBe('m');
  });
});
