import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function run(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', input: '' });
}

describe('command line', () => {
  it('shows help', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: node apps/everything-server/dist/main.js --stdio');
  });

  it('ends with its input', () => {
    expect(run('--stdio')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it.each([
    { args: [], message: 'Say how to be reached: --stdio or --http <port>' },
    { args: ['--stdio', '--http', '0'], message: 'Say how to be reached: --stdio or --http <port>' },
    { args: ['--stdio', '--sse'], message: '--sse goes with --http <port>' },
    { args: ['--stdio', '--redis', 'redis://127.0.0.1'], message: '--redis goes with --http <port>' },
    { args: ['--http', 'all'], message: "--http must be a port from 0 to 65535, not 'all'" },
    { args: ['--http', '65536'], message: "--http must be a port from 0 to 65535, not '65536'" },
    { args: ['--stdio', '--loud'], message: "Unknown option '--loud'" },
    { args: ['--stdio', 'now'], message: "Unexpected argument 'now'" },
    { args: ['--stdio', '--page-size', '0'], message: '--page-size must be a positive whole number' },
  ])('refuses $args', ({ args, message }) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`everything-server: ${message}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('over HTTP', () => {
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function listening(...args: string[]) {
    const child = spawn(process.execPath, [main, '--http', '0', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    return { child, address: JSON.parse(line) as { url: string; sse?: string } };
  }

  it('prints its address, and answers there', async () => {
    const { address } = await listening();
    expect(Object.keys(address)).toEqual(['url']);
    expect(address.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const response = await fetch(address.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1.0.0' },
        },
      }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('everything-server');
  });

  it('offers HTTP+SSE beside it', async () => {
    const { address } = await listening('--sse');
    expect(address.sse).toBe(address.url.replace('/mcp', '/sse'));
    const response = await fetch(address.sse ?? '', { headers: { accept: 'text/event-stream' } });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('event: endpoint\n');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('closes at %s', async (signal) => {
    const { child } = await listening();
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
