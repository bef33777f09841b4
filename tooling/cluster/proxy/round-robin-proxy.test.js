import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { cutPath, RoundRobinProxy } from './round-robin-proxy.js';

// No test waits for a look at the health of a node.
const healthInterval = 3_600_000;
/** @type {(() => Promise<unknown>)[]} */
const closing = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

test('deals requests to the nodes in turn', async () => {
  const { url } = await proxied(await node('a'), await node('b'));
  const answers = [await text(url), await text(url), await text(url), await text(url)];
  expect(answers.sort()).toEqual(['a', 'a', 'b', 'b']);
});

test('deals a request again when its node refuses the connection', async () => {
  const gone = await node('gone');
  await gone.close();
  const { url, proxy } = await proxied(gone, await node('b'));
  expect([await text(url), await text(url)]).toEqual(['b', 'b']);
  expect(proxy.counts.again).toBe(1);
});

test('answers 502 when a node breaks the connection after the request was sent', async () => {
  let received = 0;
  const breaking = await node('breaking', (request) => {
    received++;
    request.destroy();
  });
  const { url, proxy } = await proxied(breaking);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(502);
  expect([received, proxy.counts.again]).toEqual([1, 0]);
});

test('answers 503 without a node', async () => {
  const { url, proxy } = await proxied();
  expect((await fetch(url)).status).toBe(503);
  expect(proxy.counts.noNode).toBe(1);
});

test('passes the body, the headers and the status', async () => {
  const echo = await node('echo', (request, response) => {
    response.writeHead(418, { 'x-path': `${request.method} ${request.url}` });
    request.pipe(response);
  });
  const { url } = await proxied(echo);
  const answer = await fetch(`${url}/mcp?x`, { method: 'POST', body: 'y'.repeat(100_000) });
  expect([answer.status, answer.headers.get('x-path')]).toEqual([418, 'POST /mcp?x']);
  expect((await answer.text()).length).toBe(100_000);
});

test('passes events as they come, and cuts the streams of one caller', async () => {
  const events = await node('events', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const { url, proxy } = await proxied(events);
  const [mine, other] = [await stream(url, 'mine'), await stream(url, 'other')];
  const cut = await fetch(url + cutPath, { headers: { 'x-caller': 'mine' } });
  expect(await cut.text()).toBe('1');
  await expect(mine.read()).rejects.toThrow();
  expect(proxy.counts.cuts).toBe(1);
  await other.cancel();
});

/**
 * @param {string} url
 * @param {string} caller
 */
async function stream(url, caller) {
  const { body } = await fetch(url, { headers: { 'x-caller': caller } });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n');
  return reader;
}

/** @param {string} url */
async function text(url) {
  return (await fetch(url)).text();
}

/**
 * @param {string} name
 * @param {import('node:http').RequestListener} [listener]
 */
async function node(name, listener = (_, response) => response.end(name)) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  closing.push(close);
  return { port: /** @type {import('node:net').AddressInfo} */ (server.address()).port, close };
}

/** @param {{ port: number }[]} nodes */
async function proxied(...nodes) {
  const proxy = new RoundRobinProxy(healthInterval);
  for (const { port } of nodes) proxy.add(port);
  closing.push(() => proxy.close());
  return { proxy, url: `http://127.0.0.1:${await proxy.listen()}` };
}
