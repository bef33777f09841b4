import type { ServerEvent } from '@tenon/mcp-protocol';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  core,
  Events,
  extension,
  Gate,
  nameForm,
  type TaskServer,
  TaskServers,
  turn,
  until,
} from '../../test/task-servers.js';

const missing = {} as unknown as Json;

/** Adds a tool with two steps, of which the second waits for the gate of its process. */
function withWork(server: TaskServer, log: Events<string>, { name, gate }: { name: string; gate: Gate }) {
  server
    .tool('work', { task: 'always' }, async (_, ctx) => {
      const first = await ctx.once('first', () => {
        log.push(`${name}: first`);
        return name;
      });
      log.push(`${name}: waits`);
      await gate.passed;
      ctx.signal.throwIfAborted();
      return `${first}, ${name}`;
    })
    .tool('promoted', { task: { support: 'allow', promoteAfter: 10 } }, async (_, ctx) => {
      const first = await ctx.once('first', () => name);
      log.push(`${name}: waits`);
      await gate.passed;
      return `${first}, ${name}`;
    })
    .tool('fragile', { task: { support: 'always', takeOver: false } }, async () => {
      log.push(`${name}: waits`);
      await gate.passed;
      return 'fragile';
    })
    .tool('greet', { task: 'always' }, async (_, ctx) => {
      log.push(`${name}: asks`);
      const { content } = await ctx.elicit('name', { message: 'Name?', schema: nameForm });
      log.push(`${name}: has ${content?.name}`);
      return `Hello, ${content?.name}`;
    });
  return server;
}

/** Two processes with the same state. The clock of the first one does not move: it renews no lease. */
function processes() {
  const servers = new TaskServers();
  const log = new Events<string>();
  const gates = { one: new Gate(), two: new Gate() };
  const one = servers.open({}, { clock: new FakeClock() });
  const two = servers.open();
  withWork(one.server, log, { name: 'one', gate: gates.one });
  withWork(two.server, log, { name: 'two', gate: gates.two });
  return { ...servers, clock: servers.clock, log, gates, one, two };
}

describe('a task of a process that was killed', () => {
  it('is continued by the process that is asked for it, without the steps that have ended', async () => {
    shows('ext-tasks/tasks/created-durably');
    const { clock, log, gates, one, two } = processes();
    const events: ServerEvent[] = [];
    two.server.onEvent((event) => void events.push(event));
    const task = await begin(await connectPeer(one.server, extension), 'work');
    await log.reached(2);
    await one.state.close();
    const peer = await connectPeer(two.server, extension);
    expect(await until(peer, task, 'working')).toBeDefined();
    await turn();
    expect(log.all).toEqual(['one: first', 'one: waits']);
    await clock.advance(15_001);
    await until(peer, task, 'working');
    await log.reached(3);
    gates.two.open();
    const ended = await until(peer, task, 'completed');
    expect(ended.result?.content?.[0]).toMatchObject({ text: 'one, two' });
    expect(log.all).toEqual(['one: first', 'one: waits', 'two: waits']);
    const continued = events.filter(({ type }) => type === 'call-continued');
    expect(continued).toEqual([{ type: 'call-continued', name: 'work', task: task.taskId }]);
  });

  it('keeps its open input request and its answer', async () => {
    const { clock, log, one, two } = processes();
    const first = await connectPeer(one.server, core);
    const task = await begin(first, 'greet');
    await until(first, task, 'input_required');
    await one.state.close();
    await clock.advance(15_001);
    const peer = await connectPeer(two.server, core);
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    peer.answer(await peer.heard('elicitation/create'), { action: 'accept', content: { name: 'Ada' } });
    expect((await ended).result?.content?.[0]).toMatchObject({ text: 'Hello, Ada' });
    expect(log.all).toEqual(['one: asks', 'two: asks', 'two: has Ada']);
  });

  it('keeps the steps that ended before the call was a task', async () => {
    const { clock, log, gates, one, two } = processes();
    const first = await connectPeer(one.server, extension);
    const answer = first.request('tools/call', { name: 'promoted', arguments: {} });
    await log.reached(1);
    await one.clock.advance(10);
    const { result: task = missing } = await answer;
    await clock.advance(15_001);
    const peer = await connectPeer(two.server, extension);
    gates.two.open();
    const ended = await until(peer, task, 'completed');
    expect(ended.result?.content?.[0]).toMatchObject({ text: 'one, two' });
  });

  it('fails if its tool does not allow to run it again', async () => {
    const { clock, log, one, two } = processes();
    const task = await begin(await connectPeer(one.server, extension), 'fragile');
    await log.reached(1);
    await one.state.close();
    await clock.advance(15_001);
    const peer = await connectPeer(two.server, extension);
    const ended = await until(peer, task, 'failed');
    expect(ended).toMatchObject({ error: { code: -32603, message: expect.stringContaining('has ended') } });
    expect(log.all).toEqual(['one: waits']);
  });

  it('is continued for a stream that listens to it', async () => {
    const { clock, log, gates, one, two } = processes();
    const task = await begin(await connectPeer(one.server, extension), 'work');
    await log.reached(2);
    const peer = await connectPeer(two.server, extension);
    peer.send('subscriptions/listen', { notifications: { taskIds: [task.taskId] } });
    await peer.heard('notifications/subscriptions/acknowledged');
    await one.state.close();
    gates.two.open();
    await clock.advance(30_000);
    const notice = await peer.next(({ params }) => (params?.status as unknown) === 'completed');
    expect(notice.params?.result).toMatchObject({ content: [{ text: 'one, two' }] });
  });
});

describe('a task that two processes run', () => {
  it('has the result of the second, and the first is aborted', async () => {
    const { clock, log, gates, one, two } = processes();
    const first = await connectPeer(one.server, extension);
    const task = await begin(first, 'work');
    await log.reached(2);
    await clock.advance(15_001);
    const peer = await connectPeer(two.server, extension);
    await until(peer, task, 'working');
    await log.reached(3);
    gates.one.open();
    await one.clock.advance(5_000);
    expect(await until(peer, task, 'working')).toBeDefined();
    gates.two.open();
    const ended = await until(peer, task, 'completed');
    expect(ended.result?.content?.[0]).toMatchObject({ text: 'one, two' });
  });
});

describe('a process that closes', () => {
  it('hands its tasks over at once to processes that wait for them', async () => {
    const { log, gates, one, two } = processes();
    const first = await connectPeer(one.server, core);
    const task = await begin(first, 'work');
    await log.reached(2);
    const peer = await connectPeer(two.server, core);
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    await peer.request('tasks/get', { taskId: task.taskId });
    await turn();
    const closed = one.server.close();
    await log.reached(3);
    gates.one.open();
    gates.two.open();
    expect((await ended).result?.content?.[0]).toMatchObject({ text: 'one, two' });
    await closed;
    expect(log.all).toEqual(['one: first', 'one: waits', 'two: waits']);
  });

  it('lets a task fail that no other process may continue', async () => {
    const { log, one, two } = processes();
    const task = await begin(await connectPeer(one.server, extension), 'fragile');
    await log.reached(1);
    const closed = one.server.close();
    const peer = await connectPeer(two.server, extension);
    expect(await until(peer, task, 'failed')).toMatchObject({ error: { code: -32603 } });
    await closed;
  });
});
