import { ErrorCode, type UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { core, extension, settled, start, text, type Wire, WireRefusal } from '../../test/scripted-tasks.js';
import type { TaskReference } from '../client.js';
import type { DetailedTask } from '../model/task.js';

const both = [core, extension];

/** Ends the task of a scripted server with this result. */
const complete = ({ wire }: Wire, result: UnknownObject) =>
  wire === 'core' ? { status: 'completed' } : { status: 'completed', result };

describe.each(both)('a call that becomes a task ($wire)', (wire) => {
  const name = 'always';

  it('resolves with the result of the task', async () => {
    showsBy(wire.wire, {
      core: [
        '2025-11-25-tasks/tasks/status-optional',
        '2025-11-25-tasks/tasks/poll-beside-notices',
        '2025-11-25-tasks/tasks/poll-to-end',
      ],
      extension: ['ext-tasks/tasks/either-answer', 'ext-tasks/tasks/poll-to-end'],
    });
    const { client, server, clock, task } = await start(wire, {
      script: wire.wire === 'core' ? { 'tasks/result': () => text('done') } : {},
    });
    await client.tools().all();
    const call = client.callTool(name, { size: 3 });
    await clock.advance(300);
    task.become(complete(wire, text('done')));
    await clock.advance(300);
    expect(await call).toMatchObject({ ...text('done'), isError: false });
    expect(server.peer.paramsOf('tasks/get')).toMatchObject([{ taskId: 't-1' }, { taskId: 't-1' }]);
    await clock.advance(600_000);
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(2);
  });

  it('requests the task at the interval of the server, and at the limits for other intervals', async () => {
    showsBy(wire.wire, {
      core: ['2025-11-25-tasks/tasks/poll-interval'],
      extension: ['ext-tasks/tasks/poll-interval', 'ext-tasks/tasks/poll-interval-varies'],
    });
    const { client, server, clock, task } = await start(wire);
    task.ttl = null;
    await client.tools().all();
    const gets = () => server.peer.paramsOf('tasks/get').length;
    const call = client.callTool(name);
    await clock.advance(299);
    expect(gets()).toBe(0);
    await clock.advance(1);
    expect(gets()).toBe(1);
    task.poll = 1;
    await clock.advance(300);
    expect(gets()).toBe(2);
    await clock.advance(99);
    expect(gets()).toBe(2);
    task.poll = 1e9;
    await clock.advance(1);
    expect(gets()).toBe(3);
    task.poll = undefined;
    await clock.advance(60_000);
    expect(gets()).toBe(4);
    await clock.advance(999);
    expect(gets()).toBe(4);
    await clock.advance(1);
    expect(gets()).toBe(5);
    await client.close();
    await expect(call).rejects.toMatchObject({ reason: 'closed' });
  });

  it('reports each change with a reference', async () => {
    showsBy(wire.wire, {
      core: ['2025-11-25-tasks/tasks/requestor-log', '2025-11-25-tasks/tasks/requestor-track'],
      extension: ['ext-tasks/tasks/status-message-shown', 'ext-tasks/tasks/ids-persisted'],
    });
    const seen: [DetailedTask, TaskReference][] = [];
    const onTask = (task: DetailedTask, reference: TaskReference) => seen.push([task, reference]);
    const { client, clock, task } = await start(wire, {
      tasks: { onTask },
      script: wire.wire === 'core' ? { 'tasks/result': () => text('done') } : {},
    });
    await client.tools().all();
    const call = client.callTool(name, { size: 3 });
    await clock.advance(600);
    task.become({ status: 'working', statusMessage: 'half' });
    await clock.advance(300);
    task.become(complete(wire, text('done')));
    await clock.advance(300);
    await call;
    expect(seen.map(([{ status, statusMessage }]) => [status, statusMessage])).toEqual([
      ['working', undefined],
      ['working', 'half'],
      ['completed', undefined],
    ]);
    const reference = { endpoint: 'server scripted', wire: wire.wire, taskId: 't-1' };
    expect(seen[0]?.[1]).toEqual({ ...reference, call: { name, arguments: { size: 3 } } });
    expect(seen[0]?.[0]).toMatchObject({ ttlMs: 60_000, pollIntervalMs: 300 });
    expect(JSON.parse(JSON.stringify(seen[0]?.[1]))).toEqual(seen[0]?.[1]);
  });

  it('reports the errors of onTask, and goes on', async () => {
    const onTask = ({ status }: DetailedTask): unknown => {
      if (status === 'working') throw new Error('disk full');
      return Promise.reject(new Error('too late'));
    };
    const { client, clock, task, errors } = await start(wire, {
      tasks: { onTask },
      script: wire.wire === 'core' ? { 'tasks/result': () => text('done') } : {},
    });
    await client.tools().all();
    const call = client.callTool(name);
    await settled();
    task.become(complete(wire, text('done')));
    await clock.advance(300);
    await call;
    const where = 'extension io.modelcontextprotocol/tasks';
    expect(errors).toEqual([
      [where, 'disk full'],
      [where, 'too late'],
    ]);
  });

  it('rejects with the error of the call, and stops requesting the task', async () => {
    const error = { code: -32050, message: 'quota', data: { left: 0 } };
    const refuse = () => new WireRefusal(error.code, error.message, error.data);
    const { client, server, clock, task } = await start(wire, { script: { 'tasks/result': refuse } });
    await client.tools().all();
    const call = client.callTool(name);
    const failed = expect(call).rejects.toMatchObject({
      name: 'RemoteError',
      ...{ code: -32050, peerMessage: 'quota', data: { left: 0 } },
      message: 'tools/call always: quota',
    });
    task.become({ status: 'failed', statusMessage: 'no quota', error });
    await clock.advance(300);
    await failed;
    await clock.advance(10_000);
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(1);
    expect(server.peer.methods).not.toContain('tasks/cancel');
  });

  it('resolves with a result that is an error of the tool', async () => {
    showsBy(wire.wire, { extension: ['ext-tasks/tasks/either-answer'] });
    const result = { ...text('no such file'), isError: true };
    const { client, clock, task } = await start(wire, { script: { 'tasks/result': () => result } });
    await client.tools().all();
    const call = client.callTool(name);
    task.become(wire.wire === 'core' ? { status: 'failed' } : { status: 'completed', result });
    await clock.advance(300);
    expect(await call).toEqual(result);
  });

  it('rejects when the server cancels the task', async () => {
    const { client, clock, task } = await start(wire);
    await client.tools().all();
    const call = client.callTool(name);
    const failed = expect(call).rejects.toMatchObject({
      reason: 'cancelled',
      message: 'The task t-1 of the tool "always" was cancelled. Maintenance.',
    });
    task.become({ status: 'cancelled', statusMessage: 'Maintenance.' });
    await clock.advance(300);
    await failed;
  });

  it('cancels the task, and not the request, when its signal aborts', async () => {
    showsBy(wire.wire, {
      core: ['2025-11-25-tasks/tasks/cancel-not-retained'],
      extension: [
        'ext-tasks/tasks/no-cancelled-notification',
        'ext-tasks/tasks/cancel-forgotten',
        'ext-tasks/tasks/poll-to-end',
      ],
    });
    const { client, server, clock } = await start(wire);
    await client.tools().all();
    const stop = new AbortController();
    const call = client.callTool(name, {}, { signal: stop.signal });
    const failed = expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    await clock.advance(400);
    stop.abort('enough');
    await failed;
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toMatchObject([{ taskId: 't-1' }]);
    await clock.advance(60_000);
    expect(server.peer.methods).not.toContain('notifications/cancelled');
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(1);
  });

  it('cancels the task when its total is over, and lasts longer than requestTotal without', async () => {
    const { client, server, clock } = await start(wire, { limits: { requestTotal: 5_000 } });
    await client.tools().all();
    const limited = expect(client.callTool(name, {}, { total: 2_000 })).rejects.toMatchObject({
      reason: 'timeout',
    });
    await clock.advance(2_000);
    await limited;
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toHaveLength(1);
  });

  it('leaves the task running when the client closes', async () => {
    const { client, server, clock } = await start(wire);
    await client.tools().all();
    const call = client.callTool(name);
    const failed = expect(call).rejects.toMatchObject({ reason: 'closed' });
    await clock.advance(300);
    await client.close();
    await failed;
    expect(server.peer.methods).not.toContain('tasks/cancel');
    expect(clock.waiting).toEqual([]);
  });

  it('rejects when the server no longer knows the task', async () => {
    const unknown = () => new WireRefusal(ErrorCode.invalidParams, 'Unknown task');
    const { client, server, clock } = await start(wire, { script: { 'tasks/get': unknown } });
    await client.tools().all();
    const failed = expect(client.callTool(name)).rejects.toMatchObject({ code: -32602 });
    await clock.advance(300);
    await failed;
    expect(server.peer.methods).not.toContain('tasks/cancel');
  });

  it.each<[string, UnknownObject]>([
    ['another task', { taskId: 't-2' }],
    ['no status', { status: 'sleeping' }],
    ['no time', { createdAt: 3 }],
  ])('rejects an answer to tasks/get with %s', async (_, wrong) => {
    const { client, clock, server, task } = await start(wire);
    await client.tools().all();
    const failed = expect(client.callTool(name)).rejects.toMatchObject({ reason: 'invalid-answer' });
    await settled();
    server.script = { ...server.script, 'tasks/get': () => ({ ...task.detailed, ...wrong }) };
    await clock.advance(300);
    await failed;
  });

  it.each<[string, UnknownObject]>([
    ['without an id', { taskId: '' }],
    ['with a too long id', { taskId: 'x'.repeat(1_025) }],
  ])('rejects a task %s', async (_, wrong) => {
    const { client, server, task } = await start(wire);
    await client.tools().all();
    const { created } = task;
    const answer =
      created.task === undefined ? { ...created, ...wrong } : { task: { ...task.flat, ...wrong } };
    server.script = { ...server.script, 'tools/call': () => answer };
    await expect(client.callTool(name)).rejects.toMatchObject({ reason: 'invalid-answer' });
    expect(server.peer.methods).not.toContain('tasks/get');
  });

  it('rejects a result that is not a tool result, or does not match the schema of the tool', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    for (const wrong of [{ done: true }, { content: [], structuredContent: { n: 'three' } }]) {
      const { client, clock, task, server } = await start(wire, { script: { 'tasks/result': () => wrong } });
      const { 'tools/list': list } = server.script;
      server.script = {
        ...server.script,
        'tools/list': async (...request) => {
          const page = (await list?.(...request)) as UnknownObject;
          const tools = page.tools as UnknownObject[];
          return { ...page, tools: tools.map((tool) => ({ ...tool, outputSchema })) };
        },
      };
      await client.tools().all();
      const failed = expect(client.callTool(name)).rejects.toMatchObject({ reason: 'invalid-answer' });
      task.become(complete(wire, wrong));
      await clock.advance(300);
      await failed;
    }
  });
});

