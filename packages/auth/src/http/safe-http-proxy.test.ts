import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type HttpProxy,
  type HttpProxyOptions,
  startHttpProxy,
} from '../../../../tooling/suite/services/http-proxy.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { startServer, startTlsServer, trustTestCertificates } from '../../test/http/http-server.js';
import { type SafeHttpOptions, safeHttp } from './safe-http.js';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function proxied(options: HttpProxyOptions = {}): Promise<HttpProxy> {
  const proxy = await startHttpProxy(options);
  onTestFinished(() => proxy.close());
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  return proxy;
}

const server = new URL('https://mcp.example/mcp');
const get = (url: URL | string) => ({ method: 'GET' as const, url: new URL(url) });
const http = (more: Partial<SafeHttpOptions> = {}) => safeHttp({ server, lookup: async () => [], ...more });

describe('safeHttp behind a proxy of the environment', () => {
  it('reaches an authorization server with a name that only the proxy knows', async () => {
    trustTestCertificates();
    const proxy = await proxied();
    const { port } = await startTlsServer((_, response) => response.end('{"a":1}'));
    const url = `https://auth.example:${port}/x`;
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    for (const one of [http(), http({ lookup })])
      expect(await one.send(get(url))).toMatchObject({ status: 200, text: '{"a":1}' });
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT auth.example:${port}`]));
  });

  it('does not wait for a name that is not found', async () => {
    trustTestCertificates();
    await proxied();
    const clock = new FakeClock();
    const { port } = await startTlsServer((_, response) => response.end('{}'));
    const slow = http({ clock, lookup: () => new Promise(() => {}) });
    const answer = slow.send(get(`https://auth.example:${port}/x`));
    await vi.waitFor(() => expect(clock.waiting.length).toBeGreaterThan(1));
    await clock.advance(2_000);
    expect((await answer).status).toBe(200);
  });

  it('rejects a name that this machine finds at a private address, and sends the proxy nothing', async () => {
    const proxy = await proxied();
    for (const address of ['10.0.0.7', '169.254.169.254', '127.0.0.1', 'fd00::1']) {
      await expect(
        http({ lookup: async () => [address] }).send(get('https://auth.example/x')),
      ).rejects.toMatchObject({
        reason: 'forbidden-address',
        message: expect.stringContaining(address),
      });
    }
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    'https://10.0.0.7/x',
    'https://[fd00::1]/x',
    'https://169.254.169.254/x',
    'http://auth.example/x',
  ])('rejects %s as without a proxy', async (url) => {
    const proxy = await proxied();
    vi.stubEnv('HTTP_PROXY', proxy.url);
    await expect(http().send(get(url))).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect(proxy.asked).toEqual([]);
  });

  it('reaches hosts of the option allow, wherever their name leads to', async () => {
    trustTestCertificates();
    await proxied();
    const { port } = await startTlsServer((_, response) => response.end('{}'));
    const trusting = http({ allow: ['auth.example'], lookup: async () => ['10.0.0.7'] });
    expect((await trusting.send(get(`https://auth.example:${port}/x`))).status).toBe(200);
  });

  it('connects directly to hosts of NO_PROXY, with the same checks', async () => {
    const proxy = await proxied();
    vi.stubEnv('NO_PROXY', 'auth.example');
    await expect(
      http({ lookup: async () => ['10.0.0.7'] }).send(get('https://auth.example/x')),
    ).rejects.toMatchObject({
      reason: 'forbidden-address',
    });
    expect(proxy.asked).toEqual([]);
  });

  it('connects directly to a server on this machine', async () => {
    const proxy = await proxied();
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const local = await startServer((_, response) => response.end('{}'));
    const own = safeHttp({ server: new URL(local.origin) });
    expect((await own.send(get(`${local.origin}/x`))).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });

  it('names a proxy that refuses the connection, without its password', async () => {
    const proxy = await proxied({ credentials: 'ada:right' });
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('://', '://ada:wrong@'));
    await expect(http().send(get('https://auth.example/x'))).rejects.toMatchObject({
      reason: 'unreachable',
      message: `https://auth.example cannot be reached through the proxy ${proxy.url} (the proxy answered HTTP 407).`,
    });
  });
});
