import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type HttpProxyOptions, startHttpProxy } from '../../../../../tooling/suite/services/http-proxy.js';
import { certificateFor } from '../../../test/certificate.js';
import { startNodeServer } from '../../../test/node-server.js';
import { type Diagnosis, diagnose } from '../../doctor.js';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function proxied(options?: HttpProxyOptions) {
  const proxy = await startHttpProxy(options);
  onTestFinished(() => proxy.close());
  vi.stubEnv('HTTP_PROXY', proxy.url);
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  return proxy;
}

function diagnosed(url: string): Promise<Diagnosis> {
  return diagnose({ kind: 'url', url }, { info: { name: 'test', version: '1.0.0' }, timeout: 20_000 });
}

function stepOf({ steps }: Diagnosis, id: string) {
  return steps.find((one) => one.id === id);
}

describe('the diagnosis of a URL behind a proxy', () => {
  it('examines the proxy, and the server through it', async () => {
    const proxy = await proxied();
    const server = createServer({ name: 'notes', version: '1.0.0' }).tool('add', {}, () => 'added');
    const serving = await serveHttp(server, { allowedHosts: ['mcp.example'] });
    onTestFinished(() => serving.close());
    const diagnosis = await diagnosed(serving.url.replace('127.0.0.1', 'mcp.example'));
    expect(stepOf(diagnosis, 'proxy')).toMatchObject({
      status: 'passed',
      summary: `${proxy.url}, of HTTP_PROXY: DNS and TCP are those of the proxy`,
    });
    expect(stepOf(diagnosis, 'lists')?.summary).toBe('1 tool, 0 resources, 0 templates, 0 prompts');
    // The server is not on this machine, although its proxy is.
    expect(stepOf(diagnosis, 'rebinding')).toBeUndefined();
    expect(diagnosis.steps.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(proxy.asked.length).toBeGreaterThan(3);
  });

  it('checks the certificate of a server through a tunnel', async () => {
    const proxy = await proxied();
    const origin = await startNodeServer(() => {}, certificateFor('mcp.example'));
    const { port } = new URL(origin);
    const diagnosis = await diagnosed(`https://mcp.example:${port}/mcp`);
    expect(stepOf(diagnosis, 'tls')).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('self-signed'),
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(proxy.asked).toEqual([`CONNECT mcp.example:${port}`]);
  });

  it('names a proxy that refuses the tunnel', async () => {
    const proxy = await proxied({ credentials: 'ada:secret' });
    const diagnosis = await diagnosed('https://mcp.example/mcp');
    expect(stepOf(diagnosis, 'tls')?.summary).toContain(`the proxy ${proxy.url} answered HTTP 407`);
  });

  it('fails for a variable that is malformed, and does not show its value', async () => {
    vi.stubEnv('HTTPS_PROXY', 'socks5://ada:secret@proxy.example');
    const diagnosis = await diagnosed('https://mcp.example/mcp');
    expect(stepOf(diagnosis, 'proxy')).toMatchObject({
      status: 'failed',
      reason: 'usage',
      fix: expect.stringContaining('HTTPS_PROXY'),
    });
    expect(stepOf(diagnosis, 'dns')).toMatchObject({ status: 'skipped' });
    expect(JSON.stringify(diagnosis)).not.toContain('secret');
  });
});
