import { createServer, ToolError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startNodeServer } from '../test/node-server.js';
import { compareLoads, readLoadReport } from './load/compare-loads.js';
import { type MeasureLoadOptions, measureLoad } from './load.js';

const info = { name: 'test', version: '1.0.0' };

async function startServer() {
  const called: string[] = [];
  const server = createServer({ name: 'notes', version: '1.0.0' }, { rates: false })
    .tool('add', { input: z.object({ text: z.string() }) }, ({ text }) => {
      called.push(text);
      return 'added';
    })
    .tool('fail', {}, () => {
      throw new ToolError('It fails.');
    });
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return { url: serving.url, called };
}

function measured(url: string, options: Partial<MeasureLoadOptions>) {
  return measureLoad({ kind: 'url', url }, { info, ...options });
}

describe('measureLoad', () => {
  it('calls a mix of tools over several connections', async () => {
    const { url, called } = await startServer();
    const calls = [{ tool: 'add', arguments: { text: 'a' }, weight: 3 }, { method: 'tools/list' } as const];
    const report = await measured(url, { calls, requests: 40, warmup: 0, connections: 2, concurrency: 4 });
    expect(report).toMatchObject({
      ...{ target: url, revision: '2026-07-28', connections: 2, concurrency: 4 },
      total: { calls: 40, errors: 0, latency: { p50: expect.any(Number) } },
      calls: { add: { calls: 30 }, 'tools/list': { calls: 10 } },
    });
    expect(called).toHaveLength(30);
  });

  it('counts errors of tools and of the protocol', async () => {
    const { url } = await startServer();
    const calls = [{ tool: 'fail' }, { tool: 'add', arguments: { text: 5 } }];
    const { errors, total } = await measured(url, { calls, requests: 10, warmup: 0 });
    expect(total).toMatchObject({ calls: 10, errors: 10 });
    expect(Object.values(errors).reduce((sum, { count }) => sum + count, 0)).toBe(10);
    expect(errors['tool error']?.example).toContain('It fails');
  });

  it('reports what was measured when the server exits', async () => {
    const script = `
      let calls = 0;
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        if (method === 'initialize')
          send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } } });
        else if (method !== 'tools/list') send({ id, error: { code: -32601, message: 'No' } });
        else if (++calls > 30) process.exit(1);
        else send({ id, result: { tools: [] } });
      });`;
    const target = { kind: 'command', command: process.execPath, args: ['-e', script] } as const;
    const report = await measureLoad(target, { info, warmup: 0, concurrency: 2 });
    expect(report.total.calls - report.total.errors).toBe(30);
    expect(Object.keys(report.errors)).toEqual(['closed']);
  });

  it('rejects a tool that the server does not have, with the name that was meant', async () => {
    const { url } = await startServer();
    await expect(measured(url, { calls: [{ tool: 'ad' }] })).rejects.toMatchObject({
      ...{ reason: 'usage', message: 'The server has no tool "ad".', hint: 'Did you mean "add"?' },
    });
  });

  it.each([
    ['a public address', 'http://93.184.216.34/mcp', []],
    ['a private address', 'http://10.0.0.1/mcp', []],
    ['0.0.0.0', 'http://0.0.0.0/mcp', []],
    ['a name that resolves elsewhere', 'http://localhost.example/mcp', ['93.184.216.34']],
    ['a name with one address elsewhere', 'http://mixed.example/mcp', ['127.0.0.1', '2606:2800::1']],
    ['an address of IPv4 in IPv6', 'http://[::ffff:93.184.216.34]/mcp', []],
  ])('rejects %s without connecting', async (...[, url, addresses]) => {
    const resolve = async () => addresses;
    await expect(measured(url, { resolve })).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('is not this machine'),
      hint: expect.stringContaining('--i-own-this-server'),
    });
  });

  it('accepts another machine when its owner says so', async () => {
    const { url } = await startServer();
    const resolve = async () => ['93.184.216.34'];
    const own = url.replace('127.0.0.1', 'localhost');
    const report = await measured(own, { resolve, ownsServer: true, requests: 1, warmup: 0 });
    expect(report.total.calls).toBe(1);
  });

  it('does not follow a redirect to another machine', async () => {
    const origin = await startNodeServer((_, response) => {
      response.writeHead(307, { location: 'http://93.184.216.34/mcp' }).end();
    });
    await expect(measured(`${origin}/mcp`, {})).rejects.toThrow('redirects to another origin');
  });

  it.each([
    ['connections', 0],
    ['connections', 1_001],
    ['concurrency', 1.5],
    ['duration', Number.NaN],
    ['requests', -1],
    ['warmup', -1],
    ['rate', 0],
    ['callTimeout', Number.POSITIVE_INFINITY],
  ] as const)('rejects %s of %d', async (name, value) => {
    await expect(measured('http://127.0.0.1:1/', { [name]: value })).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining(`${name} must be`),
    });
  });
});

describe('compareLoads', () => {
  const latency = { min: 1, mean: 2, p50: 2, p90: 4, p99: 8, max: 10 };
  const run = (perSecond: number, factor: number) => {
    const scaled = Object.fromEntries(Object.entries(latency).map(([name, value]) => [name, value * factor]));
    const one = { calls: 10, perSecond, errors: 0, latency: scaled };
    return readLoadReport({ total: one, calls: { add: one } }, 'before.json');
  };

  it('returns the ratios of each call that both runs have', () => {
    const changes = compareLoads(run(100, 1), run(50, 2));
    expect(changes.filter(({ call }) => call === 'add')).toEqual([
      { call: 'add', measure: 'perSecond', before: 100, now: 50, ratio: 0.5 },
      { call: 'add', measure: 'errors', before: 0, now: 0 },
      { call: 'add', measure: 'p50', before: 2, now: 4, ratio: 2 },
      { call: 'add', measure: 'p90', before: 4, now: 8, ratio: 2 },
      { call: 'add', measure: 'p99', before: 8, now: 16, ratio: 2 },
      { call: 'add', measure: 'max', before: 10, now: 20, ratio: 2 },
    ]);
  });

  it.each([
    ['null', null],
    ['another object', { total: {} }],
    ['text for a number', { total: { calls: '1', perSecond: 1, errors: 0 }, calls: {} }],
  ])('rejects a report that is %s', (_, value) => {
    expect(() => readLoadReport(value, 'x.json')).toThrow('x.json is not the report of a load.');
  });
});
