import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { sseTarget } from '@tenon/mcp-client/sse';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { everyRevision } from '@tenon/mcp-testing';
import { record } from '@tenon/mcp-testing/recordings';
import { replayHttp } from '@tenon/mcp-workbench/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

let folder: string;
let file: string;
const closing: (() => unknown)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
});
beforeEach(({ task }) => {
  file = join(folder, `recording${task.id}.md`);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const info = { name: 'recorder', version: '1.0.0' };
const onElicit = async () => ({ action: 'accept' as const, content: { unit: 'F' } });

const weather = (high = 21) =>
  createServer({ name: 'weather', version: '1.0.0' }).tool(
    'forecast',
    { input: z.object({ city: z.string() }) },
    async ({ city }, ctx) => {
      ctx.progress(1, 2);
      const asked = ctx.can('elicit')
        ? await ctx.elicit('unit', { message: 'Which unit?', schema: z.object({ unit: z.string() }) })
        : undefined;
      return `${city}: ${high} ${asked?.action === 'accept' ? asked.content.unit : 'C'}`;
    },
  );

async function story(client: Client, city = 'Oslo'): Promise<unknown[]> {
  const heard: unknown[] = [];
  await client.tools().all();
  const one = await client.callTool(
    'forecast',
    { city },
    { onProgress: ({ progress }) => heard.push(progress) },
  );
  const two = await client.callTool('forecast', { city: 'Rome' });
  await client.close();
  return [...heard, one.content, two.content];
}

async function recorded(revision: string): Promise<unknown[]> {
  return story(await connect(record(memoryTarget(weather()), file), { info, onElicit, revision }));
}

async function serve(high?: number) {
  const server = weather(high);
  const serving = await serveHttp(server, { mounts: [sseMount(server)] });
  closing.push(() => serving.close());
  return serving.url;
}

const overHttp = everyRevision.slice(0, -1);
const newest = everyRevision[0] as string;

describe('tenon replay --to', () => {
  it.each(overHttp)('plays a client of %s over HTTP and finds no differences', async (revision) => {
    await recorded(revision);
    const { code, stdout, stderr } = await runTenon(['replay', file, '--to', await serve()]);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^ok .*: \d+ messages are as recorded\n$/),
    });
  });

  it('plays a client of 2024-11-05 over HTTP+SSE', async () => {
    await recorded(everyRevision.at(-1) as string);
    const url = (await serve()).replace('/mcp', '/sse');
    expect(await runTenon(['replay', file, '--to', url])).toMatchObject({ code: 0, stderr: '' });
    expect(await runTenon(['replay', file, '--to', url, '--transport', 'sse'])).toMatchObject({ code: 0 });
  });

  it.each(everyRevision)(
    'exits with 6 and prints all differences of a changed server in %s',
    async (revision) => {
      await recorded(revision);
      const url = await serve(30);
      const { code, stdout, stderr } = await runTenon([
        'replay',
        file,
        '--transport',
        revision === everyRevision.at(-1) ? 'sse' : 'http',
        '--to',
        revision === everyRevision.at(-1) ? url.replace('/mcp', '/sse') : url,
      ]);
      expect(code).toBe(6);
      expect(
        stdout.match(
          /tools\/call forecast differs\n {2}result\.content\.0\.text is "(Oslo|Rome): 30 [FC]", recorded "(Oslo|Rome): 21 [FC]"/g,
        ),
      ).toHaveLength(2);
      expect(stderr).toMatch(/^error: 2 differences from .* in \d+ messages\.\nhint: --update/);
    },
  );

  it('writes the new messages with --update, and finds no differences then', async () => {
    await recorded(newest);
    const url = await serve(30);
    expect((await runTenon(['replay', file, '--update', '--to', url])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('Oslo: 30 F');
    expect((await runTenon(['replay', file, '--to', url])).code).toBe(0);
  });

  it('prints one JSON value with --json', async () => {
    await recorded(newest);
    const { code, stdout } = await runTenon(['replay', file, '--json', '--to', await serve(30)]);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({
      differences: [
        {
          kind: 'different',
          about: 'tools/call forecast',
          line: expect.any(Number),
          details: [expect.any(String)],
        },
        { kind: 'different' },
      ],
    });
  });

  it('leaves out members with --ignore', async () => {
    await recorded(newest);
    const { code } = await runTenon(['replay', file, '--ignore', 'text', '--to', await serve(30)]);
    expect(code).toBe(0);
  });

  it('plays to a command, and exits with 4 when it does not start', async () => {
    await recorded(newest);
    const { code, stderr } = await runTenon([
      'replay',
      file,
      '--',
      process.execPath,
      '-e',
      'process.exit(3)',
    ]);
    expect(code).toBe(4);
    expect(stderr).toContain('exited with code 3');
  });

  it('exits with 4 when the server cannot be reached', async () => {
    await recorded(newest);
    expect((await runTenon(['replay', file, '--to', 'http://127.0.0.1:1/mcp'])).code).toBe(4);
  });

  it('reports a server that vanishes in the middle', async () => {
    await recorded(newest);
    const script = `process.stdin.once('data', (chunk) => { const { id } = JSON.parse(chunk); console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} })); process.exit(0); })`;
    const { code, stdout } = await runTenon(['replay', file, '--', process.execPath, '-e', script]);
    expect(code).toBe(6);
    expect(stdout).toContain('the server ended the connection');
  });

  it('closes the connections and exits with 130 when the user presses Ctrl+C', async () => {
    await recorded(newest);
    const stop = new AbortController();
    let gone = () => {};
    const ended = new Promise<void>((done) => {
      gone = done;
    });
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.once('close', gone);
      socket.once('data', () => stop.abort());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closing.push(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    expect(await runTenon(['replay', file, '--to', url], { signal: stop.signal })).toMatchObject({
      code: 130,
    });
    await ended;
  });

  it.each([
    ['a file that does not exist', () => {}, 'does not exist'],
    [
      'an expectation with a pattern that is slow',
      () =>
        writeFileSync(
          file,
          '## Connection 1\n\n```transcript\n← {"id":1,"result":{"$expect":{"regex":"(a+)+$"}}}\n```\n',
        ),
      'line 4: "$expect" has a regex or schema that cannot be used',
    ],
    ['a file that is not a recording', () => writeFileSync(file, '# Notes'), 'contains no recorded session'],
  ])('rejects %s', async (_, prepare, text) => {
    prepare();
    const { code, stderr } = await runTenon(['replay', file, '--to', 'http://127.0.0.1:1/mcp']);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('rejects options that exclude each other, and --update without a server', async () => {
    expect((await runTenon(['replay', 'a.md', '--stdio', '--http'])).stderr).toContain('exclude each other');
    expect((await runTenon(['replay', 'a.md', '--update'])).stderr).toContain('--update needs a server');
  });
});

describe('tenon replay as a server', () => {
  it.each(overHttp)('plays a session of %s to clients over HTTP, again and again', async (revision) => {
    const heard = await recorded(revision);
    const server = await replayHttp({ file, port: 0 });
    closing.push(() => server.close());
    for (let round = 0; round < 2; round++)
      expect(await story(await connect(httpTarget(server.url), { info, onElicit, revision }))).toEqual(heard);
    expect(await server.close()).toEqual({ connections: 2, problems: [] });
  });

  it('plays a session of 2024-11-05 to clients over HTTP+SSE', async () => {
    const revision = everyRevision.at(-1) as string;
    const heard = await recorded(revision);
    const server = await replayHttp({ file, port: 0 });
    closing.push(() => server.close());
    const url = server.url.replace('/mcp', '/sse');
    expect(await story(await connect(sseTarget(url), { info, onElicit, revision }))).toEqual(heard);
    expect((await server.close()).problems).toEqual([]);
  });

  it.each([newest, everyRevision[1] as string])(
    'answers a client of %s that deviates with the difference',
    async (revision) => {
      await recorded(revision);
      const server = await replayHttp({ file, port: 0 });
      closing.push(() => server.close());
      const client = await connect(httpTarget(server.url), { info, onElicit, revision });
      await client.tools().all();
      await expect(client.callTool('forecast', { city: 'Bergen' })).rejects.toThrow(
        'city is "Bergen", recorded "Oslo"',
      );
      await client.close();
      expect((await server.close()).problems).toHaveLength(1);
    },
  );

  it('plays over stdio when stdin is not a terminal, and exits with 6 when the client deviates', async () => {
    const text = (result: string) =>
      `## Connection 1\n\n\`\`\`transcript\n→ {"jsonrpc":"2.0","id":1,"method":"ping"}\n← {"jsonrpc":"2.0","id":1,"result":${result}}\n\`\`\`\n`;
    writeFileSync(file, text('{}'));
    const same = await runTenon(['replay', file], { input: '{"jsonrpc":"2.0","id":"a","method":"ping"}\n' });
    expect(same).toMatchObject({ code: 0, stdout: '{"jsonrpc":"2.0","id":"a","result":{}}\n' });
    const other = await runTenon(['replay', file], {
      input: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
    });
    expect(other.code).toBe(6);
    expect(JSON.parse(other.stdout)).toMatchObject({
      id: 2,
      error: { message: expect.stringContaining('differs from the recording') },
    });
    expect(other.stderr).toContain('- method is "tools/list", recorded "ping"');
    const silent = await runTenon(['replay', file]);
    expect(silent.stderr).toContain('did not arrive');
  });
});
