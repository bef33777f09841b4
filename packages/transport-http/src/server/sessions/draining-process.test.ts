import type { CallHistory, Exchange, Principal, SuspendedCall } from '@tenon/mcp-protocol';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { result } from '../../../test/fake-application.js';
import { type FakeProcess, FakeProcesses } from '../../../test/fake-processes.js';
import { opening, request } from '../../../test/fake-service.js';

const ada: Principal = { id: 'ada', issuer: 'https://a.example' };
const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };

/** Processes that cannot keep a session any more, each in its own way. */
const ways: [string, (processes: FakeProcesses) => Promise<FakeProcess>][] = [
  [
    'a draining process',
    async (processes) => {
      const process = await processes.process();
      await process.opened();
      await process.service.drain();
      return process;
    },
  ],
  [
    'a full process',
    async (processes) => {
      const process = await processes.process({ limits: { sessions: 1 } });
      await process.post(opening(), {}, ada).done();
      return process;
    },
  ],
];

describe.each(ways)('%s', (_, start) => {
  /** The process, and another one with a session. */
  async function rig(revision = '2025-11-25') {
    const processes = new FakeProcesses();
    const [first, other] = [await processes.process(), await start(processes)];
    const session = await first.opened(revision, ada);
    return { processes, first, other, session };
  }

  it.each([
    ['an answer', (first: FakeProcess) => ({ jsonrpc: '2.0', id: `${first.id}-1`, result: {} })],
    ['a cancellation', () => cancelled],
    [
      'a notification of progress',
      (first: FakeProcess) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: `${first.id}-1`, progress: 1 },
      }),
    ],
  ])('forwards %s to the process that handles the call', async (_title, messageFor) => {
    const { first, other, session } = await rig();
    const message = messageFor(first);
    expect((await other.post(message, session, ada).done()).status).toBe(202);
    await settled();
    expect(first.application.last.values).toContainEqual(message);
    expect(other.application.last.isClosed).toBe(true);
  });

  it('receives other notifications itself', async () => {
    const { other, session } = await rig();
    const message = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
    expect((await other.post(message, session, ada).done()).status).toBe(202);
    expect(other.application.last.values).toEqual([message]);
  });

  it('rejects requests, alone and in a batch with an answer', async () => {
    const { first, other, session } = await rig('2025-03-26');
    const answer = { jsonrpc: '2.0', id: `${first.id}-1`, result: {} };
    for (const message of [request(1, 'ping'), [request(1, 'ping'), answer]])
      expect((await other.post(message, session, ada).done()).status).toBe(503);
  });

  it.each([
    ['of another caller', (session: Record<string, string>) => session, { id: 'eve' }],
    ['that does not exist', () => ({ 'mcp-session-id': '0'.repeat(48) }), ada],
  ])('answers 404 to messages of a session %s', async (_title, headers, principal) => {
    const { first, other, session } = await rig();
    expect((await other.post(cancelled, headers(session), principal).done()).status).toBe(404);
    expect((await other.get(headers(session), principal).done()).status).toBe(404);
    expect(first.application.last.values).not.toContainEqual(cancelled);
  });

  it('extends the time of the session', async () => {
    const { other, processes, session } = await rig();
    const { kv } = other.application.processes?.state ?? processes.state;
    const touched: string[] = [];
    const touch = kv.touch.bind(kv);
    kv.touch = (key, ttl) => {
      touched.push(key);
      return touch(key, ttl);
    };
    await other.post(cancelled, session, ada).done();
    expect(touched).toEqual([`session/${session['mcp-session-id']}/record`]);
  });

  it('ends a session for all processes with DELETE', async () => {
    const { processes, first, other, session } = await rig();
    expect((await other.delete(session, ada).done()).status).toBe(204);
    await settled();
    expect(await processes.record(session)).toBeUndefined();
    expect(first.service.sessions).toBe(0);
  });

  it('ends a resumed stream at once, with the id that the client resumes elsewhere', async () => {
    const { other, first, session } = await rig();
    const id = `${first.id}.1.4`;
    const resumed = await other.get({ ...session, 'last-event-id': id }, ada).done();
    expect([resumed.status, resumed.text]).toEqual([200, `id: ${id}\nretry: 1000\ndata: \n\n`]);
    const opened = await other.get(session, ada).done();
    expect([opened.status, opened.text]).toEqual([200, 'retry: 1000\n\n']);
  });
});

