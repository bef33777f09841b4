import { RpcError, ToolError } from '@tenon/mcp-server';
import { describe, expect, it, vi } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  core,
  Events,
  Gate,
  nameForm,
  TaskServers,
  transports,
  until,
} from '../../test/task-servers.js';
import { relatedTaskKey } from '../model/task.js';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A server with tools that run as tasks and without one. It keeps the reasons with which `work` was aborted. */
function served() {
  const servers = new TaskServers();
  const gate = new Gate();
  const aborted = new Events<unknown>();
  const { server } = servers.open();
  server
    .tool('plain', {}, () => 'plain')
    .tool('work', { task: 'allow' }, async (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason), { once: true });
      await gate.passed;
      return 'worked';
    })
    .tool('job', { task: 'always' }, () => 'job')
    .tool('failing', { task: 'allow' }, () => {
      throw new ToolError('The disk is full.');
    })
    .tool('broken', { task: 'allow' }, () => {
      throw new RpcError(-31950, 'The quota is used up.', { data: { quota: 5 } });
    })
    .tool('greet', { task: 'allow' }, async (_, ctx) => {
      const { content } = await ctx.elicit('name', { message: 'Your name?', schema: nameForm });
      return `Hello, ${content?.name}`;
    });
  return { server, gate, aborted };
}

const relatedTo = ({ taskId }: Json) => ({ [relatedTaskKey]: { taskId } });

describe.each(transports)('answers about tasks in the core protocol over %s', (transport) => {
  const connect = ({ server }: ReturnType<typeof served>) => connectPeer(server, core, { transport });

  it('declares tasks, and tells which tools run as tasks', async () => {
    shows('2025-11-25-tasks/tasks/declared', '2025-11-25-tasks/tasks/optional-either');
    shows('2025-11-25-tasks/tasks/forbidden-rejected', '2025-11-25-tasks/tasks/required-rejected');
    shows('2025-11-25-tasks/tasks/errors-informative', '2025-11-25-tasks/tasks/errors-standard');
    const given = served();
    const peer = await connect(given);
    expect(peer.received[0]?.result?.capabilities?.tasks?.requests).toEqual({ tools: { call: {} } });
    given.gate.open();
    const plain = await peer.request('tools/call', { name: 'work', arguments: {} });
    expect(plain.result?.content?.[0]).toMatchObject({ text: 'worked' });
    expect(await begin(peer, 'work')).toMatchObject({ status: 'working' });
    for (const params of [{ name: 'plain', task: {} }, { name: 'job' }]) {
      const { error } = await peer.request('tools/call', { ...params, arguments: {} });
      expect(error).toMatchObject({ code: -32601, message: expect.stringContaining(params.name) });
    }
  });

  it('has the times of the task in each answer, and no related-task metadata', async () => {
    shows('2025-11-25-tasks/tasks/begins-working', '2025-11-25-tasks/tasks/create-result');
    shows('2025-11-25-tasks/tasks/create-soon', '2025-11-25-tasks/tasks/related-not-answered');
    shows('2025-11-25-tasks/tasks/created-at', '2025-11-25-tasks/tasks/updated-at');
    shows('2025-11-25-tasks/tasks/ttl-requested', '2025-11-25-tasks/tasks/ttl-actual');
    shows('2025-11-25-tasks/tasks/poll-interval-offered', '2025-11-25-tasks/tasks/get-transport-rules');
    const peer = await connect(served());
    const made = await begin(peer, 'work', { ttl: 5_000 });
    const { taskId } = made;
    const got = (await peer.request('tasks/get', { taskId })).result;
    const cancelled = (await peer.request('tasks/cancel', { taskId })).result;
    expect(made).toMatchObject({ status: 'working' });
    for (const task of [made, got, cancelled]) {
      expect(task).toMatchObject({
        taskId,
        createdAt: expect.stringMatching(isoTime),
        lastUpdatedAt: expect.stringMatching(isoTime),
        ttl: 5_000,
        pollInterval: 1_000,
      });
      expect(task).not.toHaveProperty('_meta');
    }
  });

  it('answers tasks/result as the call itself, once the task has ended', async () => {
    shows('2025-11-25-tasks/tasks/result-blocks', '2025-11-25-tasks/tasks/result-of-ended');
    shows('2025-11-25-tasks/tasks/result-exact', '2025-11-25-tasks/tasks/response-same');
    shows('2025-11-25-tasks/tasks/related', '2025-11-25-tasks/tasks/related-result');
    const given = served();
    const peer = await connect(given);
    const task = await begin(peer, 'work');
    const waiting = peer.send('tasks/result', { taskId: task.taskId });
    await until(peer, task, 'working');
    const isAnswer = ({ id, method }: { id?: unknown; method?: unknown }) =>
      id === waiting && method === undefined;
    expect(peer.received.filter(isAnswer)).toEqual([]);
    given.gate.open();
    const { result } = await peer.next(isAnswer);
    const plain = await peer.request('tools/call', { name: 'work', arguments: {} });
    expect(result).toEqual({ ...plain.result, _meta: relatedTo(task) });
    expect((await peer.request('tasks/result', { taskId: task.taskId })).result).toEqual(result);
  });

  it('answers tasks/result with the failure of the call, and says the cause in the status message', async () => {
    shows('2025-11-25-tasks/tasks/error-same', '2025-11-25-tasks/tasks/failure-message');
    shows('2025-11-25-tasks/tasks/result-of-ended', '2025-11-25-tasks/tasks/result-exact');
    shows('2025-11-25-tasks/tasks/response-same', '2025-11-25-tasks/tasks/errors-informative');
    const peer = await connect(served());
    for (const [name, statusMessage] of [
      ['broken', 'The quota is used up.'],
      ['failing', 'The disk is full.'],
    ] as const) {
      const task = await begin(peer, name);
      expect(await until(peer, task, 'failed')).toMatchObject({ statusMessage });
      const { error, result } = await peer.request('tasks/result', { taskId: task.taskId });
      const plain = await peer.request('tools/call', { name, arguments: {} });
      expect(error).toEqual(plain.error);
      expect(result).toEqual(plain.result && { ...plain.result, _meta: relatedTo(task) });
    }
  });

  it('requires input until the client has answered, in a request with the id of the task', async () => {
    shows('2025-11-25-tasks/tasks/input-required', '2025-11-25-tasks/tasks/input-complete');
    shows('2025-11-25-tasks/tasks/input-related', '2025-11-25-tasks/tasks/related');
    const peer = await connect(served());
    const task = await begin(peer, 'greet');
    await until(peer, task, 'input_required');
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    const asked = await peer.heard('elicitation/create');
    expect(asked.params?._meta).toMatchObject(relatedTo(task));
    await until(peer, task, 'input_required');
    peer.answer(asked, { action: 'accept', content: { name: 'Ada' } });
    expect((await ended).result?._meta).toEqual(relatedTo(task));
    await until(peer, task, 'completed');
  });

  it('is cancelled in the answer to tasks/cancel, stops, and stays cancelled when its handler ends', async () => {
    shows('2025-11-25-tasks/tasks/cancel-before-answer', '2025-11-25-tasks/tasks/cancel-stops');
    shows('2025-11-25-tasks/tasks/cancel-stays', '2025-11-25-tasks/tasks/cancel-ended');
    shows('2025-11-25-tasks/tasks/cancel-deletes', '2025-11-25-tasks/tasks/errors-informative');
    const given = served();
    const peer = await connect(given);
    const task = await begin(peer, 'work');
    const { taskId } = task;
    const { result } = await peer.request('tasks/cancel', { taskId });
    expect(result).toMatchObject({ taskId, status: 'cancelled' });
    expect(String((await given.aborted.reached(1))[0])).toContain('cancelled');
    given.gate.open();
    const again = await peer.request('tasks/cancel', { taskId });
    expect(again.error).toMatchObject({ code: -32602, message: expect.stringContaining('cancelled') });
    expect((await peer.request('tasks/get', { taskId })).result).toEqual(result);
  });

  it('follows the parameter taskId, and ignores related-task metadata', async () => {
    shows('2025-11-25-tasks/tasks/id-param', '2025-11-25-tasks/tasks/related-ignored');
    shows('2025-11-25-tasks/tasks/unknown-task', '2025-11-25-tasks/tasks/errors-standard');
    const given = served();
    const peer = await connect(given);
    const meant = await begin(peer, 'failing');
    const other = await begin(peer, 'work');
    const _meta = relatedTo(other);
    await until(peer, meant, 'failed');
    const params = { taskId: meant.taskId, _meta };
    expect((await peer.request('tasks/get', params)).result).toMatchObject({ taskId: meant.taskId });
    expect((await peer.request('tasks/result', params)).result?._meta).toEqual(relatedTo(meant));
    expect((await peer.request('tasks/cancel', params)).error?.message).toContain('failed');
    await until(peer, other, 'working');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      for (const taskId of ['unknown', undefined])
        expect((await peer.request(method, { taskId, _meta })).error?.code).toBe(-32602);
  });

  it('has an id of 128 random bits for each task', async () => {
    shows('2025-11-25-tasks/tasks/id-string', '2025-11-25-tasks/tasks/id-unique');
    shows('2025-11-25-tasks/tasks/id-of-receiver', '2025-11-25-tasks/tasks/unbound-id');
    shows('ext-tasks/tasks/id-unguessable');
    const peer = await connect(served());
    const beginnings = new Set<string>();
    for (let count = 0; count < 100; count++) {
      const { taskId } = await begin(peer, 'failing', { taskId: 'chosen' });
      expect(taskId).toMatch(/^[\w-]{22}$/);
      beginnings.add(String(taskId).slice(0, 8));
    }
    expect(beginnings.size).toBe(100);
  });
});

