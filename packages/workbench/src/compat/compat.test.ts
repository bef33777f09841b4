import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterEach, describe, expect, it } from 'vitest';
import { subject, tool, toolWith } from '../../test/lint-subject.js';
import { startRawServer } from '../../test/raw-server.js';
import type { Catalog } from '../catalog/catalog.js';
import { compare } from '../compat.js';
import { checkClient } from './check-clients.js';
import type { TransportName } from './known-client.js';
import { knownClients } from './known-clients.js';
import type { ProbeRow } from './probe.js';
import type { CompatArea } from './report.js';

function row(revision: string, transport: TransportName, outcome: ProbeRow['outcome'] = 'works'): ProbeRow {
  return { revision, transport, outcome };
}

const stdio = [row('2025-11-25', 'stdio')];

function problemsOf(
  id: string,
  area: CompatArea,
  { rows = stdio, ...parts }: Partial<Catalog> & { rows?: readonly ProbeRow[] },
) {
  const client = knownClients.find((known) => known.id === id);
  if (client === undefined) throw new Error(id);
  const { catalog } = subject(parts);
  const { problems } = checkClient(client, { rows, catalog, name: 'weather', isNameChosen: true });
  return problems.filter((problem) => problem.area === area);
}

const tools = (count: number) => Array.from({ length: count }, (_, index) => tool({ name: `t${index}` }));

