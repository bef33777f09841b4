import { connect } from '@tenon/mcp-client';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { extension, ScriptedTask, text } from '../../test/scripted-tasks.js';
import { type TaskReference, tasks } from '../client.js';
import { extensionId } from '../model/task.js';

interface Received {
  readonly method: string;
  readonly params: UnknownObject;
  readonly headers: Headers;
  /** By the clock of the client. */
  readonly at: number;
}

const done = { resultType: 'complete' };
const url = 'https://tasks.example/mcp?key=abc';

/** A client over HTTP with a server that answers each request by a function, as the client's `fetch`. */
async function overHttp(answer: (request: Received, task: ScriptedTask) => UnknownObject | undefined) {
  const clock = new FakeClock();
  const received: Received[] = [];
  const task = new ScriptedTask('t-1', extension);
  const opening: UnknownObject = {
    ...done,
    supportedVersions: [extension.revision.id],
    capabilities: extension.capabilities,
    ttlMs: 0,
    cacheScope: 'private',
  };
  const fetch = async (_input: string, init: RequestInit): Promise<Response> => {
    const { id, method, params = {} } = JSON.parse(String(init.body));
    const request = { method, params, headers: new Headers(init.headers), at: clock.now() };
    received.push(request);
    if (id === undefined) return new Response(null, { status: 202 });
    const result = method === 'server/discover' ? opening : answer(request, task);
    const error = { code: -32601, message: 'Method not found' };
    const body = { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  };
  const references: TaskReference[] = [];
  const onTask = (_task: unknown, reference: TaskReference) => references.push(reference);
  const info = { name: 'client', version: '1' };
  const client = await connect(url, { info, clock, fetch, extensions: [tasks({ onTask })] });
  const tasksMethods = () => received.filter(({ method }) => method.startsWith('tasks/'));
  return { client, clock, received, task, references, tasksMethods };
}

/** Passes time until a call has ended. */
async function until<T>(clock: FakeClock, call: Promise<T>): Promise<T> {
  let over = false;
  const settled = call.finally(() => {
    over = true;
  });
  settled.catch(() => {});
  onTestFinished(() => {
    over = true;
  });
  for (let turn = 0; !over; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const [next] = clock.waiting;
    // Longer timers are those of requests, which code that loads may delay.
    if (turn % 5 === 4 && next !== undefined && next <= 1_000) await clock.advance(next);
  }
  return settled;
}

describe('tasks over HTTP', () => {
  it('are requested at their interval, with the headers of their requests', async () => {
    shows('ext-tasks/tasks/poll-interval', 'ext-tasks/tasks/mcp-name');
    let gets = 0;
    const { client, clock, task, tasksMethods, received, references } = await overHttp(({ method }, own) => {
      if (method === 'tools/call') return own.created;
      if (method !== 'tasks/get') return undefined;
      if (++gets === 2) own.become({ status: 'completed', result: text('done') });
      return { ...done, ...own.detailed };
    });
    expect(await until(clock, client.callTool('quick_task'))).toMatchObject(text('done'));
    const [call] = received.filter(({ method }) => method === 'tools/call');
    const meta = call?.params._meta as UnknownObject;
    const capabilities = meta['io.modelcontextprotocol/clientCapabilities'];
    expect(capabilities).toEqual({ extensions: { [extensionId]: {} } });
    expect(call?.headers.get('mcp-name')).toBe('quick_task');
    const times = [call, ...tasksMethods()].map((request) => request?.at ?? 0);
    expect(times).toHaveLength(3);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] as number)).toBeGreaterThanOrEqual(300);
    for (const { headers, method } of tasksMethods()) {
      expect(headers.get('mcp-method')).toBe(method);
      expect(headers.get('mcp-name')).toBe(task.taskId);
    }
    expect(references[0]?.endpoint).toBe('https://tasks.example/mcp');
    await client.close();
  });

  it('name the task in the headers of updates and cancellations', async () => {
    shows('ext-tasks/tasks/mcp-name');
    const { client, clock, tasksMethods, references } = await overHttp(({ method }, own) =>
      method === 'tools/call' ? own.created : { ...done, ...(method === 'tasks/get' && own.detailed) },
    );
    const stop = new AbortController();
    const call = client.callTool('cancel_task', {}, { signal: stop.signal });
    call.catch(() => {});
    while (references[0] === undefined) await new Promise<void>((resolve) => setImmediate(resolve));
    await until(clock, client.tasks.answer(references[0], { name: { action: 'decline' } }));
    stop.abort();
    await expect(until(clock, call)).rejects.toMatchObject({ reason: 'cancelled' });
    const cancelled = async () => {
      while (!tasksMethods().some(({ method }) => method === 'tasks/cancel'))
        await new Promise<void>((resolve) => setImmediate(resolve));
    };
    await until(clock, cancelled());
    for (const { method, headers } of tasksMethods()) {
      expect(headers.get('mcp-name')).toBe('t-1');
      expect(headers.get('mcp-method')).toBe(method);
    }
    expect(new Set(tasksMethods().map(({ method }) => method))).toContain('tasks/update');
    await client.close();
  });

  it('reject once with the error of a failed task, and stop', async () => {
    const error = { code: -32603, message: 'API rate limit exceeded' };
    const { client, clock, tasksMethods } = await overHttp(({ method }, own) => {
      if (method === 'tools/call') return own.created;
      own.become({ status: 'failed', error });
      return method === 'tasks/get' ? { ...done, ...own.detailed } : undefined;
    });
    await expect(until(clock, client.callTool('failing_task'))).rejects.toMatchObject({
      name: 'RemoteError',
      ...{ code: -32603, peerMessage: 'API rate limit exceeded' },
    });
    await clock.advance(60_000);
    expect(tasksMethods().map(({ method }) => method)).toEqual(['tasks/get']);
    await client.close();
  });

  it('are not made of answers to other methods', async () => {
    shows('ext-tasks/tasks/either-answer', 'ext-tasks/tasks/unsupported-invalid');
    const { client, clock, tasksMethods } = await overHttp(({ method }, own) =>
      method === 'tools/call' ? { ...done, ...text('echo') } : own.created,
    );
    expect(await until(clock, client.callTool('sync_echo'))).toMatchObject(text('echo'));
    const listing = client.tools().all();
    await expect(until(clock, listing)).rejects.toMatchObject({ reason: 'invalid-answer' });
    expect(tasksMethods()).toEqual([]);
    await client.close();
  });
});
