import { revisions } from '@tenon/mcp-protocol';
import { everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { connected, Telemetry } from '../test/telemetry.js';

const advised = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const operations = ['mcp.client.operation.duration', 'mcp.server.operation.duration'];
const sessions = ['mcp.client.session.duration', 'mcp.server.session.duration'];

describe.each(everyRevision)('metrics in %s', (revision) => {
  it('measure operations at both ends, and sessions where there are some', async () => {
    const telemetry = new Telemetry();
    const network = { 'network.transport': 'tcp', 'network.protocol.name': 'http' };
    // The target of HTTP+SSE does not tell its address.
    const address = { 'server.address': '127.0.0.1', 'server.port': expect.any(Number) };
    const server = revision === everyRevision.at(-1) ? {} : { ...network, ...address };
    const isStateless = revisions.find(({ id }) => id === revision)?.lifecycle === 'stateless';
    const { client, close } = await connected(telemetry, { revision, transport: 'http' });
    await client.callTool('price', { article: 'tea' });
    await client.callTool('price', { article: 'gold' });
    await close();
    await new Promise((resolve) => setImmediate(resolve));
    const names = isStateless ? operations : [...operations, ...sessions];
    const found = await telemetry.histograms();
    expect([...found.keys()].sort()).toEqual([...names].sort());
    for (const points of found.values())
      for (const { unit, boundaries } of points) expect([unit, boundaries]).toEqual(['s', advised]);
    for (const name of operations) {
      const calls = found
        .get(name)
        ?.filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call');
      expect(calls?.map(({ attributes, count }) => [attributes['error.type'], count])).toEqual([
        [undefined, 1],
        ['tool_error', 1],
      ]);
      const [{ attributes } = { attributes: {} }] = calls ?? [];
      expect(attributes).toEqual({
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': revision,
        'gen_ai.tool.name': 'price',
        'gen_ai.operation.name': 'execute_tool',
        ...(name.includes('client') ? server : network),
      });
    }
    if (isStateless) return;
    const { 'network.transport': _, ...labels } = { 'network.transport': '', ...server };
    const at = { 'mcp.protocol.version': revision };
    expect(found.get('mcp.server.session.duration')).toMatchObject([
      { attributes: { ...at, 'network.protocol.name': 'http' }, count: 1 },
    ]);
    expect(found.get('mcp.client.session.duration')).toMatchObject([
      { attributes: { ...at, ...labels }, count: 1 },
    ]);
  });
});

describe('labels of metrics', () => {
  it('have no ids, no contents and no address of a client, whatever spans capture', async () => {
    const telemetry = new Telemetry();
    const capture = { arguments: true, results: true, resourceUris: true, promptVariables: true };
    const { client } = await connected(telemetry, { options: { capture }, transport: 'http' });
    await client.callTool('price', { article: 'tea' });
    await client.getPrompt('letter', { to: 'Ada' });
    await client.readResource('shop://prices');
    await client.close();
    const points = [...(await telemetry.histograms()).values()].flat();
    const keys = new Set(points.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].sort()).toEqual([
      'gen_ai.operation.name',
      'gen_ai.prompt.name',
      'gen_ai.tool.name',
      'mcp.method.name',
      'mcp.protocol.version',
      'network.protocol.name',
      'network.transport',
      'server.address',
      'server.port',
    ]);
    expect(telemetry.spans.flatMap(({ attributes }) => Object.keys(attributes))).toEqual(
      expect.arrayContaining(['gen_ai.prompt.variable.to', 'mcp.resource.uri', 'gen_ai.tool.call.result']),
    );
  });

  it('do not name tools and prompts that do not exist', async () => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { client: { extensions: [] } });
    for (const name of ['a', 'b']) {
      await client.callTool(name as 'price', {} as never).catch(() => {});
      await client.getPrompt(name as 'letter', {} as never).catch(() => {});
    }
    const points = (await telemetry.histograms()).get('mcp.server.operation.duration') ?? [];
    const refused = points.filter(({ attributes }) => attributes['rpc.response.status_code'] === '-32602');
    expect(refused.map(({ attributes, count }) => [attributes['mcp.method.name'], count])).toEqual([
      ['tools/call', 2],
      ['prompts/get', 2],
    ]);
    for (const { attributes } of refused)
      expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(['gen_ai.tool.name']));
    expect(refused.flatMap(({ attributes }) => Object.keys(attributes))).not.toContain('gen_ai.prompt.name');
  });
});
