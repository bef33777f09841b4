import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20250618, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, serverScript } from '../../test/scripts.js';

const good = [
  { src: 'https://a.example/i.png', sizes: ['48x48'] },
  { src: 'data:image/png;base64,AAAA', mimeType: 'image/png' },
  { src: 'HTTPS://A.example/i.png' },
];
const bad = [
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://a.example/i.png',
  'http://a.example/i.png',
  'ws://a.example/i.png',
  'wss://a.example/i.png',
  'blob:https://a.example/1',
  'vscode://icon',
  'data:text/html,<script>alert(1)</script>',
  'data:,x',
  'data:image/png',
  'data:imagex/png,x',
  'https://user:secret@a.example/i.png',
  '/relative.png',
  '//a.example/i.png',
  '',
  `https://a.example/${'x'.repeat(2_048)}`,
  `data:image/png;base64,${'A'.repeat(131_072)}`,
];

const lists = [
  ['tools/list', { tools: [{ name: 'a', inputSchema: { type: 'object' } }] }],
  ['prompts/list', { prompts: [{ name: 'a' }] }],
  ['resources/list', { resources: [{ name: 'a', uri: 'a:b' }] }],
  ['resources/templates/list', { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }],
] as const;

/** Reads a list of one entry, with these icons. */
async function listed(method: (typeof lists)[number][0], entry: UnknownObject, limits = {}) {
  const errors: unknown[] = [];
  const [member = ''] = Object.keys(lists.find(([name]) => name === method)?.[1] ?? {});
  const script = serverScript(revision20251125, { [method]: () => ({ [member]: [entry] }) });
  const onError = (error: unknown, where: string) => errors.push([where, (error as Error).message]);
  const client = await linked(new ScriptedServer(script), { onError, limits: otherBounds(limits) });
  const read = async () => {
    const result = (await client.request(method, {})) as unknown as UnknownObject;
    return (result[member] as UnknownObject[])[0];
  };
  return { entry: await read(), read, errors };
}

describe.each(lists)('icons in %s', (method, result) => {
  const [[entry]] = Object.values(result) as unknown as [[UnknownObject]];

  it('are not changed when valid', async () => {
    const { entry: seen, errors } = await listed(method, { ...entry, icons: good });
    expect(seen).toEqual({ ...entry, icons: good });
    expect(errors).toEqual([]);
  });

  it('are left out when invalid, and reported once', async () => {
    showsBy(method, { 'tools/list': '2026-07-28/basic/index/icons-untrusted' });
    const icons = [...bad.map((src) => ({ src })), good[0]];
    const { entry: seen, read, errors } = await listed(method, { ...entry, icons });
    expect(seen).toEqual({ ...entry, icons: [good[0]] });
    expect(errors).toHaveLength(bad.length);
    await read();
    expect(errors).toHaveLength(bad.length);
  });
});

describe('an icon that is left out', () => {
  it.each(bad)('%s', async (src) => {
    showsBy(src, {
      'javascript:alert(1)': [
        '2026-07-28/basic/index/icons-precautions',
        '2026-07-28/basic/index/icons-schemes',
      ],
      'file:///etc/passwd': '2026-07-28/basic/index/icons-schemes',
      'data:text/html,<script>alert(1)</script>': '2026-07-28/basic/index/icons-types-refused',
    });
    const { entry, errors } = await listed('prompts/list', { name: 'a', icons: [{ src }] });
    expect(entry).not.toHaveProperty('icons');
    expect(errors).toEqual([['icons', expect.stringMatching(/^Left out of "a": the icon ".{0,90}": .+\.$/)]]);
  });

  it.each([
    [{ icons: 2 }, 2],
    [{}, 16],
  ])('is one too many, with the limits %o', async (limits, left) => {
    showsBy(left, { 2: '2026-07-28/basic/index/icons-limits' });
    const icons = Array.from({ length: 20 }, (_, index) => ({ src: `https://a.example/${index}` }));
    const { entry, errors } = await listed('prompts/list', { name: 'a', icons }, limits);
    expect(entry?.icons).toEqual(icons.slice(0, left));
    expect(errors).toEqual([['icons', `Left out of "a": ${20 - left} icons: they are too many.`]]);
  });

  it('is too long for the limit', async () => {
    const src = 'data:image/png;base64,AAAA';
    const { entry } = await listed(
      'prompts/list',
      { name: 'a', icons: [{ src }] },
      { iconLength: src.length - 1 },
    );
    expect(entry).not.toHaveProperty('icons');
  });

  it('is reported at most 1000 times', async () => {
    const icons = Array.from({ length: 1_500 }, (_, index) => ({ src: `http://a.example/${index}` }));
    expect((await listed('prompts/list', { name: 'a', icons })).errors).toHaveLength(1_000);
  });
});

