import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { CommandTarget } from '@tenon/mcp-client';
import { onTestFinished } from 'vitest';

/** A program that is a server of 2024-11-05, and writes a line into a file each time it starts. */
const source = `
const { appendFileSync } = require('node:fs');
appendFileSync(process.argv[2], 'started\\n');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let rest = '';
process.stdin.on('end', () => process.exit());
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    if (method === 'initialize')
      send({ id, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } });
    else if (method === 'tools/list')
      send({ id, result: { tools: ['echo', 'exit', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } })) } });
    else if (method === 'tools/call' && params.name === 'exit') process.exit(3);
    else if (method === 'tools/call' && params.name === 'echo')
      send({ id, result: { content: [{ type: 'text', text: process.env.SECRET_OF_TEST ?? 'none' }] } });
    else if (method !== 'tools/call') send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
`;

/** Returns the target of a program, and the number of its starts. */
export function program(): { readonly target: CommandTarget; readonly starts: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [script, log] = [join(folder, 'server.cjs'), join(folder, 'starts')];
  writeFileSync(script, source);
  writeFileSync(log, '');
  return {
    target: { command: process.execPath, args: [script, log] },
    starts: () => readFileSync(log, 'utf8').split('\n').length - 1,
  };
}
