import { otherBounds } from '@tenon/foundation';
import { namedState } from '@tenon/mcp-state/internal';
import { settled } from '@tenon/mcp-testing';
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
  TaskServers,
  until,
} from '../../test/task-servers.js';
import type { TasksOptions } from './task-settings.js';

/** A server with a tool that waits, and the reasons for which its handler was aborted. */
function served(options: TasksOptions = {}) {
  const servers = new TaskServers();
  const gate = new Gate();
  const begun = new Events<true>();
  const aborted = new Events<unknown>();
  const work = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => aborted.push(signal.reason), { once: true });
    begun.push(true);
    await gate.passed;
    return 'late';
  };
  const { server } = servers.open(options);
  server
    .tool('job', { task: 'always' }, work)
    .tool('slow', { task: 'allow' }, work)
    .tool('short', { task: { support: 'always', ttl: 5_000, pollInterval: 200 } }, work);
  return { servers, clock: servers.clock, server, gate, begun, aborted };
}

const create = { name: 'job', arguments: {} };

describe('the time of a task', () => {
  it('ends the task and its handler', async () => {
    shows(
      'ext-tasks/tasks/ttl-ended',
      '2025-11-25-tasks/tasks/deleted-after-ttl',
      '2025-11-25-tasks/tasks/expired-removed',
    );
    const { server, clock, begun, aborted } = served({ ttl: 60_000 });
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'job');
    expect(task).toMatchObject({ ttlMs: 60_000 });
    await begun.reached(1);
    await clock.advance(59_999);
    await until(peer, task, 'working');
    await clock.advance(10_000);
    const { error } = await peer.request('tasks/get', { taskId: task.taskId });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Unknown task') });
    expect(String((await aborted.reached(1))[0])).toContain('The time of the task is over');
  });

  it('does not begin again when the task changes', async () => {
    const { servers, server, clock, gate } = served({ ttl: 60_000 });
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'job');
    await clock.advance(40_000);
    gate.open();
    const ended = await until(peer, task, 'completed');
    expect(ended).toMatchObject({
      createdAt: '2023-11-14T22:13:20.000Z',
      lastUpdatedAt: '2023-11-14T22:14:00.000Z',
    });
    await clock.advance(20_000);
    expect((await peer.request('tasks/get', { taskId: task.taskId })).error?.code).toBe(-32602);
    const { kv } = namedState(servers.memory.open(), server.info.name);
    expect(await kv.get(`task/${task.taskId}/record`)).toBeUndefined();
  });

  it('is the one that the client requests, the tool has or the server allows', async () => {
    shows(
      '2025-11-25-tasks/tasks/ttl-requested',
      '2025-11-25-tasks/tasks/ttl-overridden',
      '2025-11-25-tasks/tasks/ttl-limit',
    );
    const { server } = served({ ttl: 60_000, maxTtl: 90_000 });
    const peer = await connectPeer(server, core);
    expect(await begin(peer, 'job', { ttl: 80_000 })).toMatchObject({ ttl: 80_000 });
    expect(await begin(peer, 'job', { ttl: 1_000_000 })).toMatchObject({ ttl: 90_000 });
    expect(await begin(peer, 'job', { ttl: -5 })).toMatchObject({ ttl: 1 });
    expect(await begin(peer, 'job')).toMatchObject({ ttl: 60_000, pollInterval: 1_000 });
    expect(await begin(peer, 'short')).toMatchObject({ ttl: 5_000, pollInterval: 200 });
  });
});

describe('cancellation', () => {
  it('aborts the handler, and its result is not kept', async () => {
    shows('ext-tasks/tasks/get-cancelled');
    const { server, gate, begun, aborted } = served();
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'job');
    await begun.reached(1);
    await peer.request('tasks/cancel', { taskId: task.taskId });
    const [reason] = await aborted.reached(1);
    expect(String(reason)).toContain('The task is cancelled');
    gate.open();
    const ended = await until(peer, task, 'cancelled');
    expect(ended).toMatchObject({ statusMessage: 'The task was cancelled by request.' });
    expect(await until(peer, task, 'cancelled')).toEqual(ended);
  });

  it('has no effect on a task that has ended', async () => {
    shows('ext-tasks/tasks/cancel-other-end');
    const { server, gate, aborted } = served();
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'job');
    gate.open();
    const ended = await until(peer, task, 'completed');
    await peer.request('tasks/cancel', { taskId: task.taskId });
    expect(await until(peer, task, 'completed')).toEqual(ended);
    expect(aborted.all).toEqual([]);
  });

  it('of the call aborts the handler before the call is a task', async () => {
    const { server, begun, aborted } = served();
    const peer = await connectPeer(server, extension);
    const id = peer.send('tools/call', { ...create, name: 'slow' });
    await begun.reached(1);
    peer.cancel(id);
    await aborted.reached(1);
  });
});

