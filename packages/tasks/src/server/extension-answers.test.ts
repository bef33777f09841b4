import { RpcError, ToolError } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  extension,
  forms,
  Gate,
  nameForm,
  type TaskServer,
  TaskServers,
  transports,
  until,
} from '../../test/task-servers.js';
import { extensionId } from '../model/task.js';

function served() {
  const servers = new TaskServers();
  const gate = new Gate();
  const register = (server: TaskServer) =>
    server
      .tool('work', { task: 'always' }, async () => {
        await gate.passed;
        return 'worked';
      })
      .tool('quick', { task: 'allow' }, () => 'quick')
      .tool('slow', { task: { support: 'allow', promoteAfter: 0 } }, () => 'slow')
      .tool('failing', { task: 'always' }, () => {
        throw new ToolError('The disk is full.');
      })
      .tool('broken', { task: 'always' }, () => {
        throw new RpcError(-31950, 'The quota is used up.', { data: { quota: 5 } });
      })
      .tool('names', { task: 'always' }, async (_, ctx) => {
        const ask = (key: string) => ctx.elicit(key, { message: key, schema: nameForm });
        await Promise.all([ask('first'), ask('second')]);
        return 'named';
      });
  const { server } = servers.open();
  register(server);
  return { server, gate, another: () => register(servers.open().server) };
}

const members = (result: Json | undefined) => Object.keys(result ?? {}).filter((name) => name !== '_meta');