it('passes the immediate response of the server with the creation, in the core protocol', async () => {
  const changes: unknown[] = [];
  const { client, server, clock, task } = await start(core, {
    tasks: { onTask: ({ status }, _reference, change) => changes.push([status, change]) },
    script: { 'tasks/result': () => text('done') },
  });
  const _meta = { 'io.modelcontextprotocol/model-immediate-response': 'Rendering.' };
  server.script = { ...server.script, 'tools/call': () => ({ ...task.created, _meta }) };
  await client.tools().all();
  const call = client.callTool('always');
  await settled();
  task.become({ status: 'completed' });
  await clock.advance(300);
  await call;
  expect(changes).toEqual([
    ['working', { immediateResponse: 'Rendering.' }],
    ['completed', {}],
  ]);
});

it('cancels the task of a call that is cancelled before its answer, in the core protocol', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { client, server, task, errors } = await start(core);
  server.script = {
    ...server.script,
    'tools/call': async () => {
      await answered;
      return task.created;
    },
  };
  await client.tools().all();
  const stop = new AbortController();
  const call = client.callTool('always', {}, { signal: stop.signal });
  const failed = expect(call).rejects.toMatchObject({
    reason: 'cancelled',
    message: 'tools/call always was cancelled by its caller.',
  });
  await settled();
  stop.abort('enough');
  await failed;
  expect(server.peer.methods).not.toContain('tasks/cancel');
  answer();
  await settled();
  expect(server.peer.paramsOf('tasks/cancel')).toMatchObject([{ taskId: 't-1' }]);
  expect(server.peer.methods).not.toContain('notifications/cancelled');
  expect(errors).toEqual([]);
});

