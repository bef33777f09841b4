import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { startHttpProxy } from '../../../../tooling/suite/services/http-proxy.js';
import { homeFolder } from '../../test/home-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('commands reach a server through the proxy of the environment, and print nothing of it', async () => {
  const user = await homeFolder();
  const proxy = await startHttpProxy();
  const server = createServer({ name: 'notes', version: '1.0.0' }).tool('who', {}, () => 'bob');
  const serving = await serveHttp(server, { allowedHosts: ['mcp.example'] });
  onTestFinished(async () => {
    await Promise.all([serving.close(), proxy.close(), user.remove()]);
  });
  vi.stubEnv('http_proxy', proxy.url);
  vi.stubEnv('NO_PROXY', undefined);
  vi.stubEnv('no_proxy', undefined);
  const url = serving.url.replace('127.0.0.1', 'mcp.example');
  const { code, stdout, stderr } = await user.run(['list', url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('who');
  expect(new Set(proxy.asked)).toEqual(new Set([`POST ${url}`]));
  await proxy.close();
  const down = await user.run(['list', url]);
  expect(down).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`through the proxy ${proxy.url} failed`),
  });
});
