import { otherBounds } from '@tenon/foundation';
import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import type { FakeCall } from '../../../test/fake-call.js';
import { type FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { request } from '../../../test/fake-service.js';
import type { HttpOptions } from '../http-options.js';

const ping = request(1, 'ping');
const progress = (n: number) => JSON.stringify({ jsonrpc: '2.0', method: 'progress', params: { n } });
const numbersOf = (call: FakeCall) => call.messages.map(({ id, params }) => id ?? params?.n);

/** Two processes with a session that the first one opened. */
async function pair(options: HttpOptions = {}, revision = '2025-11-25') {
  const processes = new FakeProcesses();
  const [first, second] = [await processes.process(options), await processes.process(options)];
  const session = await first.opened(revision);
  await second.post(ping, session).done();
  return { processes, first, second, session };
}

/** Starts a call at a process, which a test continues. */
function calling(host: FakeProcess, session: Readonly<Record<string, string>>, id = 7) {
  let exchange: Exchange | undefined;
  let finish = (_?: string) => {};
  host.application.play = (value, given) => {
    exchange = given;
    return new Promise((resolve) => (finish = (frame = result(value)) => resolve(frame)));
  };
  const call = host.post(request(id, 'tools/call'), session);
  return {
    call,
    async send(n: number) {
      void exchange?.send(progress(n));
      await settled();
    },
    async finish() {
      finish();
      await settled();
    },
    lastId: () => call.events.at(-1)?.id as string,
  };
}

/** Waits until the process that a message was sent to is taken for gone. */
async function patience(host: FakeProcess) {
  await host.clock.armed(2_000);
  await host.clock.advance(2_000);
}

describe('messages that belong to no request', () => {
  it('reach the GET at another process, from any process, in one order', async () => {
    const { first, second, session } = await pair();
    const stream = second.get(session);
    await settled();
    first.application.last.tell('x', { n: 1 });
    await settled();
    second.application.last.tell('x', { n: 2 });
    await settled();
    expect(numbersOf(stream)).toEqual([1, 2]);
    expect(stream.events.map(({ id }) => id)).toEqual(['out.0', 'out.1', 'out.2']);
  });

  it('wait for a GET anywhere', async () => {
    const { first, second, session } = await pair();
    first.application.last.tell('x', { n: 1 });
    second.application.last.tell('x', { n: 2 });
    await settled();
    const stream = second.get(session);
    await settled();
    expect(numbersOf(stream)).toEqual([1, 2]);
  });

  it('are resumed at another process after the last one received', async () => {
    const { first, second, session } = await pair();
    const here = first.get(session);
    await settled();
    for (const n of [1, 2, 3]) first.application.last.tell('x', { n });
    await settled();
    const there = second.get({ ...session, 'last-event-id': here.events[1]?.id as string });
    await settled();
    expect(here.closed).toBe(true);
    expect(numbersOf(there)).toEqual([2, 3]);
  });

  it('are not sent again to a GET without an id', async () => {
    const { first, second, session } = await pair();
    const here = first.get(session);
    await settled();
    first.application.last.tell('x', { n: 1 });
    await settled();
    here.leave();
    await settled();
    first.application.last.tell('x', { n: 2 });
    await settled();
    const there = second.get(session);
    await settled();
    expect(numbersOf(there)).toEqual([2]);
  });

  it('are not sent again to a second GET at the same process', async () => {
    const { first, session } = await pair();
    const earlier = first.get(session);
    await settled();
    first.application.last.tell('x', { n: 1 });
    await settled();
    const later = first.get(session);
    await settled();
    first.application.last.tell('x', { n: 2 });
    await settled();
    expect(earlier.closed).toBe(true);
    expect([numbersOf(earlier), numbersOf(later)]).toEqual([[1], [2]]);
  });

  it('arrive after a gap on the bus', async () => {
    const { processes, second, session } = await pair();
    const stream = second.get(session);
    await settled();
    // Appended while the second process receives no messages.
    await processes.state.log.append(`session/${session['mcp-session-id']}/out`, `\n${progress(5)}`);
    expect(numbersOf(stream)).toEqual([]);
    processes.memory.interrupt();
    processes.memory.restore();
    await settled();
    expect(numbersOf(stream)).toEqual([5]);
  });

  it('are announced as missed when the GET moves to another process, and only then', async () => {
    const { first, second, session } = await pair();
    first.get(session);
    await settled();
    expect(first.application.last.misses).toBe(0);
    expect(second.application.last.connection.shared?.isServedElsewhere).toBe(true);
    second.get(session);
    await settled();
    expect(second.application.last.misses).toBe(1);
    const served = [first, second].map(
      ({ application }) => application.last.connection.shared?.isServedElsewhere,
    );
    expect(served).toEqual([true, false]);
    second.get(session);
    await settled();
    expect(second.application.last.misses).toBe(1);
  });

  it('arrive at one of two GETs that open at two processes at the same time', async () => {
    const { first, second, session } = await pair();
    const streams = [first.get(session), second.get(session)];
    await settled();
    const open = streams.filter(({ closed }) => !closed);
    expect(open).toHaveLength(1);
    const hosts = [first, second].filter(({ application }) => {
      return application.last.connection.shared?.isServedElsewhere === false;
    });
    expect(hosts).toHaveLength(1);
    hosts[0]?.application.last.tell('x', { n: 1 });
    await settled();
    expect(numbersOf(open[0] as FakeCall)).toEqual([1]);
  });

  it('stay on the GET when an earlier claim is announced late', async () => {
    const { processes, first, second, session } = await pair();
    first.get(session);
    await settled();
    const stream = second.get(session);
    await settled();
    const body = { session: session['mcp-session-id'], count: 1 };
    const late = { kind: 'session/home', from: first.id, body };
    await processes.state.bus.publish('cluster/nodes', JSON.stringify(late));
    await settled();
    expect(stream.closed).toBe(false);
  });

  it('leave the GET of a process that did not learn of the next claim, after a gap on the bus', async () => {
    const { processes, first, second, session } = await pair();
    const stream = first.get(session);
    await settled();
    const record = await processes.record(session);
    await processes.write(session, { ...record, home: { count: 2, position: 0 } });
    processes.memory.interrupt();
    processes.memory.restore();
    await settled();
    expect(stream.closed).toBe(true);
    expect(second.application.last.isClosed).toBe(false);
  });

  it('are not sent again to a GET without an id when the process of the earlier GET died, except the newest', async () => {
    const { first, second, session } = await pair({ limits: { keepAlive: 1_000 } });
    first.get(session);
    await settled();
    first.application.last.tell('x', { n: 1 });
    await first.clock.advance(1_000);
    first.application.last.tell('x', { n: 2 });
    await settled();
    await first.kill();
    const there = second.get(session);
    await settled();
    expect(numbersOf(there)).toEqual([2]);
  });

  it('are kept alive by comments', async () => {
    const { first, session } = await pair({ limits: { keepAlive: 1_000 } });
    const stream = first.get(session);
    await first.clock.advance(2_000);
    expect(stream.events.some((event) => event.comment)).toBe(true);
  });
});

describe('the stream of a POST', () => {
  it('has ids that name its process, and is resumed there', async () => {
    const { first, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    await running.send(2);
    expect(running.call.events.map(({ id }) => id)).toEqual([1, 2, 3].map((n) => `${first.id}.1.${n}`));
    running.call.leave();
    await running.send(3);
    const resumed = first.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await settled();
    expect(numbersOf(resumed)).toEqual([2, 3]);
    await running.finish();
    expect(numbersOf(resumed)).toEqual([2, 3, 7]);
    expect(resumed.closed).toBe(true);
  });

  it('is resumed at another process while its call runs, without a gap', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    running.call.leave();
    await running.send(2);
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await running.send(3);
    await settled();
    await running.send(4);
    await running.finish();
    expect(numbersOf(resumed)).toEqual([2, 3, 4, 7]);
    expect(resumed.events.map(({ id }) => id)).toEqual([3, 4, 5, 6].map((n) => `${first.id}.1.${n}`));
    expect(resumed.closed).toBe(true);
  });

  it('leaves a connection that its process believes to be open', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await settled();
    expect(running.call.closed).toBe(true);
    await running.finish();
    expect(numbersOf(resumed)).toEqual([7]);
  });

  it('is replayed at another process after its answer', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    running.call.leave();
    await running.finish();
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await settled();
    expect(numbersOf(resumed)).toEqual([7]);
    expect(resumed.closed).toBe(true);
  });

  it('ends with an error for each request when its process is gone', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    running.call.leave();
    await first.kill();
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await patience(second);
    await settled();
    expect(resumed.messages).toMatchObject([{ id: 7, error: { code: -32603 } }]);
    expect(resumed.closed).toBe(true);
    const again = second.get({ ...session, 'last-event-id': running.lastId() });
    await patience(second);
    await settled();
    expect(again.messages).toEqual(resumed.messages);
  });

  it('leaves no timer when its client disconnects', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await settled();
    expect(second.clock.waiting).toContain(3_000);
    resumed.leave();
    expect(second.clock.waiting).not.toContain(3_000);
  });

  it('ends with an error when its process goes while another one follows it', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    running.call.leave();
    const resumed = second.get({ ...session, 'last-event-id': running.lastId() });
    await settled();
    await first.kill();
    await second.clock.advance(3_000);
    await patience(second);
    await settled();
    expect(resumed.messages).toMatchObject([{ id: 7, error: { code: -32603 } }]);
  });

  it.each(['with', 'without'])(
    'has one answer when its process %s a connection was slow, and ends the call later',
    async (connected) => {
      const { first, second, session } = await pair();
      const running = calling(first, session);
      await running.send(1);
      if (connected === 'without') running.call.leave();
      const headers = { ...session, 'last-event-id': running.lastId() };
      await first.kill();
      const resumed = second.get(headers);
      await patience(second);
      await resumed.done();
      await running.finish();
      await running.send(2);
      expect(numbersOf(running.call)).toEqual([1]);
      expect(running.call.closed).toBe(true);
      const again = second.get(headers);
      await patience(second);
      await again.done();
      for (const call of [resumed, again])
        expect(call.messages).toMatchObject([{ id: 7, error: { code: -32603 } }]);
    },
  );

  it('has a number of its own when its process serves the session a second time', async () => {
    const limits = { sessionIdle: 10_000, keepAlive: 1_000, ...otherBounds({ answeredStream: 60_000 }) };
    const { first, second, session } = await pair({ limits });
    const before = calling(first, session);
    await before.send(1);
    await before.finish();
    for (let time = 0; time < 3; time++) {
      await first.clock.advance(4_000);
      await second.clock.advance(4_000);
      await second.post(ping, session).done();
    }
    expect(first.service.sessions).toBe(0);
    const after = calling(first, session, 8);
    await settled();
    await after.send(2);
    await after.finish();
    expect(after.call.messages).toMatchObject([{ params: { n: 2 } }, { id: 8 }]);
    const resumed = first.get({ ...session, 'last-event-id': after.call.events[0]?.id as string });
    await resumed.done();
    expect(resumed.messages).toEqual(after.call.messages);
  });

  it.each(['out.x', '0.1', 'abcdefghijkl.1.1', 'ABCDEFGHIJKL.1.1', `out.${'9'.repeat(16)}`, '../../x'])(
    'is refused for the id %s',
    async (id) => {
      const { second, session } = await pair();
      const call = second.get({ ...session, 'last-event-id': id });
      expect((await call.done()).status).toBe(400);
    },
  );

  it('is not reported as lost by a process that drains while it looks for the stream', async () => {
    const { first, second, session } = await pair();
    const { call, send, lastId } = calling(first, session);
    await send(1);
    call.leave();
    const id = lastId();
    const there = second.get({ ...session, 'last-event-id': id });
    await second.service.drain();
    await there.done();
    // The client requests the rest again: the proxy deals that to another process.
    expect([there.status, there.text]).toEqual([200, `id: ${id}\nretry: 1000\ndata: \n\n`]);
  });

  it('of another session is refused', async () => {
    const { first, second, session } = await pair();
    const running = calling(first, session);
    await running.send(1);
    const other = await second.opened();
    const call = second.get({ ...other, 'last-event-id': running.lastId() });
    await settled();
    expect((await call.done()).status).toBe(400);
    expect(running.call.closed).toBe(false);
  });

  it('has no line that another program wrote into the state', async () => {
    const { processes, first, session } = await pair();
    const key = `session/${session['mcp-session-id']}/out`;
    await processes.state.log.append(key, '\n{}\n\ndata: {"forged":1}');
    const stream = first.get(session);
    await settled();
    expect(stream.text).not.toContain('forged');
    expect(first.errors).toMatchObject([{ where: 'state', error: { name: 'TypeError' } }]);
  });
});
