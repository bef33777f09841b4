import type { Revision } from '@tenon/mcp-protocol';
import { createServer, RpcError, ToolError } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import type { HttpPeer, Json } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  core,
  declared,
  extension,
  forms,
  Gate,
  nameForm,
  type ServerSettings,
  type TaskServer,
  TaskServers,
  transports,
  until,
  without,
} from '../../test/task-servers.js';
import { extensionId, relatedTaskKey } from '../model/task.js';
import { tasks } from './tasks.js';

/** A server with one tool for each case, and the end of its slow tool. */
function served(settings: ServerSettings = {}) {
  const servers = new TaskServers();
  const gate = new Gate();
  const { server } = servers.open({}, settings);
  server
    .tool('plain', {}, () => 'plain')
    .tool('slow', { task: 'allow' }, async () => {
      await gate.passed;
      return 'slow';
    })
    .tool('quick', { task: 'allow' }, () => 'quick')
    .tool('job', { task: 'always' }, async () => {
      await gate.passed;
      return 'job';
    })
    .tool('failing', { task: 'always' }, () => {
      throw new ToolError('The disk is full.');
    })
    .tool('broken', { task: 'always' }, () => {
      throw new RpcError(-31950, 'The quota is used up.', { data: { quota: 5 } });
    })
    .tool('greet', { task: { support: 'always', immediate: 'Asking for the name.' } }, async (_, ctx) => {
      const answer = await ctx.elicit('name', { message: 'Your name?', schema: nameForm });
      return `Hello, ${answer.content?.name}`;
    });
  return { ...servers, servers, server, gate };
}

