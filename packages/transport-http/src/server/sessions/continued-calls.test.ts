import type { CallHistory, Exchange, SuspendedCall } from '@tenon/mcp-protocol';
import { StateError } from '@tenon/mcp-state';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import { type FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { request } from '../../../test/fake-service.js';
import type { HttpOptions } from '../http-options.js';

/** Three processes with a session, and a call at the first one that a test suspends. */
async function suspended(options: HttpOptions = {}, isRepeatable = true) {
  const time = new FakeClock();
  const processes = new FakeProcesses(time);
  const hosts = [
    await processes.process(options),
    await processes.process(options),
    await processes.process(options),
  ] as const;
  for (const { application } of hosts) application.isRepeatable = () => isRepeatable;
  const [first] = hosts;
  const session = await first.opened();
  let exchange: Exchange | undefined;
  first.application.play = (_, given) => {
    exchange = given;
    return new Promise(() => {});
  };
  const call = first.post(request(7, 'tools/call'), session);
  return {
    processes,
    time,
    hosts,
    session,
    call,
    /** Keeps the state of the call: it waits for the answers to these input requests, by number. */
    async waits(numbers: readonly number[], answers: CallHistory['answers'] = {}) {
      const waiting = Object.fromEntries(numbers.map((n) => [`${first.id}-${n}`, `key ${n}`]));
      const call: SuspendedCall = { answers, steps: { plan: { value: 1 } }, waiting };
      const isKept = await exchange?.suspend?.(call);
      await settled();
      return isKept;
    },
    /** Sends the answer to an input request to another process, after the first one has ended. */
    async answerAt(host: FakeProcess, n: number) {
      const answered = host.post({ jsonrpc: '2.0', id: `${first.id}-${n}`, result: { n } }, session);
      await patience(host);
      const { status } = await answered.done();
      await settled();
      return status;
    },
    record: async () => {
      const found = await processes.state.kv.get(`session/${session['mcp-session-id']}/call/${first.id}/1`);
      return found && (JSON.parse(found.value) as SuspendedCall & { process: string });
    },
  };
}

async function patience(host: FakeProcess) {
  await host.clock.armed(2_000);
  await host.clock.advance(2_000);
}

describe('a call that waited for input when its process ended', () => {
  /** Has the second process continue the call, and end while the handler runs. */
  async function lostTwice(isRepeatable: boolean) {
    const parts = await suspended({}, isRepeatable);
    const [first, second, third] = parts.hosts;
    await parts.waits([1]);
    await first.kill();
    second.application.play = () => new Promise(() => {});
    expect(await parts.answerAt(second, 1)).toBe(202);
    await second.kill();
    // The second process does not renew its lease any more: its clock stands still.
    await parts.time.advance(15_000);
    const runs: (CallHistory | undefined)[] = [];
    third.application.play = (value, { history }) => {
      runs.push(history);
      return result(value);
    };
    const resumed = third.get({ ...parts.session, 'last-event-id': `${first.id}.1.1` });
    await patience(third);
    await resumed.done();
    return { runs, messages: resumed.messages, hosts: parts.hosts };
  }

  it('is reported when it is continued, and when it is lost', async () => {
    const { hosts } = await lostTwice(false);
    const reports = hosts.map(({ errors }) => errors.map(({ error, where }) => [where, String(error)]));
    const continued = expect.stringMatching(`^Error: Process ${hosts[0].id} has ended, or has left its call`);
    const lost = expect.stringMatching(`^Error: Process ${hosts[0].id} has ended with a call`);
    expect(reports).toEqual([[], [['continued call', continued]], [['lost call', lost]]]);
    const events = hosts.map(({ application }) =>
      application.reported.map(({ type }) => type).filter((type) => type.startsWith('call-')),
    );
    expect(events).toEqual([[], ['call-continued'], ['call-lost']]);
  });

  it('runs again with the answers and steps when the process that accepted the last answer ends as well', async () => {
    const { runs, messages } = await lostTwice(true);
    expect(runs).toMatchObject([
      { answers: { 'key 1': { result: { n: 1 } } }, steps: { plan: { value: 1 } } },
    ]);
    expect(messages).toMatchObject([{ id: 7, result: {} }]);
  });

  it('is answered with an error then, if its tool may not run again', async () => {
    const { runs, messages } = await lostTwice(false);
    expect(runs).toEqual([]);
    expect(messages).toMatchObject([{ id: 7, error: { code: -32603 } }]);
  });

  it('is kept longer than an idle session while its client has the stream at another process', async () => {
    const parts = await suspended({ limits: { sessionIdle: 12_000, keepAlive: 1_000 } });
    const [first, second] = parts.hosts;
    await parts.waits([1]);
    await first.kill();
    parts.call.leave();
    const resumed = second.get({ ...parts.session, 'last-event-id': `${first.id}.1.1` });
    await patience(second);
    for (let count = 0; count < 12; count++) {
      await parts.time.advance(2_000);
      await second.clock.advance(2_000);
    }
    expect(await parts.answerAt(second, 1)).toBe(202);
    await resumed.done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: {} }]);
  });

  it('goes on when its answer arrives soon after an interruption of the state', async () => {
    const { processes, hosts, session, waits } = await suspended();
    const [first, second] = hosts;
    await waits([1]);
    await second.post(request(1, 'ping'), session).done();
    await first.kill();
    processes.memory.interrupt();
    const answer = { jsonrpc: '2.0', id: `${first.id}-1`, result: {} };
    const answered = second.post(answer, session);
    await second.clock.advance(1_000);
    processes.memory.restore();
    for (let passed = 0; passed < 12_000; passed += 500) await second.clock.advance(500);
    expect(answered.status).toBe(202);
    expect(second.application.last.exchanges.at(-1)?.history).toMatchObject({
      answers: { 'key 1': { result: {} } },
    });
  });

  it.each([false, true])(
    'is answered once when the state fails while its result is stored (stored: %s)',
    async (isStored) => {
      const parts = await suspended();
      const [first, second] = parts.hosts;
      await parts.waits([1]);
      await first.kill();
      const { log } = parts.processes.state;
      const append = log.append.bind(log);
      const slow = new StateError('unavailable', 'State: too slow.');
      vi.spyOn(log, 'append').mockImplementationOnce(async (...given) => {
        if (isStored) await append(...given);
        throw slow;
      });
      await parts.answerAt(second, 1);
      await second.clock.advance(500);
      const name = `session/${parts.session['mcp-session-id']}/stream/${first.id}/1`;
      const { entries } = await log.read(name, 1);
      expect(entries.map(({ value }) => value)).toEqual([`{"last":true}\n${result({ id: 7 })}`]);
      expect(second.errors).toMatchObject([{ where: 'continued call' }, { error: slow, where: 'state' }]);
    },
  );

  it('is not lost when the state is away for longer than the lease of its process', async () => {
    const { processes, hosts, session, time, waits, answerAt } = await suspended({}, false);
    const [first, second, third] = hosts;
    await waits([1]);
    await third.post(request(1, 'ping'), session).done();
    await first.kill();
    let finish = () => {};
    second.application.play = (value) =>
      new Promise((resolve) => {
        finish = () => resolve(result(value));
      });
    await answerAt(second, 1);
    processes.memory.interrupt();
    await time.advance(20_000);
    await second.clock.advance(20_000);
    processes.memory.restore();
    await second.clock.advance(5_000);
    const resumed = third.get({ ...session, 'last-event-id': `${first.id}.1.1` });
    for (let passed = 0; passed < 20_000; passed += 500) await third.clock.advance(500);
    finish();
    await resumed.done();
    expect(resumed.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
  });

  it('leaves no answers in the state when it is continued and ends', async () => {
    const parts = await suspended();
    const [first, second] = parts.hosts;
    await parts.waits([1]);
    await first.kill();
    await parts.answerAt(second, 1);
    expect(await parts.record()).toEqual({ process: second.id, answers: {}, steps: {}, waiting: {} });
  });
});

