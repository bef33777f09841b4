import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { core, extension, type Reply, settled, start, text } from '../../test/scripted-tasks.js';
import type { TaskReference } from '../client.js';
import { type DetailedTask, relatedTaskKey } from '../model/task.js';

describe.each([core, extension])('a client with a task ($wire)', (wire) => {
  it('sends requests for the task without related-task metadata', async () => {
    showsBy(wire.wire, { core: '2025-11-25-tasks/tasks/related-not-sent' });
    const { client, server, clock, task } = await start(wire, {
      script: { 'tasks/result': () => text('done') },
    });
    await client.tools().all();
    const call = client.callTool('always');
    await clock.advance(300);
    const seen = ({ taskId }: DetailedTask): TaskReference => ({
      endpoint: 'server scripted',
      wire: wire.wire,
      taskId,
      call: { name: 'always' },
    });
    await client.tasks.cancel(seen(task.detailed as unknown as DetailedTask));
    task.become(
      wire.wire === 'core' ? { status: 'completed' } : { status: 'completed', result: text('done') },
    );
    await clock.advance(300);
    await call;
    const methods = ['tasks/get', 'tasks/cancel', ...(wire.wire === 'core' ? ['tasks/result'] : [])];
    for (const method of methods) {
      expect(server.peer.paramsOf(method), method).not.toEqual([]);
      for (const params of server.peer.paramsOf(method))
        expect(JSON.stringify(params)).not.toContain(relatedTaskKey);
    }
  });

  it('takes another time to live in the life of the task', async () => {
    showsBy(wire.wire, { extension: 'ext-tasks/tasks/ttl-varies' });
    const { client, clock, task } = await start(wire, { tasks: otherBounds({ stuckAfter: 1_000 }) });
    task.ttl = 1_000;
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    let over = false;
    const failed = expect(call).rejects.toMatchObject({ message: expect.stringContaining('(60000 ms)') });
    failed.finally(() => {
      over = true;
    });
    task.ttl = 60_000;
    await clock.advance(59_000);
    await settled();
    expect(over).toBe(false);
    await clock.advance(2_000);
    await failed;
  });

  it('goes on polling while it waits for input and tasks/result', async () => {
    showsBy(wire.wire, {
      core: ['2025-11-25-tasks/tasks/poll-beside-result', '2025-11-25-tasks/tasks/poll-to-end'],
      extension: 'ext-tasks/tasks/poll-to-end',
    });
    const seen: unknown[] = [];
    let end = (_result: UnknownObject) => {};
    const result: Reply = () => new Promise((resolve) => (end = resolve));
    const { client, server, clock, task } = await start(wire, {
      script: { 'tasks/result': result },
      onElicit: () => ({ action: 'decline' }),
      tasks: { onTask: ({ status }) => seen.push(status) },
    });
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    const inputRequests = { a: { method: 'elicitation/create', params } };
    task.become({ status: 'input_required', ...(wire.wire === 'extension' && { inputRequests }) });
    await clock.advance(300);
    task.become({ status: 'working' });
    await clock.advance(600);
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(3);
    expect(seen).toEqual(['working', 'input_required', 'working']);
    task.become({ status: 'completed', ...(wire.wire === 'extension' && { result: text('done') }) });
    await clock.advance(300);
    end(text('done'));
    expect(await call).toMatchObject(text('done'));
  });
});

describe('a client with a task of the extension', () => {
  const reference: TaskReference = {
    endpoint: 'server scripted',
    wire: 'extension',
    taskId: 't-1',
    call: { name: 'always' },
  };

  it('takes an acknowledged cancellation for a wish: the task may go on, and end in another way', async () => {
    shows('ext-tasks/tasks/cancel-eventual', 'ext-tasks/tasks/cancel-other-end');
    const { client, task } = await start(extension, {
      script: { 'tasks/cancel': () => ({ resultType: 'complete' }) },
    });
    await client.tasks.cancel(reference);
    expect(await client.tasks.get(reference)).toMatchObject({ status: 'working' });
    task.become({ status: 'completed', result: text('done') });
    expect(await client.tasks.get(reference)).toMatchObject({ status: 'completed', result: text('done') });
  });

  it('reads tasks with the result of any request', async () => {
    shows('ext-tasks/tasks/more-methods');
    const { client, task } = await start(extension);
    const result = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] };
    task.become({ status: 'completed', result });
    expect(await client.tasks.get(reference)).toMatchObject({ status: 'completed', result });
  });
});

describe('a client that runs an input request as a task', () => {
  it('names the task in all its answers, except in those that have the task itself', async () => {
    shows('2025-11-25-tasks/tasks/related', '2025-11-25-tasks/tasks/related-result');
    shows('2025-11-25-tasks/tasks/related-not-answered', '2025-11-25-tasks/tasks/related-ignored');
    shows('2025-11-25-tasks/tasks/notices-unrelated', '2025-11-25-tasks/tasks/id-string');
    const { server } = await start(core, { onElicit: () => ({ action: 'decline' }) });
    const { peer } = server;
    const requestedSchema = { type: 'object', properties: {} };
    const params = { message: 'Which?', requestedSchema, task: {} };
    const { result: created } = await peer.ask('elicitation/create', params);
    const { taskId } = (created?.task ?? {}) as UnknownObject;
    const related = { [relatedTaskKey]: { taskId } };
    expect(taskId).toEqual(expect.any(String));
    expect(created?._meta).toEqual(related);
    const named = { taskId, _meta: { [relatedTaskKey]: { taskId: 'other' } } };
    expect((await peer.ask('tasks/result', named)).result?._meta).toEqual(related);
    for (const method of ['tasks/get', 'tasks/list']) {
      const { result } = await peer.ask(method, named);
      expect(JSON.stringify(result)).toContain(taskId);
      expect(result).not.toHaveProperty('_meta');
    }
    const [notice] = peer.paramsOf('notifications/tasks/status');
    expect(notice).toMatchObject({ taskId, status: 'completed' });
    expect(notice).not.toHaveProperty('_meta');
  });
});
