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

test('leaves out a node that is not ready', async () => {
  const { url, until } = await watched({ '/readyz': 503 });
  // The second look follows the end of the first one.
  await until((looks) => looks.a >= 2);
  expect([await text(url), await text(url), await text(url)]).toEqual(['b', 'b', 'b']);
});

test('waits for the answer of a slow node, which stays ready', async () => {
  const { url, until, looks } = await watched({ '/readyz': undefined });
  await until(({ b }) => b >= 5);
  expect(looks.a).toBe(1);
  expect([await text(url), await text(url)].sort()).toEqual(['a', 'b']);
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

/**
 * A node `a` with this status at `/readyz`, undefined for no answer, and a node `b` that is ready. `until` resolves after a look that
 * fulfils the condition.
 *
 * @param {{ '/readyz': number | undefined }} statuses
 */
async function watched({ '/readyz': status }) {
  const looks = { a: 0, b: 0 };
  let check = () => {};
  const listener = (/** @type {'a' | 'b'} */ name, /** @type {number | undefined} */ status) =>
    /** @type {import('node:http').RequestListener} */ (
      (request, response) => {
        if (request.url !== '/readyz') response.end(name);
        else {
          looks[name]++;
          if (status !== undefined) response.writeHead(status).end();
          check();
        }
      }
    );
  const proxy = new RoundRobinProxy(1);
  for (const { port } of [await node('a', listener('a', status)), await node('b', listener('b', 200))])
    proxy.add(port);
  closing.push(() => proxy.close());
  const until = (/** @type {(seen: typeof looks) => boolean} */ condition) =>
    new Promise((resolve) => {
      check = () => {
        if (condition(looks)) resolve(undefined);
      };
    });
  const seen = { looks, until };
  return { ...seen, url: `http://127.0.0.1:${await proxy.listen()}` };
}

/** @param {{ port: number }[]} nodes */
async function proxied(...nodes) {
  const proxy = new RoundRobinProxy(healthInterval);
  for (const { port } of nodes) proxy.add(port);
  closing.push(() => proxy.close());
  return { proxy, url: `http://127.0.0.1:${await proxy.listen()}` };
}
