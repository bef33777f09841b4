import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../tooling/suite/services/free-port.js';
import { lineOf, start } from '../../test/programs.js';

const folder = fileURLToPath(new URL('../../dist/', import.meta.url));
const info = { name: 'test', version: '1.0.0' };
describe('configuration of hosts', () => {
  const hosts = {
    'claude-desktop': 'mcpServers',
    'claude-code': 'mcpServers',
    vscode: 'servers',
    cursor: 'mcpServers',
  };

  it.each(Object.entries(hosts))('%s starts the greeter', async (host, root) => {
    const text = await readFile(new URL(`../../hosts/${host}.json`, import.meta.url), 'utf8');
    const { command, args } = JSON.parse(text)[root].greeter;
    expect({ command, args }).toEqual({ command: 'node', args: ['/home/ada/greeter/server.js'] });
    const here = args.map((path: string) => path.replace('/home/ada/greeter/', `${folder}outside/`));
    const client = await connect({ command, args: here }, { info });
    const { content } = await client.callTool('greet', { name: 'Ada' });
    expect(textOf(content)).toBe('Hello, Ada!');
    await client.close();
  });

  it.each(Object.entries(hosts).slice(1))('%s names the URL of the greeter over HTTP', async (host, root) => {
    const text = await readFile(new URL(`../../hosts/${host}.json`, import.meta.url), 'utf8');
    const { url, headers } = JSON.parse(text)[root]['remote-greeter'];
    expect(url).toBe('http://127.0.0.1:3000/mcp');
    expect(headers.Authorization).toMatch(/^Bearer \$\{/);
  });
});

describe('hot reload', () => {
  it.each(['2025-11-25', '2026-07-28'])('calls the new code after a restart in %s', async (revision) => {
    const text = await readFile(`${folder}outside/http-server.js`, 'utf8');
    const source = text.replace(
      /createServer\((\{.*?\})\)/,
      `createServer($1, { revisions: ['${revision}'] })`,
    );
    expect(source).toContain(revision);
    const own = await mkdtemp(join(folder, 'reload-'));
    onTestFinished(() => rm(own, { recursive: true }));
    const program = join(own, 'server.js');
    await writeFile(program, source);

    const server = start(['--watch', program], { PORT: String(await freePort()) });
    const url = await lineOf(server.lines, /^http/);
    const client = start([`${folder}recipes/hot-reload.js`, url]);
    await lineOf(client.lines, /^connected/);
    client.stdin.write('Ada\n');
    expect(await lineOf(client.lines, /Ada/)).toBe('Hello, Ada!');

    const restarted = lineOf(server.lines, /^http/);
    await writeFile(program, source.replaceAll('Hello', 'Welcome'));
    expect(await restarted).toBe(url);
    client.stdin.write('Ada\n');
    expect(await lineOf(client.lines, /Ada/)).toBe('Welcome, Ada!');
    client.stdin.end();
    expect(await once(client.child, 'exit')).toEqual([0, null]);
  });
});

/** A fetch with a connection for each request, which the processes accept in turn. */
function fetchAlone(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const sent = request(url, { method: init.method ?? 'GET', headers, agent: new Agent() });
    sent.on('error', reject).on('response', (response) => {
      const status = response.statusCode ?? 500;
      const body = status === 202 || status === 204 ? null : (Readable.toWeb(response) as ReadableStream);
      resolve(new Response(body, { status, headers: response.headers as Record<string, string> }));
    });
    sent.end(init.body as string | undefined);
  });
}

describe('several processes', () => {
  it('continues a call in the process that receives the answer', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const { lines } = start([`${folder}recipes/processes.js`], { PORT: '0', STATE_KEY: key });
    const url = await lineOf(lines);
    await lineOf(lines); // the other process listens too
    const client = await connect(url, {
      info,
      fetch: fetchAlone,
      onElicit: () => ({ action: 'accept', content: { count: 2 } }),
    });
    const moved: boolean[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { content } = await client.callTool('order', { article: 'tea' });
      const [, asked, answered] =
        /^Ordered 2 of tea: asked by (\d+), answered by (\d+)$/.exec(textOf(content)) ?? [];
      expect(asked).toBeDefined();
      moved.push(asked !== answered);
    }
    expect(moved).toContain(true);
    await client.close();
  });
});