describe.each(transports)('answers about tasks of the extension over %s', (transport) => {
  const connect = ({ server }: Pick<ReturnType<typeof served>, 'server'>) =>
    connectPeer(server, extension, { transport });

  it('are tasks when the server decides so, marked by their result type', async () => {
    shows('2026-07-28/basic/index/result-type-extended', 'draft-tools/tools/task-support');
    shows('ext-tasks/tasks/server-decides');
    shows('ext-tasks/tasks/result-type', 'ext-tasks/tasks/result-type-only');
    const peer = await connect(served());
    const types: unknown[] = [];
    for (const name of ['quick', 'slow'])
      types.push((await peer.request('tools/call', { name, arguments: {} })).result?.resultType);
    expect(types).toEqual(['complete', 'task']);
    const listed = (await peer.request('tools/list')).result as Json;
    expect(listed.resultType).toBe('complete');
    expect(listed.tools?.[0]).not.toHaveProperty('execution');
  });

  it('show each status with its data', async () => {
    shows('ext-tasks/tasks/get-by-status', 'ext-tasks/tasks/get-working', 'ext-tasks/tasks/get-completed');
    shows('ext-tasks/tasks/get-failed', 'ext-tasks/tasks/get-cancelled', 'ext-tasks/tasks/get-result-type');
    shows('ext-tasks/tasks/get-input-required', 'ext-tasks/tasks/get-all-requests');
    shows('ext-tasks/tasks/failed-for-errors', 'ext-tasks/tasks/tool-failure-completed');
    shows('ext-tasks/tasks/result-same', 'ext-tasks/tasks/failure-message');
    const given = served();
    const peer = await connect(given);
    const all = async (name: string, status: string) => {
      const task = await until(peer, await begin(peer, name), status);
      expect(task).toMatchObject({ resultType: 'complete', status });
      const data = ['inputRequests', 'result', 'error'].filter((member) => Object.hasOwn(task, member));
      return { task, data };
    };
    const working = await all('work', 'working');
    expect(working.data).toEqual([]);
    const asking = await all('names', 'input_required');
    expect(asking.data).toEqual(['inputRequests']);
    const both = ({ inputRequests }: Json) => Object.keys(inputRequests ?? {}).length === 2;
    expect(Object.keys((await until(peer, asking.task, both)).inputRequests ?? {}).sort()).toEqual([
      'first',
      'second',
    ]);
    const broken = await all('broken', 'failed');
    expect(broken.data).toEqual(['error']);
    expect(broken.task).toMatchObject({
      statusMessage: 'The quota is used up.',
      error: { code: -31950, message: 'The quota is used up.', data: { quota: 5 } },
    });
    const failing = await all('failing', 'completed');
    expect(failing.data).toEqual(['result']);
    expect(failing.task.result).toMatchObject({ isError: true, content: [{ text: 'The disk is full.' }] });
    given.gate.open();
    expect((await until(peer, working.task, 'completed')).result).toMatchObject({
      content: [{ text: 'worked' }],
    });
    await peer.request('tasks/cancel', { taskId: asking.task.taskId });
    const cancelled = await until(peer, asking.task, 'cancelled');
    for (const member of ['inputRequests', 'result', 'error']) expect(cancelled).not.toHaveProperty(member);
  });

  it('acknowledge updates and cancellation with nothing but the result type', async () => {
    shows('ext-tasks/tasks/update-acknowledged', 'ext-tasks/tasks/update-result-type');
    shows('ext-tasks/tasks/cancel-acknowledged', 'ext-tasks/tasks/cancel-result-type');
    shows('ext-tasks/tasks/update-ignored', 'ext-tasks/tasks/update-partial');
    const peer = await connect(served());
    const task = await begin(peer, 'names');
    const { taskId } = task;
    const count = (wanted: number) => (found: Json) =>
      Object.keys(found.inputRequests ?? {}).length === wanted;
    await until(peer, task, count(2));
    const accept = { action: 'accept', content: { name: 'Ada' } };
    const answers = [];
    for (const inputResponses of [{ first: accept }, { first: accept, never: accept }])
      answers.push(await peer.request('tasks/update', { taskId, inputResponses }));
    expect(await until(peer, task, count(1))).toMatchObject({ inputRequests: { second: {} } });
    for (let time = 0; time < 2; time++) answers.push(await peer.request('tasks/cancel', { taskId }));
    for (const { result } of answers) {
      expect(members(result)).toEqual(['resultType']);
      expect(result?.resultType).toBe('complete');
    }
  });

  it('are errors for clients without the extension, whatever the task', async () => {
    shows('ext-tasks/tasks/undeclared-no-task', 'ext-tasks/tasks/task-needed');
    shows('ext-tasks/tasks/undeclared-methods', 'ext-tasks/tasks/notices-undeclared');
    shows('ext-tasks/tasks/errors-informative', 'ext-tasks/tasks/errors-standard');
    const given = served();
    const { taskId } = await begin(await connect(given), 'work');
    const peer = await connectPeer(given.server, extension, { transport, capabilities: forms });
    for (const [method, params] of [
      ['tools/call', { name: 'work', arguments: {} }],
      ['tasks/get', { taskId }],
      ['tasks/update', { taskId, inputResponses: {} }],
      ['tasks/cancel', { taskId }],
      ['subscriptions/listen', { notifications: { taskIds: [taskId] } }],
    ] as const)
      expect((await peer.request(method, params)).error).toEqual({
        code: -32021,
        message: expect.stringContaining(extensionId),
        data: { requiredCapabilities: { extensions: { [extensionId]: {} } } },
      });
    const { result } = await peer.request('tools/call', { name: 'slow', arguments: {} });
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'slow' }] });
  });

  it('are errors for unknown tasks', async () => {
    shows('ext-tasks/tasks/unknown-get', 'ext-tasks/tasks/unknown-update');
    shows('ext-tasks/tasks/unknown-cancel', 'ext-tasks/tasks/errors-informative');
    const peer = await connect(served());
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await peer.request(method, { taskId: 'unknown', inputResponses: {} });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Unknown task') });
    }
  });

  it('find a new task at once, also in another process and for callers that only know its id', async () => {
    shows('ext-tasks/tasks/created-durably', 'ext-tasks/tasks/id-bearer');
    const given = served();
    const peer = await connect(given);
    const other = await connect({ server: given.another() });
    for (let count = 0; count < 10; count++) {
      const { taskId } = await begin(peer, 'work');
      expect((await other.request('tasks/get', { taskId })).result).toMatchObject({ taskId });
    }
  });

  it('go on when a client cancels the request that became the task', async () => {
    shows('ext-tasks/tasks/no-cancelled-notification');
    const given = served();
    const peer = await connect(given);
    const id = peer.send('tools/call', { name: 'work', arguments: {} });
    const { result } = await peer.next((message) => message.id === id);
    peer.cancel(id);
    await until(peer, result as Json, 'working');
    given.gate.open();
    expect(await until(peer, result as Json, 'completed')).toHaveProperty('result');
  });
});

describe('keys of input requests', () => {
  it('stand for one request of the task', async () => {
    shows('ext-tasks/tasks/key-unique', 'ext-tasks/tasks/key-one-request', 'ext-tasks/tasks/key-not-reused');
    const servers = new TaskServers();
    const { server } = servers.open();
    server.tool('twice', { task: 'always' }, async (_, ctx) => {
      const ask = (message: string) => ctx.elicit('name', { message, schema: nameForm });
      await ask('Your name?');
      await ask('The name of your friend?');
      return 'asked';
    });
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'twice');
    const asked = await until(peer, task, 'input_required');
    expect(asked.inputRequests?.name?.params).toMatchObject({ message: 'Your name?' });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    await peer.request('tasks/update', { taskId: task.taskId, inputResponses });
    const ended = await until(peer, task, ({ status, inputRequests }) => {
      expect(inputRequests?.name?.params?.message ?? 'Your name?').toBe('Your name?');
      return (status as unknown) === 'completed';
    });
    expect(ended.result).toMatchObject({ isError: true });
    expect(servers.errors).toEqual([expect.objectContaining({ message: expect.stringContaining('"name"') })]);
  });
});
