import { latestStateless } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { serveHttp } from './http.js';
import { loadRunCode } from './run/loading.js';
import { createServer } from './server.js';

/** The functions of ours in the stack trace of a handler, from the one that received the body on, outermost first. */
async function pathOf(): Promise<readonly string[]> {
  // The path is longer once a client of this process could answer input requests.
  await loadRunCode();
  const limit = Error.stackTraceLimit;
  onTestFinished(() => {
    Error.stackTraceLimit = limit;
  });
  let stack = '';
  const server = createServer({ name: 'test', version: '1' }).tool('tool', {}, () => {
    Error.stackTraceLimit = 100;
    stack = new Error('here').stack ?? '';
    return 'done';
  });
  const serving = await serveHttp(server, { port: 0 });
  onTestFinished(() => serving.close());
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': latestStateless.id,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const response = await fetch(serving.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': latestStateless.id,
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'tool', arguments: {}, _meta },
    }),
  });
  expect(response.status).toBe(200);
  const own = stack.split('\n').filter((line) => /packages\/[\w-]+\/src\//.test(line));
  const [, ...functions] = own.map(
    (line) => /at (?:async )?(?:new )?([\w#.$<>]+) \(/.exec(line)?.[1] ?? 'callback',
  );
  const names = functions.map((name) => name.replace(/^_?(\w+)\./, '$1.')).reverse();
  return names.slice(names.findIndex((name) => name.endsWith('#take') || name.endsWith('take_fn')));
}

test('a tool call over HTTP passes at most 14 functions from the read body to its handler', async () => {
  const path = await pathOf();
  expect(path.length, path.join(' > ')).toBeLessThanOrEqual(14);
  expect(path.length).toBeGreaterThan(8);
});