describe('a call that waits for input', () => {
  it('is kept longer than an idle session, while its process uses the session', async () => {
    const { hosts, time, waits, answerAt, record } = await suspended({
      limits: { sessionIdle: 10_000, keepAlive: 1_000 },
    });
    await waits([1]);
    for (let second = 0; second < 30; second++) {
      await time.advance(1_000);
      await hosts[0].clock.advance(1_000);
    }
    expect(await record()).toMatchObject({ waiting: { [`${hosts[0].id}-1`]: 'key 1' } });
    // The place of the answer is kept as well.
    await hosts[0].kill();
    expect(await answerAt(hosts[1], 1)).toBe(202);
  });

  it('has the answers that another process has accepted while this one received no messages', async () => {
    const { hosts, waits, answerAt, record } = await suspended();
    const [first, second] = hosts;
    await waits([1, 2]);
    await first.kill();
    expect(await answerAt(second, 1)).toBe(202);
    expect(await waits([1], { 'key 2': { result: { n: 2 } } })).toBe(true);
    expect(first.application.last.values.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: `${first.id}-1`,
      result: { n: 1 },
    });
    expect(await record()).toEqual({
      process: first.id,
      message: request(7, 'tools/call'),
      answers: { 'key 1': { result: { n: 1 } }, 'key 2': { result: { n: 2 } } },
      steps: { plan: { value: 1 } },
      waiting: {},
    });
  });

  it('is lost to the process that accepted its last answer, before that process begins', async () => {
    const { processes, time, hosts, session, waits, answerAt, record } = await suspended();
    const [first, second] = hosts;
    await waits([1]);
    // Another process holds the lease, and ends while it does.
    const name = `call/${session['mcp-session-id']}.${first.id}.1`;
    expect(await processes.state.leases.acquire(name, 15_000)).toBeDefined();
    await first.kill();
    expect(await answerAt(second, 1)).toBe(202);
    expect(await record()).toMatchObject({ process: second.id, waiting: {} });
    const begun = second.application.last.exchanges.length;
    // The first process was only slow: its handler must not go on.
    expect(await waits([2])).toBe(false);
    expect(await record()).toMatchObject({ process: second.id });
    await time.advance(15_000);
    for (let passed = 0; passed < 2_000; passed += 500) await second.clock.advance(500);
    expect(second.application.last.exchanges.length).toBe(begun + 1);
  });

  it('is kept with its answers while its handler goes on, if it may run again', async () => {
    const { waits, record } = await suspended();
    await waits([1]);
    await waits([], { 'key 1': { result: {} } });
    expect(await record()).toMatchObject({ answers: { 'key 1': { result: {} } }, waiting: {} });
  });

  it('is not kept while its handler goes on, if it may not run again', async () => {
    const { waits, record } = await suspended({}, false);
    await waits([1]);
    await waits([], { 'key 1': { result: {} } });
    expect(await record()).toBeUndefined();
  });
});
