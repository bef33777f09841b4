import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  Events,
  extension,
  Gate,
  nameForm,
  TaskServers,
  until,
} from '../../test/task-servers.js';

/** A promise that settles with the error of a call, or with its value. */
const settling = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

/** Two processes, of which the first is stopped: its clock does not move. The tool has two steps, an input request, and an end. */
async function stopped() {
  const servers = new TaskServers();
  const log = new Events<string>();
  const gates = { one: new Gate(), two: new Gate() };
  const rejected = new Events<unknown>();
  const aborted = new Events<unknown>();
  const open = async (name: 'one' | 'two', clock: FakeClock) => {
    const opened = servers.open({}, { clock });
    const step = (key: string) => () => {
      log.push(`${name}: ${key}`);
      return `${key} of ${name}`;
    };
    opened.server.tool('work', { task: 'always' }, async (_, ctx) => {
      ctx.signal.addEventListener('abort', () => aborted.push(ctx.signal.reason), { once: true });
      await ctx.once('first', step('first'));
      log.push(`${name}: waits`);
      await gates[name].passed;
      if (name === 'two')
        return `${await ctx.once('first', step('first'))}, ${await ctx.once('second', step('second'))}`;
      // A handler that ignores its signal.
      rejected.push(await settling(ctx.once('second', step('second'))));
      rejected.push(await settling(ctx.elicit('name', { message: 'Name?', schema: nameForm })));
      rejected.push(await settling(ctx.once('first', step('first'))));
      ctx.progress(1, 2, 'late');
      return 'late';
    });
    return { ...opened, peer: await connectPeer(opened.server, extension) };
  };
  const one = await open('one', new FakeClock());
  const two = await open('two', servers.clock);
  const task = await begin(one.peer, 'work');
  await log.reached(2);
  /** The second process takes the task over. */
  const takeOver = async () => {
    await servers.clock.advance(15_001);
    await until(two.peer, task, 'working');
    await log.reached(3);
  };
  const ended = ({ result }: Json) => (result?.content?.[0] as Json | undefined)?.text;
  return { servers, clock: servers.clock, log, gates, rejected, aborted, one, two, task, takeOver, ended };
}

describe('a process that goes on after its task', () => {
  it('was completed elsewhere runs no step, and its end has no effect', async () => {
    const { log, gates, rejected, two, task, takeOver, ended } = await stopped();
    await takeOver();
    gates.two.open();
    const completed = await until(two.peer, task, 'completed');
    gates.one.open();
    const errors = await rejected.reached(3);
    expect(errors.map(String)).toEqual(Array(3).fill(expect.stringContaining('SessionError')));
    expect(log.all).toEqual(['one: first', 'one: waits', 'two: waits', 'two: second']);
    expect(await until(two.peer, task, 'completed')).toEqual(completed);
    expect(ended(completed)).toBe('first of one, second of two');
  });

  it('was taken over runs no step', async () => {
    const { log, gates, rejected, two, task, takeOver, ended } = await stopped();
    await takeOver();
    gates.one.open();
    expect(String((await rejected.reached(3))[0])).toContain('Another process has taken over the task');
    gates.two.open();
    expect(ended(await until(two.peer, task, 'completed'))).toBe('first of one, second of two');
    expect(log.all).toEqual(['one: first', 'one: waits', 'two: waits', 'two: second']);
  });

  it('was taken over does not write the end of its handler', async () => {
    const servers = new TaskServers();
    const gates = { one: new Gate(), two: new Gate() };
    const log = new Events<string>();
    const open = async (name: 'one' | 'two', clock: FakeClock) => {
      const opened = servers.open({}, { clock });
      opened.server.tool('work', { task: 'always' }, async () => {
        log.push(`${name}: begins`);
        await gates[name].passed;
        log.push(`${name}: ends`);
        return name;
      });
      return { state: opened.state, peer: await connectPeer(opened.server, extension) };
    };
    const one = await open('one', new FakeClock());
    const two = await open('two', servers.clock);
    const task = await begin(one.peer, 'work');
    await log.reached(1);
    await servers.clock.advance(15_001);
    await until(two.peer, task, 'working');
    await log.reached(2);
    const written = vi.spyOn(one.state.kv, 'compareAndSet');
    gates.one.open();
    await log.reached(3);
    await vi.waitFor(() => expect(written).toHaveBeenCalled());
    await Promise.allSettled(written.mock.results.map(({ value }) => value));
    gates.two.open();
    const { result } = await until(two.peer, task, 'completed');
    expect(result?.content?.[0]).toMatchObject({ text: 'two' });
  });

  it('was cancelled runs no step', async () => {
    const { log, gates, rejected, two, task } = await stopped();
    // The process does not receive the notice.
    vi.spyOn(two.state.bus, 'publish').mockResolvedValue();
    await two.peer.request('tasks/cancel', { taskId: task.taskId });
    gates.one.open();
    expect(String((await rejected.reached(3))[0])).toContain('The task is cancelled');
    expect(log.all).toEqual(['one: first', 'one: waits']);
  });

  it('was taken over aborts its handler with the next renewal', async () => {
    const { aborted, one, takeOver } = await stopped();
    await takeOver();
    expect(aborted.all).toEqual([]);
    await one.clock.advance(5_000);
    expect(String((await aborted.reached(1))[0])).toContain('Another process has taken over the task');
  });
});

describe('the process of a task', () => {
  it('keeps its lease for as long as the handler runs', async () => {
    const { clock, gates, one, two, task, log } = await stopped();
    for (let time = 0; time < 10; time++) {
      await clock.advance(5_000);
      await one.clock.advance(5_000);
      await until(two.peer, task, 'working');
    }
    expect(log.all).toEqual(['one: first', 'one: waits']);
    gates.one.open();
  });
});
