import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { record } from '@tenon/mcp-testing/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

let folder: string;
let file: string;
const closing: (() => unknown)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diff-'));
});
beforeEach(({ task }) => {
  file = join(folder, `recording${task.id}.md`);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const old = () =>
  createServer({ name: 'weather', version: '1.0.0' })
    .tool(
      'forecast',
      {
        description: 'Forecast.',
        input: z.object({ city: z.string(), unit: z.enum(['C', 'F']).optional() }),
        output: z.object({ high: z.number(), low: z.number() }),
      },
      () => ({
        high: 21,
        low: 7,
      }),
    )
    .tool('sum', { input: z.object({ a: z.number() }) }, ({ a }) => String(a));

const young = () =>
  createServer({ name: 'weather', version: '2.0.0' })
    .tool(
      'forecast',
      {
        description: 'The forecast.',
        input: z.object({ city: z.string(), unit: z.enum(['C']), days: z.number().optional() }),
        output: z.object({ high: z.number() }),
      },
      () => ({
        high: 30,
      }),
    )
    .tool('add', {}, () => 'x');

async function serve(server: ReturnType<typeof createServer>): Promise<string> {
  const serving = await serveHttp(server);
  closing.push(() => serving.close());
  return serving.url;
}

const expected = `server
  ~ version is "2.0.0", was "1.0.0"

tools
  ~ forecast
      description is "The forecast.", was "Forecast."
      input.unit is required now  breaking
      input.unit value "F" removed  breaking
      input.days added
      output.low removed  breaking
  - sum  breaking
  + add

4 breaking changes, 4 compatible changes
`;

describe('tenon diff', () => {
  it('prints the changes of two servers and exits with 6 when some break callers', async () => {
    const { code, stdout, stderr } = await runTenon(['diff', await serve(old()), await serve(young())]);
    expect(stdout.replace(/^ {6}(?:input|output) .*\n/gm, '')).toBe(expected);
    expect(code).toBe(6);
    expect(stderr).toContain('error: 4 breaking changes.');
  });

  it.each([
    ['never', 0],
    ['any', 6],
  ])('exits with %s as --fail-on says', async (failOn, code) => {
    const before = await serve(old());
    const after = await serve(old().tool('more', {}, () => 'x'));
    expect(await runTenon(['diff', before, after, '--fail-on', failOn])).toMatchObject({ code });
    expect(await runTenon(['diff', before, after])).toMatchObject({ code: 0 });
  });

  it('prints nothing but ok for equal servers, and one JSON value with --json', async () => {
    const url = await serve(old());
    expect(await runTenon(['diff', url, url])).toEqual({
      code: 0,
      stdout: 'ok no differences\n',
      stderr: '',
    });
    expect(JSON.parse((await runTenon(['diff', url, url, '--json'])).stdout)).toEqual({
      breaking: 0,
      compatible: 0,
      changes: [],
    });
  });

  it('reports another order separately', async () => {
    const reversed = createServer({ name: 'weather', version: '1.0.0' })
      .tool('b', {}, () => 'b')
      .tool('a', {}, () => 'a');
    const ordered = createServer({ name: 'weather', version: '1.0.0' })
      .tool('a', {}, () => 'a')
      .tool('b', {}, () => 'b');
    const { code, stdout } = await runTenon(['diff', await serve(ordered), await serve(reversed)]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'order\n  ~ tools: b a, was a b\n\n0 breaking changes, 1 compatible change\n',
    });
  });

  it('compares a stored catalog with a server', async () => {
    const catalog = (await runTenon(['list', '--json', await serve(old())])).stdout;
    const path = join(folder, 'catalog.json');
    writeFileSync(path, catalog);
    expect((await runTenon(['diff', path, await serve(old())])).stdout).toBe('ok no differences\n');
    expect((await runTenon(['diff', path, await serve(young())])).code).toBe(6);
  });

  it('compares the results of equal calls of two recordings', async () => {
    const files = [`${file}.1.md`, `${file}.2.md`];
    for (const [index, server] of [old(), young()].entries()) {
      const client = await connect(record(memoryTarget(server), files[index] ?? ''), {
        info: { name: 'a', version: '1' },
      });
      await client.callTool('forecast', { city: 'Oslo', unit: 'C' });
      await client.close();
    }
    const { stdout, code } = await runTenon(['diff', ...files]);
    expect(code).toBe(6);
    expect(stdout).toContain('~ tools/call forecast {"city":"Oslo","unit":"C"}\n');
    expect(stdout).toContain(
      '      structuredContent.high is 30, was 21\n      structuredContent.low removed, was 7  breaking\n',
    );
    expect(stdout).not.toContain('- sum');
  });

  it('sends the calls of a recording to two servers with --calls', async () => {
    const client = await connect(record(memoryTarget(old()), file), { info: { name: 'a', version: '1' } });
    await client.callTool('forecast', { city: 'Oslo', unit: 'C' });
    await client.callTool('sum', { a: 1 });
    await client.close();
    const { stdout } = await runTenon([
      'diff',
      await serve(old()),
      await serve(young()),
      '--calls',
      file,
      '--ignore',
      'text',
    ]);
    expect(stdout).toContain('structuredContent.high is 30, was 21');
    expect(stdout).toMatch(/~ tools\/call sum \{"a":1\}\n {6}fails now: .*sum/);
  });

  it('compares two commands', async () => {
    const script = (name: string) =>
      `process.stdin.on('data', (chunk) => { for (const line of String(chunk).trim().split('\\n')) { const { id, method } = JSON.parse(line); if (id === undefined) continue; const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } : { tools: [{ name: '${name}', inputSchema: { type: 'object' } }] }; console.log(JSON.stringify(method === 'server/discover' ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } } : { jsonrpc: '2.0', id, result })); } })`;
    const { stdout } = await runTenon([
      'diff',
      '--',
      process.execPath,
      '-e',
      script('one'),
      '--',
      process.execPath,
      '-e',
      script('two'),
    ]);
    expect(stdout).toContain('  - one  breaking\n  + two\n');
  });

  it.each([
    ['one side', ['https://example.com/mcp'], 'Two sides are compared, and only 1 is named.'],
    ['a missing file', ['a.json', 'b.json'], 'a.json does not exist.'],
  ])('rejects %s', async (_, words, text) => {
    const { code, stderr } = await runTenon(['diff', ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('rejects a file that is neither a recording nor a catalog', async () => {
    const path = join(folder, 'other.json');
    writeFileSync(path, '{"hello":1}');
    const { code, stderr } = await runTenon(['diff', path, path]);
    expect(code).toBe(1);
    expect(stderr).toContain('is neither a recording nor a catalog');
  });

  it('does not send a header to two origins', async () => {
    const urls = [await serve(old()), await serve(old())];
    const { code, stdout, stderr } = await runTenon(['diff', ...urls, '-H', 'Authorization: Bearer secret']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`would be sent to ${urls.map((url) => new URL(url).origin).join(' and ')}.`);
    expect(stderr).not.toContain('secret');
  });
});