describe('a draining process', () => {
  /** A call that waits for an answer at the first of three processes when that process drains. */
  async function left() {
    const processes = new FakeProcesses();
    const hosts = [await processes.process(), await processes.process(), await processes.process()] as const;
    for (const { application } of hosts) application.isRepeatable = () => true;
    const [first, second, third] = hosts;
    const session = await first.opened();
    let exchange: Exchange | undefined;
    first.application.play = (value, given) => {
      exchange = given;
      return new Promise((resolve) => given.signal?.addEventListener('abort', () => resolve(result(value))));
    };
    const call = first.post(request(7, 'tools/call'), session);
    const waiting: SuspendedCall = { answers: {}, steps: {}, waiting: { [`${first.id}-1`]: 'key 1' } };
    await exchange?.suspend?.(waiting);
    const runs: (CallHistory | undefined)[] = [];
    for (const { application } of [second, third])
      application.play = (value, { history }) => {
        runs.push(history);
        return 'id' in value && value.method === 'tools/call' ? result(value, { done: true }) : undefined;
      };
    await first.service.drain();
    await call.done();
    const answer = () => ({ jsonrpc: '2.0', id: `${first.id}-1`, result: { n: 1 } });
    const resume = (host: FakeProcess) => host.get({ ...session, 'last-event-id': `${first.id}.1.1` });
    return { hosts, session, runs, answer, resume };
  }

  const history = { answers: { 'key 1': { result: { n: 1 } } } };

  it('accepts an answer to a call that it has left, and another process continues the call', async () => {
    const { hosts, session, runs, answer, resume } = await left();
    const [first, second] = hosts;
    expect((await first.post(answer(), session).done()).status).toBe(202);
    const resumed = await resume(second).done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: { done: true } }]);
    expect(runs).toMatchObject([history]);
  });

  it('accepts an answer to a call that another process has left, and leaves it to a third one', async () => {
    const { hosts, session, runs, answer, resume } = await left();
    const [first, second, third] = hosts;
    await first.application.processes?.leave();
    await second.service.drain();
    expect((await second.post(answer(), session).done()).status).toBe(202);
    const resumed = await resume(third).done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: { done: true } }]);
    expect(runs).toMatchObject([history]);
  });

  /** A process with a state that accepts its next event when a test says so. */
  async function slow(processes: FakeProcesses) {
    const state = processes.memory.open();
    const process = await processes.process({}, undefined, state);
    const delay = () => {
      let accept = (): void => {};
      const accepted = new Promise<void>((resolve) => {
        accept = resolve;
      });
      const append = state.log.append.bind(state.log);
      vi.spyOn(state.log, 'append').mockImplementationOnce(async (...event) => {
        await accepted;
        return append(...event);
      });
      return accept;
    };
    /** Drains the process. @returns true at once if it has drained. */
    const drains = async () => {
      let isDrained = false;
      const drained = process.service.drain().then(() => {
        isDrained = true;
      });
      await settled();
      return { drained, isDrained: () => isDrained };
    };
    return { process, delay, drains };
  }

  /** A call at a slow process that ends while its client has no connection. */
  async function unstored() {
    const processes = new FakeProcesses();
    const { process, delay, drains } = await slow(processes);
    const other = await processes.process();
    const session = await process.opened();
    let finish = (): void => {};
    process.application.play = (value, given) => {
      void given.send('{}');
      return new Promise((resolve) => {
        finish = () => resolve(result(value, { done: true }));
      });
    };
    const call = process.post(request(7, 'tools/call'), session);
    await settled();
    const id = call.events.at(-1)?.id as string;
    call.leave();
    const accept = delay();
    finish();
    return { process, other, drains, accept, resume: () => other.get({ ...session, 'last-event-id': id }) };
  }

  it('ends when the state has the answers of its calls', async () => {
    const { drains, accept, resume } = await unstored();
    const { drained, isDrained } = await drains();
    expect(isDrained()).toBe(false);
    accept();
    await drained;
    const resumed = await resume().done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: { done: true } }]);
  });

  it('does not wait for a state that does not accept an answer for longer than limits.drain', async () => {
    const { process, drains } = await unstored();
    const { drained } = await drains();
    await process.clock.armed(5_000);
    await process.clock.advance(5_000);
    await drained;
  });

  it('ends when the state has the answer of a call that another process began', async () => {
    const processes = new FakeProcesses();
    const first = await processes.process();
    const { process: second, delay, drains } = await slow(processes);
    const third = await processes.process();
    for (const { application } of [first, second]) application.isRepeatable = () => true;
    const session = await first.opened();
    let exchange: Exchange | undefined;
    first.application.play = (value, given) => {
      exchange = given;
      return new Promise((resolve) => given.signal?.addEventListener('abort', () => resolve(result(value))));
    };
    const call = first.post(request(7, 'tools/call'), session);
    await exchange?.suspend?.({ answers: {}, steps: {}, waiting: { [`${first.id}-1`]: 'key 1' } });
    let accept = (): void => {};
    second.application.play = (value) => {
      if (!('id' in value) || value.method !== 'tools/call') return undefined;
      accept = delay();
      return result(value, { done: true });
    };
    await first.service.drain();
    await call.done();
    const answer = { jsonrpc: '2.0', id: `${first.id}-1`, result: { n: 1 } };
    expect((await second.post(answer, session).done()).status).toBe(202);
    await settled();
    const { drained, isDrained } = await drains();
    expect(isDrained()).toBe(false);
    accept();
    await drained;
    const resumed = await third.get({ ...session, 'last-event-id': `${first.id}.1.1` }).done();
    expect(resumed.messages).toMatchObject([{ id: 7, result: { done: true } }]);
  });
});
