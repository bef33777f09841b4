import { otherBounds } from '@tenon/foundation';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer, type HttpReplies, modern, sessions } from '../../test/http-peer.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, serverScript } from '../../test/scripts.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const done = { content: [] };
const property = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });
const tool = (name: string, properties: object) => ({ name, inputSchema: { type: 'object', properties } });
const query = tool('query', {
  region: property('Region'),
  limit: property('Limit', 'integer'),
  text: { type: 'string' },
});

function listing(...pages: object[][]): HttpReplies[string] {
  return (call) => {
    const page = Number(call.message.params?.cursor ?? 0);
    const nextCursor = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
    call.result({ tools: pages[page] ?? [], ...nextCursor, ...hints });
  };
}

const paramHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')));

describe('params that go in headers', () => {
  it('do so once the tools were listed, where they have a value', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/param-headers-supported',
      '2026-07-28/basic/transports/streamable-http/param-headers-mirrored',
      '2026-07-28/basic/transports/streamable-http/client-inspects',
      '2026-07-28/basic/transports/streamable-http/client-encodes',
      '2026-07-28/basic/transports/streamable-http/client-param-headers',
      '2026-07-28/basic/transports/streamable-http/value-given-client',
      '2026-07-28/basic/transports/streamable-http/value-null-client',
    );
    const peer = await HttpPeer.start(
      modern({ 'tools/list': listing([query]), 'tools/call': (call) => call.result(done) }),
    );
    const client = await peer.connect();
    await client.tools().all();
    await client.callTool('query', { region: 'São Paulo', limit: 3, text: 'x' });
    await client.callTool('query', { region: null }, { headers: { 'x-trace': 't' } });
    await client.request('tools/call', { name: 'query', arguments: { region: 'north' } });
    const calls = peer.calls.filter((call) => call.name === 'tools/call');
    expect(calls.map((call) => paramHeaders(call.headers))).toEqual([
      { 'mcp-param-region': '=?base64?U8OjbyBQYXVsbw==?=', 'mcp-param-limit': '3' },
      {},
      { 'mcp-param-region': 'north' },
    ]);
    expect(calls[1]?.headers).toMatchObject({ 'x-trace': 't', 'mcp-name': 'query' });
  });

  it.each([2 ** 53, -(2 ** 53), 1e300])('are not sent as an integer that is not safe: %s', async (limit) => {
    shows('2026-07-28/basic/transports/streamable-http/mark-safe-integers');
    const peer = await HttpPeer.start(
      modern({ 'tools/list': listing([query]), 'tools/call': (call) => call.result(done) }),
    );
    const client = await peer.connect();
    await client.tools().all();
    await expect(client.callTool('query', { limit })).rejects.toThrow(
      new RangeError('The tool "query" repeats limit in a header: it must be from -(2^53 - 1) to 2^53 - 1.'),
    );
    expect(peer.heard).not.toContain('tools/call');
    await client.callTool('query', {
      limit: Math.sign(limit) * Number.MAX_SAFE_INTEGER,
      text: String(limit),
    });
    expect(peer.heard).toContain('tools/call');
  });

  it('stay where they are in revisions without such headers', async () => {
    const peer = await HttpPeer.start(
      sessions({ 'tools/list': listing([query]), 'tools/call': (call) => call.result(done) }),
    );
    const client = await peer.connect();
    await client.tools().all();
    await client.callTool('query', { region: 'north' });
    expect(paramHeaders((await peer.call('tools/call')).headers)).toEqual({});
  });
});

describe('a tool with invalid header annotations', () => {
  const broken = tool('broken', { a: property('') });

  it('is left out over HTTP, and reported', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/invalid-mark-rejected',
      '2026-07-28/basic/transports/streamable-http/invalid-mark-excluded',
      '2026-07-28/basic/transports/streamable-http/invalid-mark-logged',
      'draft-tools/tools/header-rejected',
      'draft-tools/tools/header-excluded',
      'draft-tools/tools/header-logged',
    );
    const errors: [unknown, string][] = [];
    const peer = await HttpPeer.start(modern({ 'tools/list': listing([broken, query]) }));
    const client = await peer.connect({ onError: (error, where) => void errors.push([error, where]) });
    expect((await client.tools().all()).map((one) => one.name)).toEqual(['query']);
    expect(errors).toHaveLength(1);
    expect(String(errors[0]?.[0])).toMatch(/The tool "broken" is left out: "x-mcp-header" at properties\.a/);
  });

  it('is a tool like any other where there are no headers', async () => {
    shows('2026-07-28/basic/transports/streamable-http/marks-ignored-elsewhere');
    const script = serverScript(revision20260728, { 'tools/list': () => ({ tools: [broken], ...hints }) });
    const client = await linked(new ScriptedServer(script));
    expect(await client.tools().all()).toHaveLength(1);
  });
});

describe('a call refused for missing headers', () => {
  it('is sent again once, after reading the list up to the tool', async () => {
    shows('2026-07-28/basic/transports/streamable-http/mismatch-lists-again');
    const peer = await HttpPeer.start(
      modern({
        'tools/list': listing([tool('other', {})], [query], [tool('third', {})]),
        'tools/call': (call) =>
          call.headers['mcp-param-region'] === undefined ? call.error(400, -32020) : call.result(done),
      }),
    );
    const client = await peer.connect();
    expect((await client.callTool('query', { region: 'north' })).isError).toBe(false);
    const once = ['server/discover', 'tools/call', 'tools/list', 'tools/list', 'tools/call'];
    expect(peer.heard).toEqual(once);
    await client.callTool('query', { region: 'south' });
    expect(peer.heard).toEqual([...once, 'tools/call']);
  });

  it('fails with what the server said when that does not help', async () => {
    const refuse: HttpReplies = { 'tools/call': (call) => call.error(400, -32020) };
    const peer = await HttpPeer.start(modern({ 'tools/list': listing([query]), ...refuse }));
    const client = await peer.connect();
    await expect(client.callTool('query')).rejects.toMatchObject({ code: -32020 });
    await expect(client.callTool('unknown')).rejects.toMatchObject({ code: -32020 });
    expect(peer.heard.filter((name) => name === 'tools/call')).toHaveLength(3);
  });

  it('searches no more pages than it may', async () => {
    let pages = 0;
    const peer = await HttpPeer.start(
      modern({
        'server/discover': (call) => call.result(discoverResult(['2026-07-28'])),
        'tools/list': (call) => call.result({ tools: [], nextCursor: `${++pages}`, ...hints }),
        'tools/call': (call) => call.error(400, -32020),
      }),
    );
    const client = await peer.connect({ limits: otherBounds({ pages: 3 }) });
    await expect(client.callTool('query')).rejects.toMatchObject({ code: -32020 });
    expect(pages).toBe(3);
  });
});