describe('limits', () => {
  it('let calls wait for their result, or reject them, while too many tasks run', async () => {
    const { server, gate } = served({ limits: { running: 1 } });
    const peer = await connectPeer(server, extension);
    const first = await begin(peer, 'job');
    const { error } = await peer.request('tools/call', create);
    expect(error).toMatchObject({ code: -31001, message: expect.stringContaining('runs 1 tasks already') });
    const waiting = peer.request('tools/call', { ...create, name: 'slow' });
    gate.open();
    expect((await waiting).result).toMatchObject({ resultType: 'complete', content: [{ text: 'late' }] });
    await until(peer, first, 'completed');
    // The task frees its place after its outcome is written.
    await settled();
    expect((await peer.request('tools/call', create)).result).toMatchObject({ resultType: 'task' });
  });

  it('count the tasks of each caller', async () => {
    shows('2025-11-25-tasks/tasks/concurrent-limit');
    const { server, clock } = served({ ttl: 60_000, limits: { perCaller: 2 } });
    const ada = await connectPeer(server, extension, { principal: { id: 'ada' } });
    const bob = await connectPeer(server, extension, { principal: { id: 'bob' } });
    for (let count = 0; count < 2; count++) await begin(ada, 'job');
    const { error } = await ada.request('tools/call', create);
    expect(error).toMatchObject({ code: -31001, message: expect.stringContaining('2 tasks of this caller') });
    await begin(bob, 'job');
    await clock.advance(60_000);
    await begin(ada, 'job');
  });

  it('hold for sessions without a principal, each by itself', async () => {
    shows('2025-11-25-tasks/tasks/concurrent-limit');
    const { server } = served({ limits: { perCaller: 1 } });
    const [one, two] = [await connectPeer(server, core), await connectPeer(server, core)];
    await begin(one, 'job');
    await begin(two, 'job');
    expect((await one.request('tools/call', { ...create, task: {} })).error?.code).toBe(-31001);
  });

  it('fail a task with a result that is too large', async () => {
    shows('ext-tasks/tasks/internal-error');
    const servers = new TaskServers();
    const { server } = servers.open({ limits: otherBounds({ recordSize: 2_000 }) });
    const input = { type: 'object', properties: { text: { type: 'string' } } } as const;
    server.tool('long', { task: 'always', input }, async (_, ctx) => {
      await ctx.once('fits', () => 'a'.repeat(500));
      return 'b'.repeat(2_000);
    });
    server.tool('steps', { task: 'always' }, async (_, ctx) => {
      await ctx.once('large', () => 'a'.repeat(2_000));
      return 'never';
    });
    const peer = await connectPeer(server, extension);
    for (const name of ['long', 'steps']) {
      const ended = await until(peer, await begin(peer, name), 'failed');
      expect(ended.error).toMatchObject({
        code: -32603,
        message: expect.stringContaining('more than 2000 bytes'),
      });
    }
    const text = 'c'.repeat(2_000);
    const { error } = await peer.request('tools/call', { name: 'long', arguments: { text } });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('arguments are too large'),
    });
  });

  it('cut status messages', async () => {
    const servers = new TaskServers();
    const gate = new Gate();
    const { server } = servers.open({ limits: otherBounds({ statusMessage: 10 }) });
    server.tool('chatty', { task: 'always' }, async (_, ctx) => {
      ctx.progress(1, 2, 'm'.repeat(100));
      await gate.passed;
      return { content: [{ type: 'text' as const, text: 'n'.repeat(100) }], isError: true };
    });
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'chatty');
    const message = ({ statusMessage }: Json) => statusMessage !== undefined;
    expect(await until(peer, task, message)).toMatchObject({ statusMessage: 'm'.repeat(10) });
    gate.open();
    expect(await until(peer, task, 'completed')).toMatchObject({ statusMessage: 'n'.repeat(10) });
  });
});

describe('a state that cannot be reached', () => {
  it('is a clear error, and the task goes on', async () => {
    const { servers, server, gate, clock } = served();
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'job');
    servers.memory.interrupt();
    const { error } = await peer.request('tasks/get', { taskId: task.taskId });
    expect(error).toMatchObject({ code: -31001, message: expect.stringContaining('try again later') });
    expect((await peer.request('tools/call', create)).error?.code).toBe(-31001);
    gate.open();
    await clock.armed(500);
    servers.memory.restore();
    await clock.advance(500);
    expect((await until(peer, task, 'completed')).result).toMatchObject({ content: [{ text: 'late' }] });
  });

  it.each(['once', 'elicit'] as const)('does not end a handler that calls %s', async (method) => {
    const { servers, server, gate, clock } = served();
    const schema = { type: 'object', properties: {} } as const;
    server.tool('steps', { task: 'always' }, async (_, ctx) => {
      await gate.passed;
      if (method === 'once') return ctx.once('price', () => 'kept');
      return (await ctx.elicit('price', { message: 'Price?', schema })).action;
    });
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'steps');
    servers.memory.interrupt();
    gate.open();
    await clock.armed(500);
    servers.memory.restore();
    await clock.advance(500);
    const status = method === 'once' ? 'completed' : 'input_required';
    expect(await until(peer, task, status)).toMatchObject({ status });
  });
});
