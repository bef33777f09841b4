import type { ContentBlock } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' };

const blocks: readonly ContentBlock[] = [
  { type: 'text', text: 'words', annotations },
  { type: 'image', data: 'AP8Q', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'AP8Q', mimeType: 'audio/wav', annotations },
  { type: 'resource_link', uri: 'a://a', name: 'a', mimeType: 'text/plain', annotations },
  { type: 'resource', resource: { uri: 'a://a', mimeType: 'text/plain', text: 'x' }, annotations },
];

describe('content', () => {
  test.each(blocks.map((block) => [block.type, block] as const))(
    'a tool may return every kind of content: %s',
    async (_, block) => {
      showsBy(block.type, {
        resource_link: '2026-07-28/server/tools/resource-links',
        resource: '2026-07-28/server/tools/embedded',
      });
      const server = createServer(info).tool('t', {}, () => block);
      const peer = await WirePeer.open(server, revision);
      expect((await peer.request('tools/call', { name: 't' })).result?.content).toEqual([block]);
    },
  );

  test.each(blocks.map((block) => [block.type, block] as const))(
    'a prompt may hold every kind of content: %s',
    async (_, content) => {
      showsBy(content.type, {
        image: '2026-07-28/server/prompts/image-data',
        audio: '2026-07-28/server/prompts/audio-data',
        resource_link: '2026-07-28/server/prompts/resource-links',
        resource: ['2026-07-28/server/prompts/embedded-uri', '2026-07-28/server/prompts/embedded-mime-type'],
      });
      const message = { role: 'user' as const, content };
      const peer = await WirePeer.open(
        createServer(info).prompt('p', {}, () => message),
        revision,
      );
      expect((await peer.request('prompts/get', { name: 'p' })).result?.messages).toEqual([message]);
    },
  );

  test('a server with embedded resources in its tools may declare resources without having any', async () => {
    shows('2026-07-28/server/tools/embedded-capability');
    const server = createServer(info, { declare: ['resources'] }).tool('t', {}, () => blocks[4]);
    const peer = await WirePeer.open(server, revision);
    expect((await peer.request('server/discover')).result?.capabilities?.resources).toBeDefined();
    expect((await peer.request('resources/list')).result?.resources).toEqual([]);
  });

  test('an embedded resource without its URI does not leave the server', async () => {
    shows('2026-07-28/server/prompts/embedded-uri', '2026-07-28/server/prompts/embedded-data');
    const resource = { type: 'resource', resource: { text: 'x' } } as never;
    const server = createServer(info, { onError: () => undefined })
      .tool('t', {}, () => resource)
      .prompt('p', {}, () => ({ role: 'user', content: resource }));
    const peer = await WirePeer.open(server, revision);
    expect((await peer.request('prompts/get', { name: 'p' })).error?.code).toBe(-32603);
    const call = await peer.request('tools/call', { name: 't' });
    expect(call.error?.code === -32603 || call.result?.isError).toBe(true);
  });
});

describe('data', () => {
  const wrong = 'no base64!';
  test.each([
    ['image', { type: 'image', data: wrong, mimeType: 'image/png' }],
    ['audio', { type: 'audio', data: wrong, mimeType: 'audio/wav' }],
    ['resource', { type: 'resource', resource: { uri: 'a://a', blob: wrong } }],
  ] as const)('that is not base64 does not leave the server: %s', async (_, block) => {
    showsBy(block.type, {
      image: '2026-07-28/server/prompts/image-data',
      audio: '2026-07-28/server/prompts/audio-data',
      resource: '2026-07-28/server/prompts/embedded-data',
    });
    const server = createServer(info, { onError: () => undefined })
      .tool('t', {}, () => block)
      .prompt('p', {}, () => ({ role: 'user', content: block }));
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 't' });
    await peer.request('prompts/get', { name: 'p' });
    expect(JSON.stringify(peer.received)).not.toContain(wrong);
  });
  test('that is not base64 does not leave the server: contents', async () => {
    shows('2026-07-28/server/resources/binary-encoded');
    const server = createServer(info, { onError: () => undefined }).resource('a://a', {}, ({ uri }) => ({
      uri,
      blob: wrong,
    }));
    const peer = await WirePeer.open(server, revision);
    expect((await peer.request('resources/read', { uri: 'a://a' })).error?.code).toBe(-32603);
  });
});

