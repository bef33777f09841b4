import type { Change, Client } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createAppServer, toolsFor } from './client/visible-tools.js';
import { apps, readApp } from './client.js';
import { toolUi } from './model/tool-ui.js';
import { apps as serverApps, showsApps } from './server.js';

const info = { name: 'test', version: '1.0.0' };
const uri = 'ui://chart';
const mimeType = 'text/html;profile=mcp-app';
const html = '<!doctype html><title>Chart</title>';
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
let closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

/** A client of a server with four tools, two of them for one caller only. */
async function connected(revision = '2026-07-28') {
  const extension = serverApps().app('chart', { html, prefersBorder: false });
  const server = createServer(info, { extensions: [extension] })
    .tool('draw', { ui: 'chart' }, (_, ctx) => (showsApps(ctx) ? 'shown' : 'as text'))
    .tool('refresh', { ui: { app: 'chart', visibility: ['app'] } }, () => 'fresh')
    .tool('delete', { ui: { visibility: ['model'] } }, () => 'deleted')
    .tool('plain', {}, () => 'plain');
  const client = (await connectMemory(server, {
    info,
    extensions: [apps()],
    revision,
  })) as unknown as Client;
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  return { server, client };
}

/** A client with one answer to every read. */
function answering(item: object, ...others: object[]): Pick<Client, 'readResource'> {
  return { readResource: async () => ({ contents: [item, ...others] }) as never };
}

/** A client of a server with one tool, which a test changes by hand. */
function listing() {
  const list = {
    tools: [{ name: 'draw', inputSchema: {} }] as object[],
    failure: undefined as Error | undefined,
    reads: 0,
    watches: 0,
    options: [] as unknown[],
    called: [] as unknown[],
  };
  let listener: (change: Change) => void = () => {};
  const client = {
    watch: async (_: object, given: typeof listener) => {
      listener = given;
      list.watches++;
      return {
        close: async () => {
          list.watches--;
        },
      };
    },
    tools: (options: object) => ({
      all: async () => {
        list.reads++;
        list.options.push(options);
        if (list.failure !== undefined) throw list.failure;
        return list.tools;
      },
    }),
    callTool: async (...given: unknown[]) => {
      list.called.push(given);
      return { content: [] };
    },
  } as unknown as Client;
  return { client, list, change: (change: Change) => listener(change) };
}

describe('toolUi', () => {
  it.each<[string, unknown, object]>([
    ['no metadata', undefined, { uri: undefined, visibility: ['model', 'app'] }],
    ['the nested key', { ui: { resourceUri: uri } }, { uri, visibility: ['model', 'app'] }],
    ['the deprecated key', { 'ui/resourceUri': uri }, { uri, visibility: ['model', 'app'] }],
    ['a visibility', { ui: { visibility: ['app'] } }, { uri: undefined, visibility: ['app'] }],
    ['an unknown caller', { ui: { visibility: ['root'] } }, { uri: undefined, visibility: [] }],
    ['a malformed visibility', { ui: { visibility: 'app' } }, { uri: undefined, visibility: [] }],
    ['a malformed interface', { ui: 'ui://chart' }, { uri: undefined, visibility: [] }],
    [
      'another scheme',
      { ui: { resourceUri: 'https://a.example' } },
      { uri: undefined, visibility: ['model', 'app'] },
    ],
    [
      'no text',
      { ui: { resourceUri: 7 }, 'ui/resourceUri': uri },
      { uri: undefined, visibility: ['model', 'app'] },
    ],
    [
      'a long URI',
      { ui: { resourceUri: `ui://${'a'.repeat(2_048)}` } },
      { uri: undefined, visibility: ['model', 'app'] },
    ],
  ])('reads %s', (_, _meta, expected) => {
    expect(toolUi({ _meta } as never)).toEqual(expected);
  });
});

