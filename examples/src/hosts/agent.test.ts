import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { lineOf, start } from '../../test/programs.js';

const program = (path: string) => fileURLToPath(new URL(`../../dist/${path}.js`, import.meta.url));

/** An endpoint for chat completions: it calls the tool first, and then repeats the result. */
async function endpoint(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const last = JSON.parse(body).messages.at(-1);
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'greeter__greet', arguments: '{"name":"Ada"}' },
    };
    const message =
      last.role === 'tool'
        ? { role: 'assistant', content: `The server says: ${last.content}` }
        : { role: 'assistant', content: null, tool_calls: [call] };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ message, finish_reason: last.role === 'tool' ? 'stop' : 'tool_calls' }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

it('answers with the tool of a server once the user agreed to its start, although other servers cannot be reached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-agent-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const audit = join(folder, 'audit.jsonl');
  const { child, stdin, lines } = start([program('hosts/agent')], {
    ...{ OPENAI_BASE_URL: await endpoint(), ANTHROPIC_API_KEY: '', GREETER: program('outside/server') },
    ...{ AUDIT: audit, GRANTS: join(folder, 'grants.json') },
  });
  const asked = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('(y/n)')) resolve(String(chunk));
    });
  });
  stdin.write('Greet Ada.\n');
  expect(await asked).toContain('greeter: start');
  stdin.write('y\n');
  expect(await lineOf(lines, /The server says/)).toMatch(/Hello, Ada!/);
  const records = readFileSync(audit, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"name":"greet"'));
  expect(records).toHaveLength(2);
});
