import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { everyRevision } from '@tenon/mcp-testing';
import { readRecording, replay } from '@tenon/mcp-testing/recordings';
import { recordHttp } from '@tenon/mcp-workbench/recordings';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runTenon } from '../../../test/run-tenon.js';

let folder: string;
let file: string;
const closing: (() => unknown)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-'));
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

const weather = () =>
  createServer({ name: 'weather', version: '1.0.0' })
    .tool(
      'forecast',
      { input: z.object({ city: z.string(), password: z.string().optional() }) },
      async ({ city }, ctx) => {
        ctx.progress(1, 2);
        const asked = ctx.can('elicit')
          ? await ctx.elicit('unit', { message: 'Which unit?', schema: z.object({ unit: z.string() }) })
          : undefined;
        return `${city}: 21 ${asked?.action === 'accept' ? asked.content.unit : 'C'}`;
      },
    )
    .tool('big', {}, () => 'x'.repeat(10 << 20));

async function serve() {
  const server = weather();
  const serving = await serveHttp(server, { mounts: [sseMount(server)] });
  closing.push(() => serving.close());
  return serving;
}

async function proxyTo(url: string, options: { headers?: Record<string, string> } = {}) {
  const problems: string[] = [];
  const proxy = await recordHttp({ file, url, onProblem: (problem) => problems.push(problem), ...options });
  closing.push(() => proxy.close());
  return { proxy, problems };
}

async function story(client: Client): Promise<unknown[]> {
  const heard: unknown[] = [];
  const one = await client.callTool(
    'forecast',
    { city: 'Oslo' },
    { onProgress: ({ progress }) => heard.push(progress) },
  );
  const two = await client.callTool('forecast', { city: 'Rome' });
  await client.close();
  return [...heard, one.content, two.content];
}

const withoutNewest = everyRevision.filter((revision) => revision !== everyRevision.at(-1));