describe.each(revisions)('a client in %s', (revision) => {
  it('declares the extension, reads the app of a tool, and hides tools from callers', async () => {
    const { client } = await connected(revision);
    const draw = (await client.tools().all()).find(({ name }) => name === 'draw');
    expect(toolUi(draw ?? {}).uri).toBe(uri);
    expect(await readApp(client, uri)).toEqual({
      uri,
      html,
      csp: {},
      permissions: [],
      domain: undefined,
      prefersBorder: false,
    });
    const names = async (caller: 'model' | 'app') =>
      (await toolsFor(caller, client).list()).map(({ name }) => name);
    expect(await names('model')).toEqual(['draw', 'delete', 'plain']);
    expect(await names('app')).toEqual(['draw', 'refresh', 'plain']);
    expect((await client.callTool('draw')).content).toEqual([{ type: 'text', text: 'shown' }]);
  });
});

describe('readApp', () => {
  const item = { uri, mimeType, text: html };

  it('decodes a blob', async () => {
    const blob = Buffer.from('<p>ä</p>').toString('base64');
    expect(await readApp(answering({ uri, mimeType, blob }), uri)).toMatchObject({ html: '<p>ä</p>' });
  });

  it('prefers the metadata of the contents to those of the list', async () => {
    const listed = { _meta: { ui: { csp: { connectDomains: ['https://listed.example/'] } } } };
    expect(await readApp(answering(item), uri, { listed })).toMatchObject({
      csp: { connectDomains: ['https://listed.example/'] },
    });
    const own = { ...item, _meta: { ui: { permissions: { camera: {}, usb: {} } } } };
    expect(await readApp(answering(own), uri, { listed })).toMatchObject({
      csp: {},
      permissions: ['camera'],
    });
  });

  it('finds the contents with the URI of the app', async () => {
    const other = { uri: 'ui://other', mimeType, text: 'other' };
    expect(await readApp(answering(other, item), uri)).toMatchObject({ html });
  });

  const declares = (ui: unknown) => ({ ...item, _meta: { ui } });

  it.each<[string, object, string]>([
    ['another URI', { ...item, uri: 'ui://other' }, 'has no contents with its URI'],
    ['plain HTML', { ...item, mimeType: 'text/html' }, 'has the media type "text/html"'],
    ['no media type', { uri, text: html }, 'has the media type undefined'],
    ['no text', { ...item, text: ' ' }, 'is empty'],
    ['a malformed blob', { uri, mimeType, blob: '%' }, 'has a blob that is not UTF-8'],
    ['a blob of bytes', { uri, mimeType, blob: '/w==' }, 'has a blob that is not UTF-8'],
    ['a text as metadata', declares('x'), 'is refused: _meta.ui must be an object'],
    ['a list as csp', declares({ csp: [] }), '_meta.ui.csp must be an object'],
    ['a domain that is not a text', declares({ domain: 7 }), '_meta.ui.domain must be a text'],
    ['a border that is not a flag', declares({ prefersBorder: 'x' }), '_meta.ui.prefersBorder must be'],
    [
      'permissions as a list',
      declares({ permissions: ['camera'] }),
      '_meta.ui.permissions must be an object',
    ],
    [
      'a directive as an origin',
      declares({ csp: { frameDomains: ['https://a.example; script-src *'] } }),
      '_meta.ui.csp.frameDomains[0] must be an origin',
    ],
    [
      'origins as a text',
      declares({ csp: { frameDomains: '*' } }),
      '.frameDomains must be a list of origins',
    ],
  ])('refuses %s', async (_, contents, message) => {
    await expect(readApp(answering(contents), uri)).rejects.toThrow(message);
  });

  it.each([
    ['text', { ...item, text: ' '.repeat(4_194_305) }, 'has 4194305 characters, more than 4194304'],
    ['blob', { uri, mimeType, blob: 'A'.repeat(25_165_828) }, 'has more than 4194304 characters'],
  ])('refuses a %s that is too large', async (_, contents, message) => {
    await expect(readApp(answering(contents), uri)).rejects.toThrow(message);
  });

  it('refuses the URI of another resource before it is read', async () => {
    await expect(readApp(answering(item), 'https://a.example')).rejects.toThrow(TypeError);
  });
});