describe.each(transports)('tasks over %s', (transport) => {
  const connect = (
    server: ReturnType<typeof served>['server'],
    revision: Revision,
    capabilities = declared,
  ) => connectPeer(server, revision, { transport, ...(revision === extension && { capabilities }) });

  describe('in the revision with tasks in its core', () => {
    it('declares the capability of the core, and no extension', async () => {
      const peer = await connect(served().server, core);
      const { result } = peer.received[0] as { result: Json };
      expect(result.capabilities?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
      expect(result.capabilities).not.toHaveProperty('extensions');
    });

    it('lists the support of each tool', async () => {
      const peer = await connect(served().server, core);
      const { result } = await peer.request('tools/list');
      const listed = (result?.tools ?? []) as readonly Json[];
      const support = Object.fromEntries(listed.map(({ name, execution }) => [name, execution]));
      expect(support).toMatchObject({ slow: { taskSupport: 'optional' }, job: { taskSupport: 'required' } });
      expect(support.plain).toBeUndefined();
    });

    it('answers with a nested task that is working, and requests its result', async () => {
      const { server, gate } = served();
      const peer = await connect(server, core);
      const { result } = await peer.request('tools/call', {
        name: 'slow',
        arguments: {},
        task: { ttl: 5_000 },
      });
      const task = result?.task as Json;
      expect(task).toEqual({
        taskId: expect.stringMatching(/^[\w-]{22}$/),
        status: 'working',
        createdAt: '2023-11-14T22:13:20.000Z',
        lastUpdatedAt: '2023-11-14T22:13:20.000Z',
        ttl: 5_000,
        pollInterval: 1_000,
      });
      expect(result).not.toHaveProperty('resultType');
      expect(result?._meta).toEqual({ [relatedTaskKey]: { taskId: task.taskId } });
      const got = await peer.request('tasks/get', { taskId: task.taskId });
      expect(got.result).toEqual(task);
      const ended = peer.request('tasks/result', { taskId: task.taskId });
      gate.open();
      expect((await ended).result).toEqual({
        isError: false,
        content: [{ type: 'text', text: 'slow' }],
        _meta: { [relatedTaskKey]: { taskId: task.taskId } },
      });
      expect(await until(peer, task, 'completed')).not.toHaveProperty('result');
    });

    it('has a text for the model', async () => {
      const peer = await connect(served().server, core);
      const { result } = await peer.request('tools/call', { name: 'greet', arguments: {}, task: {} });
      expect(result?._meta).toMatchObject({
        'io.modelcontextprotocol/model-immediate-response': 'Asking for the name.',
      });
    });

    it('shows a failure of the tool as failed, and returns its result', async () => {
      const peer = await connect(served().server, core);
      const task = await begin(peer, 'failing');
      expect(await until(peer, task, 'failed')).toMatchObject({ statusMessage: 'The disk is full.' });
      const { result } = await peer.request('tasks/result', { taskId: task.taskId });
      expect(result).toMatchObject({ isError: true, _meta: { [relatedTaskKey]: { taskId: task.taskId } } });
    });

    it('shows a JSON-RPC error as failed, and answers with it', async () => {
      const peer = await connect(served().server, core);
      const task = await begin(peer, 'broken');
      expect(await until(peer, task, 'failed')).toMatchObject({ statusMessage: 'The quota is used up.' });
      const { error } = await peer.request('tasks/result', { taskId: task.taskId });
      expect(error).toEqual({ code: -31950, message: 'The quota is used up.', data: { quota: 5 } });
    });

    it('requests input on the stream of tasks/result, with the id of the task', async () => {
      const peer = await connect(served().server, core);
      const task = await begin(peer, 'greet');
      await until(peer, task, 'input_required');
      const ended = peer.request('tasks/result', { taskId: task.taskId });
      const asked = await peer.heard('elicitation/create');
      expect(asked.params).toMatchObject({
        message: 'Your name?',
        _meta: { [relatedTaskKey]: { taskId: task.taskId } },
      });
      peer.answer(asked, { action: 'accept', content: { name: 'Ada' } });
      expect((await ended).result?.content?.[0]).toMatchObject({ text: 'Hello, Ada' });
    });

    it('fails the tool if the client rejects the input request', async () => {
      const peer = await connect(served().server, core);
      const task = await begin(peer, 'greet');
      const ended = peer.request('tasks/result', { taskId: task.taskId });
      peer.reject(await peer.heard('elicitation/create'), -1, 'No user.');
      expect((await ended).result).toMatchObject({ isError: true });
    });

    it('cancels at once, and not twice', async () => {
      const peer = await connect(served().server, core);
      const { taskId } = await begin(peer, 'job');
      const { result } = await peer.request('tasks/cancel', { taskId });
      expect(result).toMatchObject({ taskId, status: 'cancelled', ttl: 3_600_000 });
      expect((await peer.request('tasks/cancel', { taskId })).error?.code).toBe(-32602);
      expect((await peer.request('tasks/result', { taskId })).error?.message).toContain('cancelled');
    });

    it('rejects a call of the wrong sort', async () => {
      const peer = await connect(served().server, core);
      const augmented = await peer.request('tools/call', { name: 'plain', arguments: {}, task: {} });
      expect(augmented.error).toMatchObject({ code: -32601, message: expect.stringContaining('"plain"') });
      const blocking = await peer.request('tools/call', { name: 'job', arguments: {} });
      expect(blocking.error).toMatchObject({ code: -32601, message: expect.stringContaining('"job"') });
    });

    it('answers an ordinary call of an optional tool with its result', async () => {
      const { server, gate } = served();
      const peer = await connect(server, core);
      gate.open();
      const { result } = await peer.request('tools/call', { name: 'slow', arguments: {} });
      expect(result).toEqual({ isError: false, content: [{ type: 'text', text: 'slow' }] });
    });

    it('rejects unknown tasks and the methods of the extension', async () => {
      const peer = await connect(served().server, core);
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        for (const taskId of ['unknown', 'AAAAAAAAAAAAAAAAAAAAAA', '../../session/x'])
          expect((await peer.request(method, { taskId })).error?.code).toBe(-32602);
      expect((await peer.request('tasks/update', { taskId: 'a' })).error?.code).toBe(-32601);
    });

    it('ignores a declared extension', async () => {
      const peer = await connectPeer(served().server, core, { transport, capabilities: declared });
      const { result } = await peer.request('tools/call', { name: 'quick', arguments: {} });
      expect(result).toEqual({ isError: false, content: [{ type: 'text', text: 'quick' }] });
    });
  });

  describe('in the revision in which they are an extension', () => {
    it('declares the extension, and no capability of the core', async () => {
      const peer = await connect(served().server, extension);
      const { result } = await peer.request('server/discover');
      expect(result?.capabilities?.extensions).toMatchObject({ [extensionId]: {} });
      expect(result?.capabilities).not.toHaveProperty('tasks');
      const page = (await peer.request('tools/list')).result as Json;
      for (const tool of page.tools as readonly Json[]) expect(tool).not.toHaveProperty('execution');
    });

    it('answers with a flat task, and inlines its result', async () => {
      const { server, gate } = served();
      const peer = await connect(server, extension);
      const { result } = await peer.request('tools/call', { name: 'job', arguments: {} });
      expect(result).toMatchObject({
        resultType: 'task',
        taskId: expect.stringMatching(/^[\w-]{22}$/),
        status: 'working',
        createdAt: '2023-11-14T22:13:20.000Z',
        lastUpdatedAt: '2023-11-14T22:13:20.000Z',
        ttlMs: 3_600_000,
        pollIntervalMs: 1_000,
      });
      for (const name of ['task', 'ttl', 'pollInterval', 'result', 'error', 'inputRequests', 'requestState'])
        expect(result).not.toHaveProperty(name);
      const got = await peer.request('tasks/get', { taskId: result?.taskId });
      expect(got.result).toMatchObject({ resultType: 'complete', status: 'working' });
      expect(got.result).not.toHaveProperty('requestState');
      gate.open();
      const ended = await until(peer, result as Json, 'completed');
      const content = [{ type: 'text', text: 'job' }];
      expect(ended.result).toEqual({ resultType: 'complete', content, isError: false });
      expect(JSON.stringify(ended)).not.toContain(relatedTaskKey);
    });

    it('answers with the result if the handler ends soon', async () => {
      const peer = await connect(served().server, extension);
      const { result } = await peer.request('tools/call', { name: 'quick', arguments: {}, task: { ttl: 1 } });
      expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'quick' }] });
    });

    it('makes a task of a call that takes longer', async () => {
      const { server, clock, gate } = served();
      const peer = await connect(server, extension);
      const answer = peer.request('tools/call', { name: 'slow', arguments: {} });
      await clock.armed(1_000);
      await clock.advance(1_000);
      const { result } = await answer;
      expect(result).toMatchObject({ resultType: 'task', status: 'working' });
      gate.open();
      const ended = await until(peer, result as Json, 'completed');
      expect(ended.result?.content?.[0]).toMatchObject({ text: 'slow' });
    });

    it('shows a failure of the tool as completed', async () => {
      const peer = await connect(served().server, extension);
      const ended = await until(peer, await begin(peer, 'failing'), 'completed');
      expect(ended.result).toMatchObject({ isError: true });
      expect(ended).not.toHaveProperty('error');
    });

    it('shows a JSON-RPC error as failed, with the error', async () => {
      const peer = await connect(served().server, extension);
      const ended = await until(peer, await begin(peer, 'broken'), 'failed');
      expect(ended.error).toEqual({ code: -31950, message: 'The quota is used up.', data: { quota: 5 } });
      expect(ended).toMatchObject({ statusMessage: 'The quota is used up.' });
      expect(ended).not.toHaveProperty('result');
    });

    it('shows input requests, and takes answers by tasks/update', async () => {
      const peer = await connect(served().server, extension);
      const task = await begin(peer, 'greet');
      const { taskId } = task;
      const asked = await until(peer, task, 'input_required');
      expect(asked.inputRequests).toEqual({
        name: {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'Your name?', requestedSchema: nameForm },
        },
      });
      const inputResponses = {
        name: { action: 'accept', content: { name: 'Ada' } },
        other: { ignored: true },
      };
      const { result } = await peer.request('tasks/update', { taskId, inputResponses });
      expect(result).toMatchObject({ resultType: 'complete' });
      for (const name of ['taskId', 'status', 'result']) expect(result).not.toHaveProperty(name);
      const ended = await until(peer, task, 'completed');
      expect(ended.result?.content?.[0]).toMatchObject({ text: 'Hello, Ada' });
    });

    it('acknowledges cancellation, also of a task that has ended', async () => {
      const peer = await connect(served().server, extension);
      const task = await begin(peer, 'job');
      for (let time = 0; time < 2; time++) {
        const { result } = await peer.request('tasks/cancel', { taskId: task.taskId });
        expect(result).toMatchObject({ resultType: 'complete' });
        for (const name of ['taskId', 'status', 'result', 'error']) expect(result).not.toHaveProperty(name);
        expect(await until(peer, task, 'cancelled')).not.toHaveProperty('result');
      }
    });

    it('rejects clients that did not declare the extension before it looks for the task', async () => {
      const { server } = served();
      const other = await connectPeer(server, extension, { transport, capabilities: forms });
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        for (const params of [{ taskId: 'gate-test' }, {}])
          expect((await other.request(method, params)).error).toMatchObject({
            code: -32021,
            data: { requiredCapabilities: { extensions: { [extensionId]: {} } } },
          });
      const listening = await other.request('subscriptions/listen', { notifications: { taskIds: ['a'] } });
      expect(listening.error?.code).toBe(-32021);
      const call = await other.request('tools/call', { name: 'job', arguments: {} });
      expect(call.error?.code).toBe(-32021);
      const { result } = await other.request('tools/call', { name: 'quick', arguments: {} });
      expect(result).toMatchObject({ resultType: 'complete' });
    });

    it('rejects unknown tasks, malformed params and the methods of the core', async () => {
      const peer = await connect(served().server, extension);
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        for (const params of [
          { taskId: 'unknown', inputResponses: {} },
          { taskId: 'AAAAAAAAAAAAAAAAAAAAAA' },
        ])
          expect((await peer.request(method, params)).error?.code).toBe(-32602);
      for (const method of ['tasks/result', 'tasks/list'])
        expect((await peer.request(method, { taskId: 'a' })).error?.code).toBe(-32601);
    });

    it('lets clients with the old capability read and cancel old tasks, and no others', async () => {
      const { server } = served();
      const old = await connect(server, core);
      const made = await begin(old, 'job');
      const fresh = await begin(await connect(server, extension), 'job');
      const peer = await connectPeer(server, extension, {
        transport,
        capabilities: { tasks: { cancel: {} } },
      });
      const { result } = await peer.request('tasks/get', { taskId: made.taskId });
      expect(result).toMatchObject({ status: 'working', ttlMs: 3_600_000 });
      expect((await peer.request('tasks/get', { taskId: fresh.taskId })).error?.code).toBe(-32021);
      expect((await peer.request('tasks/get', { taskId: 'unknown' })).error?.code).toBe(-32021);
      const update = await peer.request('tasks/update', { taskId: made.taskId, inputResponses: {} });
      expect(update.error?.code).toBe(-32021);
      expect((await peer.request('tasks/cancel', { taskId: made.taskId })).result).toBeDefined();
      expect(await until(old, made, 'cancelled')).toBeDefined();
    });
  });

  it('needs no option state', async () => {
    const { server } = served({ isAlone: true });
    const peer = await connect(server, extension);
    const ended = await until(peer, await begin(peer, 'failing'), 'completed');
    expect(ended.result).toMatchObject({ isError: true });
  });

  // HTTP+SSE, the transport of the oldest revision, is another endpoint.
  const blocking = without.filter(
    ({ rules }) => transport === 'memory' || rules.versionHeader || rules.resumable,
  );
  it.each(blocking)('answers calls with results in $id, which has no tasks', async (revision) => {
    const { server, gate } = served();
    const peer = await connectPeer(server, revision, { transport });
    gate.open();
    const { result } = await peer.request('tools/call', { name: 'job', arguments: {} });
    expect(result?.content?.[0]).toMatchObject({ text: 'job' });
    expect((await peer.request('tasks/get', { taskId: 'a' })).error?.code).toBe(-32601);
  });
});

describe('tasks over HTTP', () => {
  it('rejects headers that name another task or method', async () => {
    const { server } = served();
    const peer = (await connectPeer(server, extension, { transport: 'HTTP' })) as HttpPeer;
    const { taskId } = await begin(peer, 'job');
    expect((await peer.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    peer.headers = { 'mcp-name': 'another' };
    expect((await peer.request('tasks/get', { taskId })).error?.code).toBe(-32020);
    peer.headers = { 'mcp-method': 'tasks/get' };
    expect((await peer.request('tools/call', { name: 'job', arguments: {} })).error?.code).toBe(-32020);
  });
});

describe('tasks()', () => {
  it('serves one server', async () => {
    const extensions = [tasks()];
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const [one, two] = [1, 2].map(() =>
      createServer({ name: 'test', version: '1' }, { extensions, onError }).tool(
        'job',
        { task: 'always' },
        () => 'done',
      ),
    ) as unknown as [TaskServer, TaskServer];
    await begin(await connectPeer(one, extension), 'job');
    const peer = await connectPeer(two, extension);
    await peer.request('tools/call', { name: 'job', arguments: {} });
    expect(errors.map(String)).toContainEqual(expect.stringContaining('call it once for each server'));
  });
});
