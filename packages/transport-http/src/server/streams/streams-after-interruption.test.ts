import { StateError } from '@tenon/mcp-state';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import type { FakeCall } from '../../../test/fake-call.js';
import { type FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { request } from '../../../test/fake-service.js';

/** A call at the first process, and functions that resume its stream at the second one. */
async function running() {
  const processes = new FakeProcesses();
  const [first, second] = [await processes.process(), await processes.process()];
  const session = await first.opened();
  await second.post(request(1, 'ping'), session).done();
  let finish = () => {};
  let send = () => {};
  first.application.play = (value, exchange) => {
    send = () => void exchange.send('{"jsonrpc":"2.0","method":"progress"}');
    void exchange.send('{"jsonrpc":"2.0","method":"progress"}');
    return new Promise((resolve) => {
      finish = () => resolve(result(value));
    });
  };
  const call = first.post(request(7, 'tools/call'), session);
  await settled();
  return {
    ...{ processes, first, second, session, call },
    resume: () => second.get({ ...session, 'last-event-id': `${first.id}.1.2` }),
    finish: async () => {
      finish();
      await settled();
    },
    send: async () => {
      send();
      await settled();
    },
    restart: async () => {
      processes.memory.interrupt();
      processes.memory.restore();
      await settled();
    },
  };
}

/** Advances the clock of a process in small steps. */
async function pass({ clock }: FakeProcess, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
}

const seen = (call: FakeCall) => [call.status, call.closed, call.messages] as unknown;
const lostAnswer = [200, true, [{ id: 7, error: { code: -32603 } }]];

describe('the stream of a POST when the state was interrupted', () => {
  it('ends with an error when its process has died before', async () => {
    const { first, second, resume, restart } = await running();
    await first.kill();
    await restart();
    const resumed = resume();
    await pass(second, 15_000);
    expect(seen(resumed)).toMatchObject(lostAnswer);
  });

  it('ends with an error when its process dies while another one follows it', async () => {
    const { first, second, resume, restart } = await running();
    const resumed = resume();
    await settled();
    await restart();
    await first.kill();
    await pass(second, 20_000);
    expect(seen(resumed)).toMatchObject(lostAnswer);
  });

  it('ends with an error when its process dies during the interruption', async () => {
    const { processes, first, second, resume } = await running();
    const resumed = resume();
    await settled();
    processes.memory.interrupt();
    await first.kill();
    await pass(second, 6_000);
    processes.memory.restore();
    await pass(second, 20_000);
    expect(seen(resumed)).toMatchObject(lostAnswer);
  });

  it('is resumed when the state is back', async () => {
    const { processes, second, resume, finish } = await running();
    processes.memory.interrupt();
    const resumed = resume();
    await pass(second, 2_000);
    expect(resumed.status).toBeUndefined();
    processes.memory.restore();
    await pass(second, 2_000);
    await finish();
    expect(seen(resumed)).toMatchObject([200, true, [{ id: 7, result: {} }]]);
  });

  it('has its answer when the call ended without a connection while the state was away', async () => {
    const { processes, call, first, second, resume, finish } = await running();
    call.leave();
    processes.memory.interrupt();
    await finish();
    await pass(first, 3_000);
    processes.memory.restore();
    await pass(first, 1_000);
    const resumed = resume();
    await pass(second, 1_000);
    expect(seen(resumed)).toMatchObject([200, true, [{ id: 7, result: {} }]]);
  });

  it('ends with an error when its process has died before the state stored what it had sent', async () => {
    const { processes, first, second, session, send } = await running();
    processes.memory.interrupt();
    for (let count = 0; count < 3; count++) await send();
    await first.kill();
    processes.memory.restore();
    await pass(second, 1_000);
    const headers = { ...session, 'last-event-id': `${first.id}.1.5` };
    for (let attempt = 0; attempt < 2; attempt++) {
      const resumed = second.get(headers);
      await pass(second, 15_000);
      expect(resumed.messages.at(-1)).toMatchObject({ id: 7, error: { code: -32603 } });
      expect([resumed.status, resumed.closed]).toEqual([200, true]);
    }
  });

  it('can be resumed after the events that the state has missed, and after later ones', async () => {
    const { processes, first, second, session, send, finish } = await running();
    processes.memory.interrupt();
    await send();
    await send();
    processes.memory.restore();
    await send();
    for (const [sequence, rest] of [
      [2, 3],
      [4, 1],
      [5, 0],
    ] as const) {
      const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.${sequence}` });
      await settled();
      expect([resumed.status, resumed.messages.length]).toEqual([200, rest]);
      if (rest > 0) resumed.leave();
      else {
        await finish();
        expect(resumed.messages).toMatchObject([{ id: 7, result: {} }]);
      }
    }
  });

  it('cannot be resumed when the state has missed more than 256 events', async () => {
    const { processes, first, second, session, send } = await running();
    processes.memory.interrupt();
    for (let count = 0; count < 260; count++) await send();
    processes.memory.restore();
    await send();
    const resumed = second.get({ ...session, 'last-event-id': `${first.id}.1.2` });
    await settled();
    expect(resumed.status).toBe(400);
  });

  it('has an event once when the state stored it without an answer', async () => {
    const { processes, call, first, second, session, resume, finish } = await running();
    call.leave();
    const { log } = processes.state;
    const append = log.append.bind(log);
    vi.spyOn(log, 'append').mockImplementationOnce(async (...given) => {
      await append(...given);
      throw new StateError('unavailable', 'State: too slow.');
    });
    await finish();
    await pass(first, 1_000);
    const { entries } = await log.read(`session/${session['mcp-session-id']}/stream/${first.id}/1`, 0);
    const resumed = resume();
    await pass(second, 1_000);
    expect(entries.filter(({ value }) => value.includes('"result"'))).toHaveLength(1);
    expect(seen(resumed)).toMatchObject([200, true, [{ id: 7, result: {} }]]);
  });

  it('is refused for a moment when the state stays away', async () => {
    const { processes, second, resume } = await running();
    processes.memory.interrupt();
    const resumed = resume();
    await pass(second, 15_000);
    expect([resumed.status, resumed.sent['retry-after'], resumed.json.error?.code]).toEqual([
      503,
      '2',
      -31001,
    ]);
  });
});
