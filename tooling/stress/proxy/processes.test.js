import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startProcesses } from './processes.js';

test('deals requests to all processes, at the addresses of the first', async () => {
  /** @type {{ redis: string, port: number }[]} */
  const given = [];
  const { url, sse, close, dealt } = await startProcesses(2, async (shared) => {
    given.push(shared);
    return process(`process ${given.length}`);
  });
  const { port } = new URL(url);
  expect([url, sse]).toEqual([`http://127.0.0.1:${port}/mcp`, `http://127.0.0.1:${port}/sse`]);
  expect((await Promise.all([text(url), text(url)])).sort()).toEqual(['process 1', 'process 2']);
  expect(dealt()).toEqual([1, 1]);
  const redis = expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+$/);
  expect(given).toEqual([
    { redis, port: Number(port) },
    { redis, port: Number(port) },
  ]);
  expect(await close()).toEqual(['process 1', 'process 2']);
});

test('closes the processes that started when another one does not', async () => {
  /** @type {string[]} */
  const closed = [];
  let starts = 0;
  const starting = startProcesses(2, async () => {
    if (++starts === 2) throw new Error('It does not start.');
    const one = await process('process 1');
    return { ...one, close: async () => closed.push(await one.close()) };
  });
  await expect(starting).rejects.toThrow('It does not start.');
  expect(closed).toEqual(['process 1']);
});

/** @param {string} name */
async function process(name) {
  const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return name;
  };
  return { url: `${origin}/mcp`, sse: `${origin}/sse`, close };
}

/** @param {string} url */
async function text(url) {
  return (await fetch(url)).text();
}
