import { otherBounds } from '@tenon/foundation';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { rig, session } from '../../../test/client-rig.js';

describe('a notification', () => {
  it('fails and releases its socket when the server does not answer in time', async () => {
    const clock = new FakeClock();
    const { server, tell } = await rig(() => {}, { clock });
    const notified = tell('notifications/x').catch((error: unknown) => error);
    const { closed } = await server.call('POST');
    expect(await clock.pass()).toBe(60_000);
    expect(await notified).toMatchObject({
      name: 'TransportError',
      status: undefined,
      message: expect.stringContaining('did not take a message within 60000 ms (limit acceptWaitMs)'),
    });
    await closed;
    expect(clock.waiting).toEqual([]);
  });

  it('fails when the body of its error response does not end in time', async () => {
    const clock = new FakeClock();
    const { server, tell } = await rig(
      (call) => {
        call.response.writeHead(400, { 'content-type': 'text/plain' });
        call.response.write('because');
      },
      { clock, limits: otherBounds({ acceptWaitMs: 5_000 }) },
    );
    const notified = tell('notifications/x').catch((error: unknown) => error);
    await server.call('POST');
    expect(await clock.pass()).toBe(5_000);
    expect(await notified).toMatchObject({ message: expect.stringContaining('within 5000 ms') });
  });

  it.each(['text/event-stream', 'application/json', 'text/plain'])(
    'closes its connection after it was accepted if the %s response does not end',
    async (type) => {
      const clock = new FakeClock();
      const { server, tell } = await rig(
        (call) => {
          call.response.writeHead(200, { 'content-type': type });
          call.response.write(': ');
        },
        { clock },
      );
      await tell('notifications/x');
      const { closed } = await server.call('POST');
      expect(await clock.pass(2_000)).toBe(2_000);
      await closed;
      expect(clock.waiting).toEqual([]);
    },
  );

  it('holds its slot until its answer has ended, which limits connections', async () => {
    const clock = new FakeClock();
    const { server, tell } = await rig(
      (call) => {
        call.response.writeHead(202, { 'content-type': 'text/plain' });
        call.response.write('and');
      },
      { clock, limits: otherBounds({ maxAnswersLeaving: 2 }) },
    );
    const notified = [tell('notifications/1'), tell('notifications/2'), tell('notifications/3')];
    await Promise.all(notified.slice(0, 2));
    // Turns of the event loop in which the third would arrive.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(server.calls).toHaveLength(2);
    await clock.pass(2_000);
    await notified[2];
    expect(server.calls).toHaveLength(3);
  });

  it('leaves no timer after it was accepted', async () => {
    const clock = new FakeClock();
    const { tell } = await rig((call) => call.raw(202), { clock });
    await tell('notifications/x');
    expect(clock.waiting).toEqual([]);
  });
});

describe('a request', () => {
  it('fails after acceptWaitMs when the body of its error response does not end', async () => {
    const clock = new FakeClock();
    const { server, ask } = await rig(
      (call) => {
        call.response.writeHead(500, { 'content-type': 'text/plain' });
        call.response.write('because');
      },
      { clock, limits: otherBounds({ acceptWaitMs: 5_000 }) },
    );
    const asked = ask(1).catch((error: unknown) => error);
    const { closed } = await server.call('POST');
    expect(await clock.pass()).toBe(5_000);
    expect(await asked).toMatchObject({ message: expect.stringContaining('within 5000 ms') });
    await closed;
  });

  it('is not sent when it was answered or cancelled while it waited for a slot', async () => {
    const { connection, server, ask, receiver } = await rig(
      (call) => {
        if (call.message.method === 'stream') call.events();
        else if (call.message.id === 5) call.result();
      },
      { limits: { maxConnections: 1 } },
    );
    const streaming = ask(1, 'stream');
    const stream = await server.call('POST');
    const asked = [ask(2), ask(3), ask(4), ask(5)];
    const holder = await server.call('POST', 2);
    connection.cancel(3);
    for (const id of [4, 1]) stream.event({ jsonrpc: '2.0', id, result: {} });
    stream.end();
    await Promise.all([streaming, asked[1], asked[2]]);
    holder.result();
    await Promise.all(asked);
    expect(receiver.values).toMatchObject([{ id: 4 }, { id: 1 }, { id: 2 }, { id: 5 }]);
    expect(server.calls.map((call) => call.message.id)).toEqual([1, 2, 5]);
  });

  it('closes its connection when it was answered elsewhere and its JSON body does not end', async () => {
    const clock = new FakeClock();
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.message.id === 1) {
          call.response.writeHead(200, { 'content-type': 'application/json' });
          call.response.write(' ');
          return;
        }
        call.events();
        call.event({ jsonrpc: '2.0', id: 1, result: {} });
        call.event({ jsonrpc: '2.0', id: 2, result: {} });
        call.end();
      },
      { clock },
    );
    const first = ask(1);
    const { closed } = await server.call('POST');
    await ask(2);
    await receiver.count(2);
    expect(await clock.pass()).toBe(2_000);
    await Promise.all([first, closed]);
  });

  it('reports the lost session when its stream is resumed', async () => {
    const clock = new FakeClock();
    const { server, receiver, initialize, ask } = await rig(
      session((call) => {
        if (call.method === 'GET') return call.raw(call.headers['last-event-id'] === 'e-1' ? 404 : 405);
        call.events();
        call.event('', { id: 'e-1', retry: 100 });
        return call.end();
      }),
      { clock, revision: revision20251125 },
    );
    await initialize();
    const asked = ask(1).catch((error: unknown) => error);
    await clock.pass(100);
    // The server may have handled it: it must not be repeated automatically.
    expect(await asked).toMatchObject({ name: 'TransportError', status: 404, unhandled: false });
    expect(await receiver.end()).toMatchObject({ status: 404 });
    expect(server.calls.some((call) => call.method === 'DELETE')).toBe(false);
  });

  it('reads its stream for closeWaitMs more after it was cancelled', async () => {
    const clock = new FakeClock();
    const { connection, server, ask, receiver } = await rig(
      (call) => {
        call.events();
        call.event({ jsonrpc: '2.0', method: 'notifications/x' });
      },
      { clock },
    );
    const asked = ask(1);
    const call = await server.call('POST');
    const delivered = async (count: number) => {
      while (receiver.values.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    await delivered(1);
    connection.cancel(1);
    call.event({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await delivered(2);
    expect(receiver.values[1]).toMatchObject({ method: 'notifications/cancelled' });
    expect(await clock.pass()).toBe(2_000);
    await asked;
    await call.closed;
    expect(clock.waiting).toEqual([]);
  });
});
