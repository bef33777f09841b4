import { RemoteError, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const connected = async (script: Script) => {
  const server = new ScriptedServer(serverScript(revision20260728, script));
  return { server, client: await linked(server) };
};

describe('an error', () => {
  it.each([-32_000, -32_001, -32_003, -32_004, -32_019])(
    'of the range of old is handed on as it came: %i',
    async (code) => {
      shows('2026-07-28/basic/index/legacy-codes-no-meaning');
      const { client, server } = await connected({
        'tools/call': () => new WireRefusal(code, 'No', { a: 1 }),
      });
      const failure = await client.callTool('t').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RemoteError);
      expect(failure).toMatchObject({
        name: 'RemoteError',
        code,
        message: 'tools/call t: No',
        data: { a: 1 },
      });
      // It means nothing in particular, so nothing is done about it either.
      expect(server.peer.methods).toEqual(['server/discover', 'tools/call']);
      expect(client.state).toBe('open');
    },
  );

  it.each([-32_002, -32_602])(
    'of a resource that is not there is handed on by either code: %i',
    async (code) => {
      shows('2026-07-28/server/resources/not-found-older');
      const uri = 'a:b';
      const refusal = new WireRefusal(code, 'Resource not found', { uri });
      const { client } = await connected({ 'resources/read': () => refusal });
      await expect(client.readResource(uri)).rejects.toMatchObject({ code, data: { uri } });
      expect(client.state).toBe('open');
    },
  );

  it('of a tool reaches the application with its text', async () => {
    shows('2026-07-28/server/tools/execution-errors-to-model');
    const failed = { isError: true, content: [{ type: 'text', text: 'The date lies in the past.' }] };
    const { client } = await connected({ 'tools/call': () => failed });
    expect(await client.callTool('t')).toEqual(failed);
  });
});

describe('a completion', () => {
  it.each<[string, UnknownObject]>([
    ['no total', { values: ['a'], hasMore: true }],
    ['no word of more', { values: ['a'], total: 3 }],
    ['nothing but values', { values: ['a'] }],
    ['nothing at all', { values: [] }],
  ])('that leaves things out is taken: %s', async (_, completion) => {
    shows('2026-07-28/server/utilities/completion/partial-results');
    const { client } = await connected({ 'completion/complete': () => ({ completion }) });
    const query = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } } as const;
    expect(await client.complete(query)).toEqual(completion);
  });
});

describe('a cursor', () => {
  const odd = ['', ' ', '0', 'null', 'eyJhIjoxfQ==', '"\\', 'é😀', 'a b\n', 'x'.repeat(5_000)];

  it('goes back as it came, whatever it looks like', async () => {
    shows('2026-07-28/server/utilities/pagination/not-parsed');
    const pages = [undefined, ...odd];
    const { client, server } = await connected({
      'tools/list': ({ cursor }) => {
        const next = odd[pages.indexOf(cursor as string | undefined)];
        return { tools: [], ...hints, ...(next !== undefined && { nextCursor: next }) };
      },
    });
    await client.tools().all();
    expect(server.peer.paramsOf('tools/list').map(({ cursor }) => cursor)).toEqual(pages);
  });

  it('counts pages of any size', async () => {
    shows('2026-07-28/server/utilities/pagination/no-page-size');
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
    const pages = [['a'], [], ['b', 'c', 'd'], ['e']];
    const { client } = await connected({
      'tools/list': ({ cursor = '0' }) => {
        const at = Number(cursor);
        const nextCursor = at + 1 < pages.length ? { nextCursor: `${at + 1}` } : {};
        return { tools: (pages[at] ?? []).map(tool), ...hints, ...nextCursor };
      },
    });
    expect((await client.tools().all()).map((one) => one.name).join('')).toBe('abcde');
  });
});