describe('tools of a caller', () => {
  it('calls a tool that is visible, and no other', async () => {
    const { client } = await connected();
    const server = createAppServer(client);
    const { signal } = new AbortController();
    expect((await server.callTool('refresh', {}, { signal })).content).toEqual([
      { type: 'text', text: 'fresh' },
    ]);
    for (const name of ['delete', 'missing'])
      await expect(server.callTool(name, {}, { signal })).rejects.toThrow(`Unknown tool: ${name}`);
    await expect(toolsFor('model', client).call('refresh')).rejects.toThrow('Unknown tool: refresh');
    await server.close();
  });

  it('reads the list again when it has changed', async () => {
    const { server, client } = await connected();
    const tools = toolsFor('app', client);
    expect(await tools.list()).toHaveLength(3);
    const changed = new Promise((resolve) => {
      client.watch({ tools: true }, resolve).then(() => server.removeTool('refresh'), resolve);
    });
    await changed;
    await expect(tools.call('refresh')).rejects.toThrow('Unknown tool: refresh');
    await tools.close();
  });

  it('calls no tool that the server has hidden since the list was read', async () => {
    const { client, list, change } = listing();
    const server = createAppServer(client);
    const { signal } = new AbortController();
    expect(await server.tool('draw', { signal })).toMatchObject({ name: 'draw' });
    list.tools = [{ name: 'draw', inputSchema: {}, _meta: { ui: { visibility: ['model'] } } }];
    change({ kind: 'tools' });
    expect(await server.tool('draw', { signal })).toBeUndefined();
    await expect(server.callTool('draw', {}, { signal })).rejects.toThrow('Unknown tool: draw');
    expect(list.called).toEqual([]);
  });

  it('reads the list for each use after the server has stopped announcing changes', async () => {
    const { client, list, change } = listing();
    const tools = toolsFor('app', client);
    await tools.list();
    await tools.list();
    expect(list.reads).toBe(1);
    change({ kind: 'ended', error: new Error('gone') });
    await tools.list();
    list.tools = [];
    await expect(tools.call('draw')).rejects.toThrow('Unknown tool: draw');
    expect(list.reads).toBe(3);
  });

  it('reads the list from the server, not from the cache of the client', async () => {
    const { client, list } = listing();
    await toolsFor('app', client).list();
    expect(list.options).toEqual([{ fresh: true }]);
  });

  it('reads the list again after it could not be read', async () => {
    const { client, list } = listing();
    const tools = toolsFor('app', client);
    list.failure = new Error('lost');
    await expect(tools.list()).rejects.toThrow('lost');
    list.failure = undefined;
    expect(await tools.list()).toHaveLength(1);
  });

  it('passes the signal of a call on, and stops watching when it is closed', async () => {
    const { client, list } = listing();
    const tools = toolsFor('app', client);
    const { signal } = new AbortController();
    await tools.call('draw', { a: 1 }, { signal });
    expect(list.called).toEqual([['draw', { a: 1 }, { signal }]]);
    expect(list.watches).toBe(1);
    await tools.close();
    expect(list.watches).toBe(0);
  });

  it('reads the list for each use if the server announces no changes', async () => {
    let lists = 0;
    const client = {
      watch: () => Promise.reject(new Error('no changes')),
      tools: () => ({
        all: async () => {
          lists += 1;
          return [{ name: 'a', inputSchema: {} }];
        },
      }),
      callTool: async () => ({ content: [] }),
    } as unknown as Client;
    const tools = toolsFor('app', client);
    await tools.list();
    await tools.call('a');
    expect(lists).toBe(2);
    await tools.close();
  });
});