describe('answers about tasks on streams of HTTP', () => {
  it('are not streams for tasks/get, and other requests can be left', async () => {
    shows('2025-11-25-tasks/tasks/get-without-stream', '2025-11-25-tasks/tasks/get-transport-rules');
    shows('2025-11-25-tasks/tasks/get-disconnect', '2025-11-25-tasks/tasks/result-disconnect');
    const given = served();
    const peer = await connectPeer(given.server, core, { transport: 'HTTP' });
    const fetched = vi.spyOn(globalThis, 'fetch');
    const task = await begin(peer, 'work');
    const { taskId } = task;
    await peer.request('tasks/get', { taskId });
    const [url, init] = fetched.mock.lastCall as [string, RequestInit];
    const response = await (fetched.mock.results.at(-1)?.value as Promise<Response>);
    expect(response.headers.get('content-type')).toBe('application/json');
    for (const method of ['tasks/get', 'tasks/result']) {
      const leave = new AbortController();
      const body = JSON.stringify({ jsonrpc: '2.0', id: `left ${method}`, method, params: { taskId } });
      const left = fetch(url, { ...init, body, signal: leave.signal });
      if (method === 'tasks/get') await left;
      leave.abort();
      await left.catch(() => {});
    }
    fetched.mockRestore();
    await until(peer, task, 'working');
    given.gate.open();
    const { result } = await peer.request('tasks/result', { taskId });
    expect(result?.content?.[0]).toMatchObject({ text: 'worked' });
  });
});