describe('a recording proxy over HTTP', () => {
  it.each(withoutNewest)('records a session of %s that replays both ways', async (revision) => {
    const { url } = await serve();
    const { proxy, problems } = await proxyTo(url);
    const client = await connect(httpTarget(proxy.url), { info, onElicit, revision });
    const heard = await story(client);
    await proxy.close();
    expect(problems).toEqual([]);
    expect(proxy.summary.connections).toBe(1);
    const session = replay(file);
    expect(await story(await connect(session.target, { info, onElicit, revision }))).toEqual(heard);
    session.verify();
    await replay(file).check(weather());
  });

  it('records HTTP+SSE, and rewrites the endpoint', async () => {
    const { url } = await serve();
    const { proxy } = await proxyTo(url.replace('/mcp', '/sse'));
    const client = await connect(sseTarget(proxy.url), { info, onElicit });
    const heard = await story(client);
    await proxy.close();
    const session = replay(file);
    expect(await story(await connect(session.target, { info, onElicit, revision: client.revision }))).toEqual(
      heard,
    );
    session.verify();
    await replay(file).check(weather());
  });

  it.each([everyRevision[0], everyRevision[1]])('keeps two clients of %s apart', async (revision = '') => {
    const { url } = await serve();
    const { proxy } = await proxyTo(url);
    const clients = await Promise.all(
      ['one', 'two'].map((name) =>
        connect(httpTarget(proxy.url), { info: { name, version: '1' }, revision, onElicit }),
      ),
    );
    await Promise.all(clients.map(story));
    await proxy.close();
    const connections = readRecording(file);
    expect(connections).toHaveLength(2);
    for (const steps of connections) {
      const asked = steps.filter(
        ({ message }) => (message as { method?: string } | undefined)?.method === 'tools/call',
      );
      expect(asked.length).toBeGreaterThanOrEqual(2);
      expect(new Set(asked.map(({ message }) => (message as { id: unknown }).id)).size).toBe(asked.length);
    }
    await replay(file).check(weather());
  });

  it('writes no secrets, and passes the authorization on', async () => {
    const seen: unknown[] = [];
    const upstream = createHttpServer((request, response) => {
      seen.push(request.headers.authorization, request.headers.host);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":1,"result":{"password":"hunter2"}}');
    });
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const { proxy } = await proxyTo(`http://127.0.0.1:${port}/mcp`);
    const body = '{"jsonrpc":"2.0","id":1,"method":"a","params":{"apiKey":"sk-abc"}}';
    const answer = await fetch(proxy.url, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer very-secret' },
    });
    expect(await answer.text()).toContain('hunter2');
    await proxy.close();
    expect(seen).toEqual(['Bearer very-secret', `127.0.0.1:${port}`]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/very-secret|hunter2|sk-abc/);
  });

  it.each([
    ['a Host of another machine', { host: 'evil.example' }, 403],
    ['an Origin of another machine', { origin: 'https://evil.example' }, 403],
  ])('rejects %s', async (_, headers, status) => {
    const { url } = await serve();
    const { proxy } = await proxyTo(url);
    const { request } = await import('node:http');
    const answered = await new Promise<number | undefined>((done) =>
      request(proxy.url, { method: 'POST', headers }, (answer) => done(answer.statusCode)).end('{}'),
    );
    expect(answered).toBe(status);
  });

  it('records no attempts of a client that the server refused', async () => {
    const { url } = await serve();
    const { proxy } = await proxyTo(url.replace('/mcp', '/sse'));
    const client = await connect(httpTarget(proxy.url), { info, onElicit });
    await story(client);
    await proxy.close();
    expect(readRecording(file)).toHaveLength(1);
    await replay(file).check(weather());
  });

  it('follows a redirect of the server, and records the messages once', async () => {
    const upstream = createHttpServer((request, response) => {
      if (request.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { proxy } = await proxyTo(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`);
    const answer = await fetch(proxy.url, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(await answer.json()).toMatchObject({ result: {} });
    await proxy.close();
    expect(readRecording(file).map(({ length }) => length)).toEqual([3]);
  });

  it('answers 502 and reports it when the server is gone', async () => {
    const serving = await serve();
    const { proxy, problems } = await proxyTo(serving.url);
    await serving.close();
    await expect(connect(httpTarget(proxy.url), { info })).rejects.toThrow();
    expect(problems[0]).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
  });

  it('passes events on as they come, and reports a server that dies in the middle', async () => {
    let die = () => {};
    const upstream = createHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
      die = () => response.destroy();
    });
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { proxy, problems } = await proxyTo(
      `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`,
    );
    const answer = await fetch(proxy.url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"a"}' });
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('notifications/message');
    die();
    await expect(reader?.read()).rejects.toThrow();
    await proxy.close();
    expect(problems).toEqual(['The server ended a response in the middle: aborted.']);
    expect(readRecording(file)[0]).toMatchObject([
      { from: 'client' },
      { message: { method: 'notifications/message' } },
      {},
    ]);
  });

  it('leaves an endpoint event of another origin as it is', async () => {
    const event = 'event: endpoint\ndata: https://evil.example/messages\n\n';
    const upstream = createHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event),
    );
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { proxy } = await proxyTo(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/sse`);
    expect(await (await fetch(proxy.url)).text()).toBe(event);
  });

  it('records garbage of the server, and passes it on', async () => {
    const upstream = createHttpServer((_, response) => response.end('<html>hello</html>'));
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { proxy } = await proxyTo(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`);
    const answer = await fetch(proxy.url, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(await answer.text()).toBe('<html>hello</html>');
    await proxy.close();
    expect(readRecording(file)[0]?.[1]).toMatchObject({ from: 'server', message: '<html>hello</html>' });
  });

  it('cancels the request at the server when the client leaves', async () => {
    let arrived = () => {};
    const asked = new Promise<void>((done) => {
      arrived = done;
    });
    let left = () => {};
    const gone = new Promise<void>((done) => {
      left = done;
    });
    const upstream = createHttpServer((request, response) => {
      request.resume();
      response.once('close', left);
      arrived();
    });
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
    closing.push(() => upstream.close());
    const { proxy } = await proxyTo(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`);
    const leaving = new AbortController();
    const posted = fetch(proxy.url, {
      method: 'POST',
      body: '{"id":1,"method":"a"}',
      signal: leaving.signal,
    });
    await asked;
    leaving.abort();
    await expect(posted).rejects.toThrow();
    await gone;
    await proxy.close();
    expect(readRecording(file)).toMatchObject([[{ from: 'client' }, { from: 'client', message: undefined }]]);
  });

  it('records a message of 10 MB', async () => {
    const { url } = await serve();
    const { proxy } = await proxyTo(url);
    const client = await connect(httpTarget(proxy.url), { info });
    const { content } = await client.callTool('big', {});
    expect(content[0]).toMatchObject({ text: expect.any(String) });
    await client.close();
    await proxy.close();
    await replay(file).check(weather());
  });
});

describe('--record', () => {
  it('adds the messages of a command to a recording', async () => {
    const { url } = await serve();
    for (let run = 0; run < 2; run++) expect((await runTenon(['list', url, '--record', file])).code).toBe(0);
    expect(readRecording(file)).toHaveLength(2);
    await replay(file).check(weather());
  });
});