describe('known clients', () => {
  it.each(knownClients.map((client) => [client.id, client] as const))(
    '%s has a source and a month for each fact',
    (_, client) => {
      const facts = Object.values(client)
        .flat()
        .filter((value) => typeof value === 'object');
      expect(facts.length).toBeGreaterThan(0);
      for (const fact of facts)
        expect(fact).toMatchObject({
          source: expect.stringMatching(/^https:\/\//),
          date: expect.stringMatching(/^20\d\d-(?:0[1-9]|1[0-2])$/),
        });
    },
  );

  it.each([
    [
      'claude-desktop',
      'names',
      { tools: [tool({ name: 'a.b' })] },
      'error',
      'no tool of the server is shown',
    ],
    ['claude-desktop', 'names', { tools: [tool({ name: 'a'.repeat(65) })] }, 'error', '64 are allowed'],
    ['claude-code', 'names', { tools: [tool({ name: 'a'.repeat(115) })] }, 'warning', 'the tool is left out'],
    [
      'cursor',
      'names',
      { tools: [tool({ name: 'a'.repeat(53) })] },
      'error',
      'has 60 characters with "weather"',
    ],
    [
      'gemini-cli',
      'names',
      { tools: [tool({ name: 'a'.repeat(52) })] },
      'warning',
      'the tool gets another name',
    ],
    ['codex', 'names', { tools: [tool({ name: 'a.b' })] }, 'warning', 'the tool gets another name'],
    ['vscode', 'tools', { tools: tools(129) }, 'warning', 'open groups'],
    ['windsurf', 'tools', { tools: tools(101) }, 'error', '101 tools'],
    [
      'gemini-cli',
      'texts',
      { tools: [tool({ description: 'a'.repeat(1_025) })] },
      'warning',
      '1024 are allowed',
    ],
    ['vscode', 'schemas', { tools: [toolWith({ type: 'array' })] }, 'error', '"items"'],
    ['sdk-1', 'schemas', { tools: [tool({ outputSchema: { type: 'array' } })] }, 'error', 'output schema'],
    ['sdk-2', 'schemas', { tools: [tool({ inputSchema: {} })] }, 'error', '"type": "object"'],
    ['claude-code', 'schemas', { tools: [toolWith({ type: 'string' }, 'a[b]')] }, 'error', 'a[b]'],
    [
      'claude-code',
      'schemas',
      { tools: [tool({ inputSchema: { type: 'object', anyOf: [{}] } })] },
      'error',
      '"anyOf"',
    ],
    [
      'gemini-cli',
      'schemas',
      { tools: [toolWith({ type: 'object', propertyNames: { type: 'string' } })] },
      'info',
      '"propertyNames"',
    ],
    ['langchain', 'schemas', { tools: [tool({ inputSchema: { type: 'object' } })] }, 'info', 'strict mode'],
    [
      'vscode',
      'revision',
      { rows: [row('2026-07-28', 'stdio')] },
      'warning',
      'none of the revisions 2025-11-25, 2025-06-18',
    ],
    ['claude-code', 'revision', { rows: [row('2026-07-28', 'http')] }, 'warning', 'none of the revisions'],
    [
      'codex',
      'transport',
      { rows: [row('2025-11-25', 'sse'), row('2025-11-25', 'http', 'no')] },
      'warning',
      'HTTP+SSE',
    ],
    ['chatgpt', 'transport', { rows: stdio }, 'info', 'by URL only'],
    [
      'zed',
      'features',
      { resources: [{ uri: 'file:///a', name: 'a' }] },
      'info',
      'resources of the server (1)',
    ],
    [
      'gemini-cli',
      'revision',
      { rows: [row('2025-11-25', 'stdio')] },
      'error',
      'none of the revisions 2025-06-18',
    ],
  ] as const)('%s has a problem with %s', (...[id, area, parts, severity, text]) => {
    expect(problemsOf(id, area, parts)).toEqual([
      expect.objectContaining({ area, severity, message: expect.stringContaining(text) }),
    ]);
  });

  it.each([
    ['vscode', { rows: [row('2025-06-18', 'stdio')] }],
    ['vscode', { rows: [row('2024-11-05', 'stdio')] }],
    [
      'gemini-cli',
      {
        rows: [row('2025-06-18', 'stdio')],
        tools: [tool({ inputSchema: { type: 'object', $schema: 'a', additionalProperties: {} } })],
      },
    ],
  ] as const)('%s has no problem with %o', (id, parts) => {
    expect([...problemsOf(id, 'revision', parts), ...problemsOf(id, 'schemas', parts)]).toEqual([]);
  });

  it('makes no error of a length that depends on the name which users choose', () => {
    const client = knownClients.find(({ id }) => id === 'cursor');
    const { catalog } = subject({ tools: [tool({ name: 'a'.repeat(53) }), tool({ name: 'b'.repeat(60) })] });
    const server = { rows: stdio, catalog, name: 'weather', isNameChosen: false };
    const { problems } = checkClient(client as NonNullable<typeof client>, server);
    expect(problems).toMatchObject([
      { severity: 'info', message: expect.stringContaining('choose a shorter name for the server') },
      { severity: 'error' },
    ]);
  });

  it.each(knownClients.map(({ id }) => id))('%s has no serious problem with a good server', (id) => {
    const client = knownClients.find((known) => known.id === id);
    if (client === undefined) throw new Error(id);
    const rows = [row('2026-07-28', 'http'), row('2025-11-25', 'http'), row('2025-06-18', 'http')];
    const { catalog } = subject({ tools: [tool()] });
    const { problems } = checkClient(client, { rows, catalog, name: 'weather', isNameChosen: true });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('compare', () => {
  let serving: HttpServing | undefined;
  afterEach(() => serving?.close());

  it('tries each revision over each transport of a URL', async () => {
    const server = createServer({ name: 'weather', version: '1.0.0' });
    server.tool('forecast', { description: 'Returns a forecast.' }, () => 'Sunny');
    serving = await serveHttp(server, { port: 0 });
    const { url } = serving;
    const report = await compare(
      { kind: 'url', url: url.toString() },
      { info: { name: 'test', version: '1.0.0' } },
    );
    expect(
      report.revisions.map(({ revision, transport, outcome }) => [revision, transport, outcome]),
    ).toEqual([
      ['2026-07-28', 'http', 'works'],
      ['2025-11-25', 'http', 'works'],
      ['2025-11-25', 'sse', 'no'],
      ['2025-06-18', 'http', 'works'],
      ['2025-06-18', 'sse', 'no'],
      ['2025-03-26', 'http', 'works'],
      ['2025-03-26', 'sse', 'no'],
      ['2024-11-05', 'http', 'works'],
      ['2024-11-05', 'sse', 'no'],
    ]);
    expect(report.claimed).toContain('2026-07-28');
    expect(report.clients).toHaveLength(knownClients.length);
  });

  it('reports a revision that the server names but does not speak', async () => {
    const info = { name: 'broken', version: '1.0.0' };
    const broken = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      const supportedVersions = ['2026-07-28', '2025-11-25'];
      const result = {
        resultType: 'complete',
        supportedVersions,
        capabilities: {},
        ttlMs: 0,
        cacheScope: 'private',
      };
      const _meta = { 'io.modelcontextprotocol/serverInfo': info };
      const answer =
        method === 'server/discover'
          ? { result: { ...result, _meta } }
          : { error: { code: -32601, message: 'Method not found' } };
      response.writeHead(method === 'server/discover' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const { port } = broken.address() as AddressInfo;
    const target = { kind: 'url', url: `http://127.0.0.1:${port}/mcp`, transport: 'http' } as const;
    const report = await compare(target, { info });
    broken.close();
    expect(report.revisions.slice(0, 3).map(({ outcome }) => outcome)).toEqual(['works', 'failed', 'no']);
    expect(report.problems).toEqual([
      {
        severity: 'error',
        message: expect.stringMatching(/^The server accepts or names 2025-11-25, but it does not work/),
      },
    ]);
  });

  it('reports lists that cannot be read, and compares the others', async () => {
    await using server = await startRawServer({ tools: {}, prompts: {} }, (method) => {
      if (method === 'tools/list') return { tools: [tool({ name: 'a.b' })] };
      throw Object.assign(new Error('Method not found'), { code: -32601 });
    });
    const target = { kind: 'url', url: server.url, transport: 'http' } as const;
    const options = { info: { name: 'test', version: '1.0.0' }, clients: ['claude-desktop'] };
    const { problems, clients, revisions } = await compare(target, options);
    expect(problems).toEqual([
      {
        severity: 'error',
        message: expect.stringMatching(/^A declared list cannot be read: prompts\/list: /),
      },
    ]);
    expect(clients[0]?.areas).toMatchObject({ names: 1, revision: 0 });
    expect(revisions.filter(({ outcome }) => outcome === 'works').map(({ revision }) => revision)).toEqual([
      '2025-11-25',
    ]);
  });

  it('reports a server that accepts a revision and then vanishes', async () => {
    await using server = await startRawServer({ tools: {} }, (method) => {
      if (method === 'tools/list') return undefined;
      throw Object.assign(new Error('Method not found'), { code: -32601 });
    });
    const target = { kind: 'url', url: server.url, transport: 'http' } as const;
    const report = await compare(target, { info: { name: 'test', version: '1.0.0' }, clients: ['sdk-1'] });
    expect(report.revisions.map(({ outcome }) => outcome)).toEqual(['no', 'failed', 'no', 'no', 'no']);
    expect(report.problems).toHaveLength(1);
    expect(report.clients[0]?.areas).toMatchObject({ transport: 1, revision: 1 });
  });

  it('rejects with the reason when nothing answers', async () => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1/mcp' } as const;
    await expect(compare(target, { info: { name: 'test', version: '1.0.0' } })).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  it('rejects a client that is not known, and names those that are', async () => {
    const target = { kind: 'url', url: 'http://127.0.0.1:1/mcp' } as const;
    const options = { info: { name: 'test', version: '1.0.0' }, clients: ['nonsense'] };
    await expect(compare(target, options)).rejects.toMatchObject({
      reason: 'usage',
      hint: expect.stringContaining('claude-code'),
    });
  });
});
