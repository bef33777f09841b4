import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type HttpProxyOptions, startHttpProxy } from '../../../../tooling/suite/services/http-proxy.js';
import { tlsIdentity } from '../../../../tooling/suite/services/tls-identity.js';
import { startNodeServer } from '../../test/node-server.js';
import { sendRequest } from './send-request.js';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A server of mcp.example that returns the request, and a proxy before it. */
async function rig(protocol: 'http' | 'https', options?: HttpProxyOptions) {
  const proxy = await startHttpProxy(options);
  onTestFinished(() => proxy.close());
  vi.stubEnv(`${protocol.toUpperCase()}_PROXY`, proxy.url.replace('://', '://ada:right@'));
  const identity = protocol === 'https' ? tlsIdentity : undefined;
  const origin = await startNodeServer((request, response) => {
    response.end(`${request.method} ${request.headers.host} ${request.url}`);
  }, identity);
  return { proxy, url: new URL(`${origin.replace('127.0.0.1', 'mcp.example')}/mcp?x=1`) };
}

function ask(url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { method: 'POST', headers: { host: url.host } }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    });
    request.on('error', reject);
    request.end('{}');
  });
}

describe('sendRequest', () => {
  it.each(['http', 'https'] as const)('reaches a server over %s through the proxy', async (protocol) => {
    const { proxy, url } = await rig(protocol, { credentials: 'ada:right' });
    expect(await ask(url)).toBe(`POST ${url.host} /mcp?x=1`);
    expect(proxy.asked).toEqual([protocol === 'http' ? `POST ${url.href}` : `CONNECT ${url.host}`]);
  });

  it('fails with the status of a proxy that refuses the tunnel', async () => {
    const { proxy, url } = await rig('https', { credentials: 'ada:other' });
    await expect(ask(url)).rejects.toThrow(`the proxy ${proxy.url} answered HTTP 407`);
  });
});
