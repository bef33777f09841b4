import { otherBounds } from '@tenon/foundation';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, vi } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { rig, session } from '../../../test/client-rig.js';

const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

describe('the stream beside a session', () => {
  it('is requested after the first accepted message, and delivers messages', async () => {
    shows('2025-03-26/streamable-http/get');
    const { server, receiver, initialize, ask } = await rig(
      session((call) => {
        if (call.method !== 'GET') return call.result();
        call.events();
        return call.event(notice);
      }),
    );
    await ask(0, 'initialize', { opening: true });
    expect(server.calls).toHaveLength(1);
    await initialize();
    await receiver.until(() => receiver.values.some((value) => (value as { method?: string }).method));
    expect((await server.call('GET')).headers['last-event-id']).toBeUndefined();
  });

  it('is not requested in stateless revisions', async () => {
    const { server, ask } = await rig((call) => call.result(), { revision: revision20260728 });
    await ask(1);
    await ask(2);
    expect(server.calls.every((call) => call.method === 'POST')).toBe(true);
  });

  it.each([405, 404, 401, 200])('is optional when the server answers %i', async (status) => {
    const clock = new FakeClock();
    const { server, receiver, initialize, ask } = await rig(
      session((call) => (call.method === 'GET' ? call.raw(status) : call.result())),
      { clock },
    );
    await initialize();
    await (await server.call('GET')).closed;
    await ask(1);
    expect(clock.waiting).toEqual([]);
    expect(receiver.ends).toEqual([]);
  });

  // A proxy may have answered, so it is requested again; but the session does not depend on it.
  it.each([400, 429, 501, 503])('is optional when the server keeps answering %i', async (status) => {
    const clock = new FakeClock();
    const { server, receiver, initialize, ask } = await rig(
      session((call) => (call.method === 'GET' ? call.raw(status) : call.result())),
      { clock, limits: otherBounds({ maxReconnects: 2 }) },
    );
    await initialize();
    await clock.pass();
    await clock.pass();
    await (await server.call('GET', 3)).closed;
    await ask(1);
    expect(clock.waiting).toEqual([]);
    expect(receiver.ends).toEqual([]);
  });

  it('keeps the process alive while it waits to reconnect', async () => {
    const clock = new FakeClock();
    const schedule = vi.spyOn(clock, 'schedule');
    const { server, initialize } = await rig(
      session((call) => {
        call.events();
        call.end();
      }),
      { clock },
    );
    await initialize();
    await (await server.call('GET')).closed;
    while (clock.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(schedule).toHaveBeenLastCalledWith(expect.any(Function), expect.any(Number), true);
  });

  it('resumes after its last event', async () => {
    const clock = new FakeClock();
    const { server, receiver, initialize } = await rig(
      session((call) => {
        call.events();
        const after = Number(call.headers['last-event-id'] ?? 0);
        call.event({ ...notice, params: { after } }, { id: after + 1 });
        if (after < 2) call.end();
      }),
      { clock, random: () => 1 },
    );
    await initialize();
    expect(await clock.pass()).toBe(500);
    expect(await clock.pass()).toBe(500);
    await server.call('GET', 3);
    await receiver.count(4);
    const received = receiver.values.slice(1) as { params: { after: number } }[];
    expect(received.map(({ params }) => params.after)).toEqual([0, 1, 2]);
  });

  it('ends the connection and the session when it cannot be resumed', async () => {
    const clock = new FakeClock();
    let count = 0;
    const { server, receiver, initialize } = await rig(
      session((call) => {
        if (++count > 1) return call.reset();
        call.events();
        return call.end();
      }),
      { clock, limits: otherBounds({ maxReconnects: 2 }) },
    );
    await initialize();
    for (let step = 0; step < 3; step++) await clock.pass();
    expect(await receiver.end()).toMatchObject({
      name: 'TransportError',
      message: expect.stringContaining('2 attempts did not bring it back'),
    });
    await server.call('DELETE');
    expect(receiver.ends).toHaveLength(1);
  });

  it('counts connections without messages as failed attempts', async () => {
    const clock = new FakeClock();
    const { receiver, initialize } = await rig(
      session((call) => {
        call.events();
        call.response.write(': hello\n\n');
        call.end();
      }),
      { clock, limits: otherBounds({ maxEmptyStreams: 2 }) },
    );
    await initialize();
    await clock.pass();
    await clock.pass();
    expect(await receiver.end()).toMatchObject({ name: 'TransportError' });
  });

  it('counts no failed attempt while its connections stay open long enough', async () => {
    const clock = new FakeClock();
    const { server, receiver, initialize } = await rig(
      session((call) => call.events()),
      { clock, limits: otherBounds({ maxEmptyStreams: 1 }) },
    );
    await initialize();
    for (let number = 1; number < 5; number++) {
      const call = await server.call('GET', number);
      clock.stall(31_000);
      call.end();
      await clock.pass();
    }
    await server.call('GET', 5);
    expect(receiver.ends).toEqual([]);
  });

  it('ends the connection when the server refuses it later', async () => {
    const clock = new FakeClock();
    let count = 0;
    const { receiver, initialize } = await rig(
      session((call) => {
        if (++count > 1) return call.raw(401);
        call.events();
        return call.end();
      }),
      { clock },
    );
    await initialize();
    await clock.pass();
    expect(await receiver.end()).toMatchObject({ status: 401 });
  });

  it('reports a lost session when it is answered 404 later', async () => {
    const clock = new FakeClock();
    let count = 0;
    const { receiver, initialize, server } = await rig(
      session((call) => {
        if (++count > 1) return call.raw(404);
        call.events();
        return call.end();
      }),
      { clock },
    );
    await initialize();
    await clock.pass();
    expect(await receiver.end()).toMatchObject({ status: 404 });
    expect(server.calls.some((call) => call.method === 'DELETE')).toBe(false);
  });
});
