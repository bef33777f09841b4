import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock, settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import { FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { opening, request } from '../../../test/fake-service.js';

const limits = { sessionIdle: 12_000, keepAlive: 1_000 };
const ping = request(1, 'ping');
const progress =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}';

describe('a session in use', () => {
  it('is kept when each request of it arrives at another process', async () => {
    const time = new FakeClock();
    const processes = new FakeProcesses(time);
    const session = await (await processes.process({ limits })).opened();
    for (let count = 0; count < 5; count++) {
      await time.advance(4_000);
      const next = await processes.process({ limits });
      expect((await next.post(ping, session).done()).status).toBe(200);
    }
  });

  it('keeps the stream of a call that has no event for longer than an idle session', async () => {
    const time = new FakeClock();
    const processes = new FakeProcesses(time);
    const [first, second] = [await processes.process({ limits }), await processes.process({ limits })];
    const session = await first.opened();
    let finish = () => {};
    let exchange: Exchange | undefined;
    first.application.play = (value, given) => {
      exchange = given;
      return new Promise((resolve) => (finish = () => resolve(result(value))));
    };
    const call = first.post(request(7, 'tools/call'), session);
    await exchange?.send(progress);
    for (let count = 0; count < 5; count++) {
      await time.advance(4_000);
      await first.clock.advance(4_000);
    }
    call.leave();
    finish();
    await settled();
    const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await resumed.done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: {} }]);
  });
});

describe('a process that starts while the state is away', () => {
  /** Returns a process that has not joined, as its state was away. */
  function early(processes: FakeProcesses): FakeProcess {
    const application = new FakeApplication();
    const { clock, onError } = application;
    const state = processes.memory.open();
    processes.memory.interrupt();
    application.processes = state.join({ clock, onError });
    onTestFinished(() => application.processes?.close());
    return new FakeProcess({}, application);
  }

  const away = {
    status: 503,
    sent: { 'retry-after': '2' },
    json: { error: { code: -31001, message: expect.stringContaining('cannot reach the state') } },
  };

  it('rejects initialize with 503 until the state is there', async () => {
    const processes = new FakeProcesses();
    const process = early(processes);
    expect(await process.post(opening()).done()).toMatchObject(away);
    await process.clock.advance(1_000);
    expect(await process.post(opening()).done()).toMatchObject(away);
    processes.memory.restore();
    await process.clock.advance(1_000);
    expect((await process.post(opening()).done()).status).toBe(200);
    expect(process.service.sessions).toBe(1);
  });

  it('rejects a message of a session of another process with 503 until the state is there', async () => {
    const processes = new FakeProcesses();
    const first = await processes.process();
    const session = await first.opened();
    const process = early(processes);
    expect(await process.post(ping, session).done()).toMatchObject(away);
    processes.memory.restore();
    expect(await process.post(ping, session).done()).toMatchObject(away);
    await process.clock.advance(1_000);
    expect((await process.post(ping, session).done()).status).toBe(200);
  });
});

it('is unknown at the process that deletes it while the state still has its record', async () => {
  const processes = new FakeProcesses();
  const process = await processes.process();
  const session = await process.opened();
  const { kv } = process.application.processes?.state ?? processes.state;
  const erase = kv.delete.bind(kv);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  kv.delete = async (key, expected) => {
    await held;
    return erase(key, expected);
  };
  const deleted = process.delete(session);
  await settled();
  expect(await processes.record(session)).toBeDefined();
  expect((await process.post(ping, session).done()).status).toBe(404);
  release();
  expect((await deleted.done()).status).toBe(204);
  expect(await processes.record(session)).toBeUndefined();
  expect(process.service.sessions).toBe(0);
});