describe('structured content', () => {
  test.each([[{ a: 1 }], [[1, 'two']], ['text'], [7], [true], [null]])(
    'may be any JSON value: %j',
    async (value) => {
      shows('2026-07-28/server/tools/structured-any-json');
      const server = createServer(info)
        .tool('bare', { output: z.unknown() }, () => value)
        .tool('full', {}, () => ({ content: [], structuredContent: value }));
      const peer = await WirePeer.open(server, revision);
      for (const name of ['bare', 'full']) {
        const { result } = await peer.request('tools/call', { name });
        expect(result, name).toHaveProperty('structuredContent', value);
        expect(result?.content, name).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
      }
    },
  );
});

describe('resources', () => {
  test('one read may give several contents', async () => {
    shows('2026-07-28/server/resources/several-contents');
    const contents = [
      { uri: 'a://dir/1', text: 'one' },
      { uri: 'a://dir/2', blob: 'AP8Q', mimeType: 'application/octet-stream' },
    ];
    const peer = await WirePeer.open(
      createServer(info).resource('a://dir', {}, () => contents),
      revision,
    );
    expect((await peer.request('resources/read', { uri: 'a://dir' })).result?.contents).toEqual(contents);
  });

  test.each([
    ['https', 'https://example.com/a?b#c', 'text/html', '2026-07-28/server/resources/https-scheme'],
    ['file', 'file:///home/ada/', 'inode/directory', '2026-07-28/server/resources/file-mime-type'],
    ['git', 'git://example.com/repo', undefined],
    ['custom', 'x-own+1.a:thing', undefined],
  ])('a resource may have any scheme: %s', async (...[, uri, mimeType, ...ids]) => {
    shows(...ids);
    const options = mimeType === undefined ? {} : { mimeType };
    const peer = await WirePeer.open(
      createServer(info).resource(uri, options, () => 'x'),
      revision,
    );
    const [listed] = (await peer.request('resources/list')).result?.resources ?? [];
    expect(listed).toMatchObject({ uri, ...options });
    expect((await peer.request('resources/read', { uri })).result?.contents).toEqual([
      { uri, text: 'x', ...options },
    ]);
  });

  test.each(['1a:b', 'no scheme', '://a', 'a b://c', 'a://b c', 'a://%zz', 'a://b%2'])(
    'rejects a resource at registration if its URI is invalid by RFC 3986: %s',
    (uri) => {
      shows('2026-07-28/server/resources/custom-schemes');
      expect(() => createServer(info).resource(uri, {}, () => 'x')).toThrow(TypeError);
    },
  );
});

describe('what fails', () => {
  const fail = () => {
    throw new Error('password=hunter2');
  };
  const failing = () =>
    createServer(info, { onError: () => undefined })
      .resource('a://a', {}, fail)
      .prompt('p', {}, fail)
      .resource('b://{b}', { complete: { b: fail } }, () => 'x');
  const internal = { code: -32603, message: 'Internal error' };

  test('a reader that fails is answered -32603, and nothing of why', async () => {
    shows('2026-07-28/server/resources/internal-error');
    const peer = await WirePeer.open(failing(), revision);
    expect((await peer.request('resources/read', { uri: 'a://a' })).error).toEqual(internal);
    expect((await peer.request('prompts/get', { name: 'p' })).error).toEqual(internal);
  });

  test('a completer that fails is answered -32603, and nothing of why', async () => {
    shows('2026-07-28/server/utilities/completion/error-internal');
    const peer = await WirePeer.open(failing(), revision);
    const ref = { type: 'ref/resource', uri: 'b://{b}' };
    const answer = await peer.request('completion/complete', { ref, argument: { name: 'b', value: '' } });
    expect(answer.error).toEqual(internal);
  });
});
