import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { textOf } from '@tenon/mcp-client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DevRun, toolsServer } from './dev-project.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(
  run: DevRun,
  body: string | object,
  more: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body });
  return fetch(String(run.server.url), { method: 'POST', headers: { ...headers, ...more }, body: text });
}

async function opened(run: DevRun): Promise<Record<string, string>> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await post(run, { id: 1, method: 'initialize', params });
  await response.text();
  const session = { 'mcp-session-id': String(response.headers.get('mcp-session-id')) };
  await post(run, { method: 'notifications/initialized' }, session);
  return session;
}

describe('tenon dev over HTTP', () => {
  test('continues the stream of a GET after a reload', async () => {
    const run = await DevRun.start({ 'server.ts': toolsServer({ a: 'one' }) });
    const session = await opened(run);
    const leave = new AbortController();
    const stream = await fetch(String(run.server.url), {
      headers: { accept: 'text/event-stream', ...session },
      signal: leave.signal,
    });
    const reader = (stream.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let text = '';
    const count = () => text.split('tools/list_changed').length - 1;
    for (let version = 1; version <= 3; version++) {
      const before = count();
      await run.save(toolsServer({ [`tool${version}`]: 'x' }));
      await run.next('reloaded');
      while (count() === before) text += (await reader.read()).value ?? '';
    }
    leave.abort();
    const list = await post(run, { id: 2, method: 'tools/list' }, session);
    expect(await list.text()).toContain('tool3');
  });

  test('goes on with an input request of 2026-07-28 that a reload separates from its answer', async () => {
    const ask = `import { z } from 'zod';
server.tool('ask', {}, async ({}, ctx) => {
  const answer = await ctx.elicit('name', { message: 'Your name?', schema: z.object({ name: z.string() }) });
  return answer.action === 'accept' ? VERSION + answer.content.name : 'none';
});`;
    const text = (version: string) => toolsServer({}, ask.replace('VERSION', JSON.stringify(version)));
    const run = await DevRun.start({ 'server.ts': text('one ') });
    const client = await run.connect({
      onElicit: async () => {
        await run.save(text('two '));
        await run.next('reloaded');
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    expect(textOf((await client.callTool('ask')).content)).toBe('two Ada');
    expect(
      z
        .array(z.object({ outcome: z.string() }))
        .parse(run.events.filter(({ type }) => type === 'call').slice(-2)),
    ).toEqual([{ outcome: 'input' }, { outcome: 'ok' }]);
  });

  test('serves others when a client vanishes in the middle of a request', async () => {
    const run = await DevRun.start({ 'server.ts': toolsServer({ a: 'one' }) });
    const { port } = new URL(String(run.server.url));
    for (const part of [
      'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{"jso',
      'GET /mcp',
      '\0\0\0\r\n\r\n',
    ]) {
      const socket = openSocket(Number(port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(part);
      socket.destroy();
    }
    const client = await run.connect();
    expect(textOf((await client.callTool('a')).content)).toBe('one');
  });

  test('rejects bodies that are too long, and passes garbage to the server', async () => {
    const run = await DevRun.start(
      { 'server.ts': toolsServer({ a: 'one' }) },
      { bounds: { bodyBytes: 1_000 } },
    );
    expect((await post(run, 'x'.repeat(2_000))).status).toBe(413);
    const garbage = await post(run, '{"broken');
    expect([garbage.status, await garbage.text()]).toEqual([400, expect.stringContaining('-32700')]);
  });

  test('does not tell pages of other sites why the server does not start', async () => {
    const run = await DevRun.start({ 'server.ts': 'const secret = ;' });
    const { hostname, port } = new URL(String(run.server.url));
    const answer = async (host: string) => {
      const socket = openSocket(Number(port), hostname);
      socket.write(`GET /mcp HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return text;
    };
    expect(await answer('evil.example')).not.toContain('server.ts');
    expect(await answer(`localhost:${port}`)).toContain('server.ts');
  });
});