describe('a tool for tasks only that is called before it is listed', () => {
  const refused = {
    isError: true,
    content: [{ type: 'text', text: 'MCP error -32601: Tool always requires task augmentation' }],
  };
  /** Answers a call without a task like the official SDK. */
  const official = {
    'tools/call': ({ task, name }: UnknownObject) =>
      task === undefined ? refused : { task: { ...created, taskId: String(name) } },
    'tasks/get': () => ({ ...created, taskId: 'always', status: 'completed' }),
    'tasks/result': () => text('done'),
  };
  const time = '2026-01-01T00:00:00Z';
  const created = { status: 'working', createdAt: time, lastUpdatedAt: time, ttl: null };

  it('is listed and called as a task when the server answers with a failed result', async () => {
    const { client, server, clock } = await start(core, { script: official });
    const call = client.callTool('always', { size: 3 });
    await clock.advance(1_000);
    expect(await call).toMatchObject({ ...text('done'), isError: false });
    expect(server.peer.paramsOf('tools/call')).toMatchObject([
      { name: 'always', arguments: { size: 3 } },
      { name: 'always', arguments: { size: 3 }, task: {} },
    ]);
    const again = client.callTool('always');
    await clock.advance(1_000);
    expect(await again).toMatchObject(text('done'));
    expect(server.peer.paramsOf('tools/list')).toHaveLength(1);
  });

  it('is called as a task after a change of the tools', async () => {
    const { client, server, clock } = await start(core, { script: official });
    await client.tools().all();
    server.peer.notify('notifications/tools/list_changed', {});
    await settled();
    const call = client.callTool('always');
    await clock.advance(1_000);
    expect(await call).toMatchObject(text('done'));
  });

  it.each(['either', 'never', 'unlisted'])('is not called again when it is not one: %s', async (name) => {
    const failed = { isError: true, content: [{ type: 'text', text: 'broken' }] };
    const { client, server } = await start(core, { script: { 'tools/call': () => failed } });
    expect(await client.callTool(name)).toMatchObject(failed);
    expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
  });

  it('is not called again when its task ends with an error', async () => {
    const { client, server, clock } = await start(core, {
      script: { ...official, 'tasks/result': () => refused },
    });
    await client.tools().all();
    const call = client.callTool('always');
    await clock.advance(1_000);
    expect(await call).toMatchObject(refused);
    expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
  });
});