it('lists prompts when the icons member is malformed', async () => {
  shows('2026-07-28/basic/index/icons-untrusted');
  const prompts = [null, 5, 'x', [null, 5, {}, { src: 5 }]].map((icons) => ({ name: 'a', icons }));
  const script = serverScript(revision20250618, { 'prompts/list': () => ({ prompts }) });
  const client = await linked(new ScriptedServer(script));
  await expect(client.prompts().all()).resolves.toHaveLength(4);
});

it.each([revision20251125, revision20260728])(
  'the icons of the server itself are as clean in $id',
  async (revision) => {
    const serverInfo = { name: 'scripted', version: '1', icons: [{ src: 'javascript:x' }, good[0]] };
    const script = serverScript(revision);
    const { initialize } = script;
    const opening: UnknownObject =
      revision.lifecycle === 'handshake'
        ? {
            initialize: async (...given: Parameters<NonNullable<typeof initialize>>) => ({
              ...(await initialize?.(...given)),
              serverInfo,
            }),
          }
        : {
            'server/discover': () => ({
              ...discoverResult([revision.id]),
              _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
            }),
          };
    const errors: unknown[] = [];
    const server = new ScriptedServer({ ...script, ...opening } as typeof script);
    const client = await linked(server, { onError: (error) => errors.push(error) });
    expect(client.server?.icons).toEqual([good[0]]);
    expect(errors).toHaveLength(1);
  },
);

it('links in results of tools and prompts, and a description that is asked for, have no unfit icons', async () => {
  const icons = [{ src: 'javascript:x' }, good[0]];
  const link = { type: 'resource_link', uri: 'a:b', name: 'b' };
  const text = { type: 'text', text: 'x' };
  const said = { name: 'scripted', version: '1' };
  const script = serverScript(revision20260728, {
    'server/discover': () => ({
      ...discoverResult([revision20260728.id]),
      _meta: { 'io.modelcontextprotocol/serverInfo': { ...said, icons } },
    }),
    'tools/call': () => ({ content: [text, { ...link, icons }] }),
    'prompts/get': () => ({
      messages: [text, { ...link, icons }].map((content) => ({ role: 'user', content })),
    }),
  });
  const client = await linked(new ScriptedServer(script));
  const clean = { ...link, icons: [good[0]] };
  expect((await client.callTool('a')).content).toEqual([text, clean]);
  expect((await client.getPrompt('a')).messages.map(({ content }) => content)).toEqual([text, clean]);
  for (const options of [{ fresh: true }, {}]) {
    const { _meta } = await client.request('server/discover', {}, options);
    expect(_meta).toEqual({ 'io.modelcontextprotocol/serverInfo': { ...said, icons: [good[0]] } });
  }
});

it('a description that is kept from the beginning has no unfit icons', async () => {
  const serverInfo = { name: 'scripted', version: '1', icons: [{ src: 'javascript:x' }] };
  const described = { ...discoverResult([revision20260728.id]), ttlMs: 60_000 };
  const server = new ScriptedServer(
    serverScript(revision20260728, {
      'server/discover': () => ({
        ...described,
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      }),
    }),
  );
  const client = await linked(server);
  const { _meta } = await client.request('server/discover', {});
  expect(_meta).toEqual({ 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } });
  expect(server.peer.methods).toEqual(['server/discover']);
});
