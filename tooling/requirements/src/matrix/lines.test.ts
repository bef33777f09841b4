import { type Duplex, duplexPair } from 'node:stream';
import { connect } from '@tenon/mcp-client';
import { createServer, ToolError } from '@tenon/mcp-server';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { streamConnection } from '@tenon/mcp-transport-stdio/client';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';
import type { Message } from './wire.js';

const lines = 'one\ntwo\r\nthree\rfour\u2028five\u0085six\n';

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }, ctx) => {
    ctx.log('info', text, 'echo');
    ctx.progress(1, 2, text);
    return text;
  });
  server.tool('break', {}, () => {
    throw new ToolError(lines);
  });
  return server.prompt('show', {}, () => lines);
}

/** Returns the bytes written to a stream, as text. */
function written(stream: Duplex): () => string {
  const chunks: string[] = [];
  const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) => {
    chunks.push(String(chunk));
    return write(chunk, ...more);
  };
  return () => chunks.join('');
}

requirement(
  ['2024-11-05/basic/transports/no-newlines', '2025-03-26/stdio/no-newlines'],
  { transports: ['stdio'] },
  async ({ revision }) => {
    const [near, far] = duplexPair();
    const texts = [written(near), written(far)];
    const serving = await serveStdio(bench(), { stream: far });
    onTestFinished(() => serving.close());
    const open = async () => streamConnection(near);
    const info = { name: 'matrix', version: lines };
    const client = await connect<ReturnType<typeof bench>>(
      { open, restartable: false },
      { info, revision, logLevel: 'debug', onError: () => {} },
    );
    onTestFinished(() => client.close());
    const echoed = await client.request(
      'tools/call',
      { name: 'echo', arguments: { text: lines } },
      { onProgress: () => {} },
    );
    expect(echoed).toMatchObject({ content: [{ text: lines }] });
    expect(await client.request('tools/call', { name: 'break' })).toMatchObject({
      content: [{ text: lines }],
    });
    expect((await client.getPrompt('show')).messages).toMatchObject([{ content: { text: lines } }]);
    await client.request('prompts/get', { name: lines as never }).catch(() => {});
    for (const text of texts) {
      const said = text().split('\n');
      expect(said.pop()).toBe('');
      expect(said.length).toBeGreaterThan(4);
      for (const line of said) expect((JSON.parse(line) as Message).jsonrpc).toBe('2.0');
      expect(text()).not.toContain('\r');
    }
  },
);
