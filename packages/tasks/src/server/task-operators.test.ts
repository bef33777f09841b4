import type { Principal } from '@tenon/mcp-protocol';
import { createServer, type RpcError, type ServerOptions } from '@tenon/mcp-server';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { begin, connectPeer, core, extension, Gate, type TaskServer } from '../../test/task-servers.js';
import type { TasksOptions } from './task-settings.js';
import { tasks } from './tasks.js';

/** A server with one tool that runs as a task until the gate opens, and logs its end. */
function served(options: ServerOptions, given: TasksOptions = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const info = { name: 'test', version: '1' };
  const server: TaskServer = createServer(info, {
    clock,
    ...options,
    extensions: [tasks(given)],
  }) as never;
  const log: unknown[] = [];
  server.tool('work', { task: 'always' }, async (_, { auth }) => {
    await gate.passed;
    log.push([auth?.id, 'the end of', 'work']);
    return 'worked';
  });
  onTestFinished(async () => {
    const closed = server.close();
    await clock.advance(120_000);
    await closed;
  });
  return { server, gate, log };
}

const ada: Principal = { id: 'ada' };

describe('an operator', () => {
  it('limits the rate of the requests for tasks', async () => {
    shows('2025-11-25-tasks/tasks/rate-limits', 'ext-tasks/tasks/poll-rate');
    const { server } = served({ rates: { calls: { perSecond: 1, burst: 5 } } });
    for (const revision of [core, extension]) {
      const peer = await connectPeer(server, revision, { principal: { id: `user of ${revision.id}` } });
      const { taskId } = await begin(peer, 'work');
      const codes: unknown[] = [];
      for (let time = 0; time < 6; time++)
        codes.push((await peer.request('tasks/get', { taskId })).error?.code);
      expect(codes).toEqual([undefined, undefined, undefined, undefined, -31004, -31004]);
    }
  });

  it('logs the events of tasks with their callers, and sees failures, in middleware', async () => {
    shows('2025-11-25-tasks/tasks/audit-events', '2025-11-25-tasks/tasks/audit-caller');
    shows('2025-11-25-tasks/tasks/audit-suspicious', '2025-11-25-tasks/tasks/resources-monitored');
    const { server, gate, log } = served({}, { limits: { perCaller: 1 } });
    server.use(async ({ method, params, request }, next) => {
      const caller = request?.principal?.id;
      try {
        const result = await next();
        log.push([caller, method, params.taskId ?? params.name, result.isError ?? 'task']);
        return result;
      } catch (error) {
        log.push([caller, method, params.taskId ?? params.name, (error as RpcError).code]);
        throw error;
      }
    });
    const peer = await connectPeer(server, core, { principal: ada });
    log.length = 0;
    const task = await begin(peer, 'work');
    await peer.request('tools/call', { name: 'work', arguments: {}, task: {} });
    await peer.request('tasks/get', { taskId: 'guessed' });
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    gate.open();
    await ended;
    const { taskId } = task;
    expect(log).toEqual([
      ['ada', 'tools/call', 'work', 'task'],
      ['ada', 'tools/call', 'work', -31001],
      ['ada', 'tasks/get', 'guessed', -32602],
      ['ada', 'the end of', 'work'],
      ['ada', 'tasks/result', taskId, false],
    ]);
  });
});
