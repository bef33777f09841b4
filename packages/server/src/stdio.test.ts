import { once } from 'node:events';
import { createServer as createSocketServer, connect as openSocket, type Socket } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { createServer } from './server.js';
import { type ServeStdioOptions, type Serving, serveStdio } from './stdio.js';

const info = { name: 'test', version: '1' };
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let host: ReturnType<typeof createSocketServer>;

beforeEach(async () => {
  host = createSocketServer().listen(0, '127.0.0.1');
  await once(host, 'listening');
});

afterEach(() => host.close());

/** A server at work on one end of a socket, and lines in and out at the other. */
async function served(server = createServer(info), options: ServeStdioOptions = {}) {
  const address = host.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const arrived = once(host, 'connection') as Promise<[Socket]>;
  const socket = openSocket({ port, host: '127.0.0.1' });
  const [stream] = await arrived;
  const serving = await serveStdio(server, { stream, ...options });
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const send = (message: object) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const next = async () => JSON.parse((await lines.next()).value);
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
  });
  expect((await next()).result.serverInfo).toEqual(info);
  send({ method: 'notifications/initialized' });
  return { serving, socket, send, next, lines };
}

const isOver = (serving: Serving) =>
  Promise.race([serving.closed.then(() => true), turn().then(() => false)]);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each socket is a connection of its own to the same server', async () => {
  shows(
    '2026-07-28/basic/transports/index/custom',
    '2026-07-28/basic/transports/index/custom-preserves',
    '2026-07-28/basic/transports/index/custom-stdio-framing',
  );
  const server = createServer(info).tool('who', {}, (_, ctx) => String(ctx.meta('who')));
  const [left, right] = [await served(server), await served(server)];
  for (const [peer, who] of [
    [left, 'left'],
    [right, 'right'],
  ] as const) {
    peer.send({ id: 1, method: 'tools/call', params: { name: 'who', _meta: { who } } });
    expect((await peer.next()).result.content[0].text).toBe(who);
  }
  left.socket.end();
  await left.serving.closed;
  expect(await isOver(right.serving)).toBe(false);
  right.send({ id: 2, method: 'ping' });
  expect((await right.next()).id).toBe(2);
  await server.close();
  await right.serving.closed;
  expect((await right.lines.next()).done).toBe(true);
});

test('a peer that ends its input still gets the answers under way', async () => {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { serving, socket, send, next, lines } = await served(
    createServer(info).tool('slow', {}, () => gone.then(() => 'done')),
  );
  send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
  socket.end();
  await turn();
  letGo();
  expect((await next()).result.content[0].text).toBe('done');
  await serving.closed;
  expect((await lines.next()).done).toBe(true);
});

test('close waits for calls in flight, then ends the stream', async () => {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { serving, send, next, lines } = await served(
    createServer(info).tool('slow', {}, () => gone.then(() => 'done')),
  );
  send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
  send({ id: 2, method: 'ping' });
  expect((await next()).id).toBe(2);
  const closing = serving.close();
  expect(await isOver(serving)).toBe(false);
  letGo();
  expect((await next()).result.content[0].text).toBe('done');
  await closing;
  await serving.closed;
  expect((await lines.next()).done).toBe(true);
});

test('signals are heard where that is asked for, for as long as it serves', async () => {
  const count = () => signals.map((signal) => process.listenerCount(signal));
  const before = count();
  const unasked = await served();
  expect(count()).toEqual(before);
  const asked = await served(createServer(info), { handleSignals: true });
  expect(count()).toEqual(before.map((listeners) => listeners + 1));
  await asked.serving.close();
  expect(count()).toEqual(before);
  await unasked.serving.close();
});

test('a server of sockets survives the suspensions that authors combine, and listens for them once', async () => {
  const ours = () => process.listenerCount('unhandledRejection');
  await (await served()).serving.close();
  const once = ours();
  expect(once).toBeGreaterThan(0);
  await (await served()).serving.close();
  expect(ours()).toBe(once);
});

test('a call that reacts to its signal lets the server close at once, and is answered', async () => {
  const server = createServer(info).tool('wait', {}, (_, ctx) => {
    ctx.progress(1);
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
    });
  });
  // Far more time than a test has: it is not waited for.
  const { serving, send, next } = await served(server, { stopWithin: 600_000 });
  send({ id: 1, method: 'tools/call', params: { name: 'wait', _meta: { progressToken: 1 } } });
  expect((await next()).method).toBe('notifications/progress');
  const closing = serving.close();
  expect(await next()).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: 'This end is closing, and the call was stopped.' }] },
  });
  await closing;
});

test.each([-1, Number.NaN])('refuses %s for stopWithin', async (stopWithin) => {
  await expect(serveStdio(createServer(info), { stopWithin })).rejects.toThrow('stopWithin');
});
