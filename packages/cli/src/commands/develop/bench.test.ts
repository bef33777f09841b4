import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceGuard } from '@tenon/mcp-auth/server';
import { createServer, ToolError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

const input = z.object({ text: z.string(), count: z.number().optional() });

async function startServer() {
  const received: unknown[] = [];
  const server = createServer({ name: 'notes', version: '1.0.0' }, { rates: false })
    .tool('add', { input }, (args) => {
      received.push(args);
      return 'added';
    })
    .tool('fail', {}, () => {
      throw new ToolError('It fails.');
    });
  const serving = await serveHttp(server);
  onTestFinished(() => serving.close());
  return { url: serving.url, received };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bench-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const short = ['--requests', '10', '--warmup', '0'];

describe('tenon bench', () => {
  it('says which option removes the limit of rates when a server rejects calls', async () => {
    const rates = { calls: { perSecond: 0.01, burst: 2 } };
    const server = createServer({ name: 'notes', version: '1.0.0' }, { rates }).tool('get', {}, () => 'x');
    const serving = await serveHttp(server);
    onTestFinished(() => serving.close());
    const { code, stdout } = await runTenon(['bench', serving.url, 'get', ...short, '--warmup', '0']);
    expect(code).toBe(0);
    expect(stdout).toContain('The server limits the rate of calls: set "rates: false" in createServer.');
  });

  it('names tenon login when the server requires sign-in', async () => {
    const server = createServer({ name: 'notes', version: '1.0.0' });
    const verify = () => undefined;
    const guard = (resource: string) =>
      new ResourceGuard({ resource, authorizationServers: ['https://login.example.com'], verify });
    const serving = await serveHttp(server, { guard });
    onTestFinished(() => serving.close());
    const { code, stderr } = await runTenon(['bench', serving.url, ...short]);
    expect(code).toBe(3);
    expect(stderr).toContain(`hint: Sign in with "tenon login ${serving.url}"`);
  });

  it('prints a table with the latencies of a tool', async () => {
    const { url, received } = await startServer();
    const { code, stdout } = await runTenon(['bench', url, 'add', 'text=a', 'count=2', ...short]);
    expect(code).toBe(0);
    const [head, load, , columns, row] = stdout.split('\n');
    expect(head).toBe(`${url} (2026-07-28)`);
    expect(load).toMatch(/^1 connection, 1 in flight, \d+\.\d s$/);
    expect(columns?.trim().split(/\s+/)).toEqual('calls calls/s errors p50 p90 p99 max ms'.split(' '));
    expect(row).toMatch(/^add +10 +[\d.]+ +0( +[\d.]+){4}$/);
    expect(received).toEqual(Array(10).fill({ text: 'a', count: 2 }));
  });

  it.each([
    ['words with the types of the tool', ['add', 'text=5', 'count=2']],
    ['a call', ['add(text: "5", count: 2)']],
    ['JSON', ['add', '--args', '{"text":"5","count":2}']],
  ])('accepts arguments as %s', async (_, words) => {
    const { url, received } = await startServer();
    const { code } = await runTenon(['bench', url, ...words, ...short]);
    expect(code).toBe(0);
    expect(received).toEqual(Array(10).fill({ text: '5', count: 2 }));
  });

  it('reads a mix of calls from a file, and compares with a stored report', async () => {
    const { url } = await startServer();
    const cwd = await folder();
    const calls = [{ tool: 'add', arguments: { text: 'a' }, weight: 4 }, { method: 'tools/list' }];
    await writeFile(join(cwd, 'calls.json'), JSON.stringify(calls));
    const words = ['bench', url, '--calls', 'calls.json', ...short, '--json'];
    const first = await runTenon(words, { cwd });
    expect(JSON.parse(first.stdout)).toMatchObject({
      calls: { add: { calls: 8 }, 'tools/list': { calls: 2 } },
    });
    await writeFile(join(cwd, 'before.json'), first.stdout);
    const second = await runTenon([...words, '--compare', 'before.json'], { cwd });
    expect(JSON.parse(second.stdout).changes).toContainEqual(
      expect.objectContaining({ call: 'add', measure: 'p50', ratio: expect.any(Number) }),
    );
    const text = await runTenon(['bench', url, ...short, '--compare', 'before.json'], { cwd });
    expect(text.stdout).toMatch(/ +before +now +ratio\n/);
  });

  it('exits with 5 when no call succeeds', async () => {
    const { url } = await startServer();
    const { code, stdout, stderr } = await runTenon(['bench', url, 'fail', ...short]);
    expect(code).toBe(5);
    expect(stdout).toContain('tool error  10');
    expect(stderr).toContain('No call succeeded.');
  });

  it('rejects a server that is not on this machine', async () => {
    const { code, stderr } = await runTenon(['bench', 'http://93.184.216.34/mcp']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: 93\.184\.216\.34 is not this machine.*\nhint: .*--i-own-this-server/);
  });

  it('prints what was measured when the user interrupts it', async () => {
    const { url, received } = await startServer();
    const ending = new AbortController();
    const run = runTenon(['bench', url, 'add', 'text=a'], { signal: ending.signal });
    await expect.poll(() => received.length).toBeGreaterThan(25);
    ending.abort();
    const { code, stdout } = await run;
    expect(code).toBe(130);
    expect(stdout).toMatch(/interrupted.*\n(.*\n)*add +\d+/);
  });

  it.each([
    ['an argument without a value', ['add', 'text'], '"text" is not an argument'],
    ['arguments that are not an object', ['add', '--args', '[1]'], 'not a JSON object'],
    ['a type that the tool does not accept', ['add', 'text=a', 'count=x'], 'count'],
    ['an unknown argument', ['add', 'txt=a'], 'Did you mean "text"?'],
    ['a missing argument', ['add', 'count=1'], 'An argument is missing'],
    ['an unknown tool', ['ad', 'text=a'], 'Did you mean "add"?'],
    ['arguments without a tool', ['--args', '{}'], 'needs the name of a tool'],
    ['a file that is missing', ['--calls', 'nothing.json'], 'cannot be read'],
    ['a tool beside a file', ['add', '--calls', 'calls.json'], 'either a tool'],
    ['a warm-up that is not a number', ['--warmup', 'x'], 'warmup must be'],
  ])('rejects %s', async (_, words, message) => {
    const { url } = await startServer();
    const { code, stderr } = await runTenon(['bench', url, ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
