import { once } from 'node:events';
import process from 'node:process';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { result } from '../../test/fake-application.js';
import { listening } from '../../test/fake-listening.js';
import { opening, request, stateless } from '../../test/fake-service.js';
import { post } from '../../test/raw-http.js';

const ask = (id: number) => {
  const [value, headers] = stateless(id);
  return post(JSON.stringify(value), headers);
};

it('drain answers 503 at /readyz and rejects requests, and keeps the port open', async () => {
  const { serving, open } = await listening();
  const client = await open();
  await serving.drain();
  client.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
  client.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const checks = await client.count(2);
  expect(checks.map(({ status }) => status)).toEqual([503, 200]);
  const [refused] = await (await open()).write(ask(1)).count(1);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5', connection: 'close' } });
});

it('drain serves requests as before for drainDelay, while /readyz answers 503', async () => {
  const clock = new FakeClock();
  const { serving, open } = await listening({ clock, drainDelay: 2_000 });
  const drained = serving.drain();
  const client = await open();
  client.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
  client.write(ask(1));
  expect((await client.count(2)).map(({ status }) => status)).toEqual([503, 200]);
  await clock.advance(1_999);
  expect((await (await open()).write(ask(2)).count(1))[0]).toMatchObject({ status: 200 });
  await clock.advance(1);
  await drained;
  expect((await (await open()).write(ask(3)).count(1))[0]).toMatchObject({ status: 503 });
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('rejects a drainDelay of %s', async (drainDelay) => {
  await expect(listening({ drainDelay })).rejects.toThrow('drainDelay must be a number of milliseconds');
});

it('close lets running requests finish, then closes every connection and the port', async () => {
  const finish: (() => void)[] = [];
  const { serving, open } = await listening(
    { limits: { drain: 5_000 } },
    (value) => new Promise((resolve) => finish.push(() => resolve(result(value, { done: true })))),
  );
  const idle = await open();
  await idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n').count(1);
  const client = await open();
  client.write(ask(1));
  while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
  let closed = false;
  const closing = Promise.all([serving.close(), serving.close()]).then(() => {
    closed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  finish[0]?.();
  expect((await client.count(1))[0]).toMatchObject({ status: 200 });
  await Promise.all([client.end(), idle.end()]);
  await closing;
  await expect(open()).rejects.toThrow(/ECONNREFUSED/);
  await serving.close();
});

it('close does not cut off an answer that is still being sent', async () => {
  const large = 'x'.repeat(24 * 1_048_576);
  const finish: (() => void)[] = [];
  const { serving, open } = await listening(
    { limits: { drain: 5_000 } },
    (value) => new Promise((resolve) => finish.push(() => resolve(result(value, { large })))),
  );
  const client = await open();
  client.socket.pause();
  client.write(ask(1));
  while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
  finish[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  const closing = serving.close();
  client.socket.resume();
  await client.end();
  await closing;
  expect(client.responses[0]?.body.length).toBeGreaterThan(large.length);
});

it('close does not wait for a client that does not read', async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { serving, open } = await listening({ limits: { drain: 50 } }, (value) => {
    begin();
    return result(value, { large: 'x'.repeat(24 * 1_048_576) });
  });
  const client = await open();
  client.socket.pause();
  client.write(ask(1));
  await begun;
  await serving.close();
  expect(client.socket.bytesRead).toBeLessThan(1_048_576);
  client.socket.destroy();
});

it('close answers a request that arrives on a connection which was accepted while the server drained', async () => {
  const finish: (() => void)[] = [];
  const { serving, open } = await listening(
    { clock: new FakeClock() },
    (value) => new Promise((resolve) => finish.push(() => resolve(result(value)))),
  );
  const client = await open();
  client.write(ask(1));
  while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closing = serving.close();
  const late = await open();
  finish[0]?.();
  await client.count(1);
  const portIsOpen = async () => {
    const probe = await open().catch(() => undefined);
    // The server would wait for the request of this connection too.
    probe?.socket.destroy();
    return probe !== undefined;
  };
  while (await portIsOpen()) await new Promise((resolve) => setImmediate(resolve));
  expect((await late.write(ask(2)).count(1))[0]).toMatchObject({ status: 503 });
  await closing;
});

it('close waits half a second for the request of a connection that was accepted while the server drained', async () => {
  const clock = new FakeClock();
  const { serving, open } = await listening({ clock });
  const closing = serving.close();
  const idle = await open();
  await clock.armed(500);
  await clock.advance(500);
  await Promise.all([closing, idle.end()]);
});

it('close ends streams in good order', async () => {
  const { serving, open } = await listening({}, (value, exchange) => {
    void exchange.send('{"listening":true}');
    return new Promise((resolve) => exchange.onEnding?.(() => resolve(result(value, { ended: true }))));
  });
  const listener = await open();
  listener.write(ask(1));
  await listener.until(() => listener.text.includes('listening'));
  const client = await open();
  const [opened] = await client.write(post(JSON.stringify(opening()))).count(1);
  const id = opened?.headers['mcp-session-id'];
  const stream = await open();
  stream.write(`GET /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: ${id}\r\n\r\n`);
  await stream.until(() => stream.text.includes('0.0'));
  await serving.close();
  await Promise.all([listener.end(), stream.end()]);
  expect(listener.responses[0]?.body).toContain('"ended":true');
  expect(stream.responses).toHaveLength(1);
});

it('close cancels requests that do not finish in time', async () => {
  const signals: AbortSignal[] = [];
  const { serving, open } = await listening({ limits: { drain: 50 } }, (_value, exchange) => {
    signals.push(exchange.signal as AbortSignal);
    return new Promise(() => undefined);
  });
  const client = await open();
  client.write(ask(1));
  while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await serving.close();
  expect(signals[0]?.aborted).toBe(true);
  await client.end();
  expect(client.responses[0]?.status).toBe(500);
});

it('cancels a stateless request when its client disconnects, but not a request of a session', async () => {
  shows('2026-07-28/basic/transports/streamable-http/stop-work');
  const exchanges: { readonly gone?: boolean }[] = [];
  const finish: (() => void)[] = [];
  const { open } = await listening({}, (value, exchange) => {
    exchanges.push(exchange);
    return new Promise((resolve) => finish.push(() => resolve(result(value))));
  });
  const first = await open();
  const [opened] = await first.write(post(JSON.stringify(opening()))).count(1);
  const id = opened?.headers['mcp-session-id'] as string;
  first.write(post(JSON.stringify(request(1, 'x')), { 'mcp-session-id': id }));
  const second = await open();
  second.write(ask(2));
  while (exchanges.length < 2) await new Promise((resolve) => setImmediate(resolve));
  first.socket.resetAndDestroy();
  second.socket.destroy();
  while (!exchanges.some((one) => one.gone)) await new Promise((resolve) => setImmediate(resolve));
  expect(exchanges.map((one) => one.gone)).toEqual([false, true]);
  for (const end of finish) end();
});

/** Counts the resources of each type that keep the process running. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  counts.delete('Immediate');
  return counts;
}

it('close releases all resources', async () => {
  const before = resources();
  const { serving, open } = await listening();
  const clients = await Promise.all(Array.from({ length: 20 }, open));
  await Promise.all(clients.map((client, id) => client.write(ask(id)).count(1)));
  const opened = await clients[0]?.write(post(JSON.stringify(opening()))).count(2);
  expect(opened?.[1]?.status).toBe(200);
  await serving.close();
  for (const client of clients) {
    client.socket.destroy();
    if (!client.ended) await once(client.socket, 'close');
  }
  for (const [kind, count] of resources()) {
    expect(`${kind}: ${Math.max(0, count - (before.get(kind) ?? 0))} more`).toBe(`${kind}: 0 more`);
  }
});
