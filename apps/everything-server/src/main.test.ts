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

  it('refuses other arguments with exit code 2 and one line', () => {
    const { status, stdout, stderr } = run('--stdio', 'now');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe("everything-server: Unexpected argument 'now'. See --help.\n");
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
