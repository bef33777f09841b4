import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { core, extension, settled, start, text, type Wire, WireRefusal } from '../../test/scripted-tasks.js';
import type { TaskReference } from '../client.js';

const call = { name: 'always', arguments: { size: 3 } };
const referenceIn = ({ wire }: Wire): TaskReference => ({
  endpoint: 'server scripted',
  wire,
  taskId: 't-1',
  call,
});
const script = { 'tasks/result': () => text('done') };
const ended = ({ wire }: Wire) =>
  wire === 'core' ? { status: 'completed' } : { status: 'completed', result: text('done') };

describe.each([core, extension])('client.tasks ($wire)', (wire) => {
  const reference = referenceIn(wire);

  it('resumes a task from its reference, and shows its updates', async () => {
    showsBy(wire.wire, {
      core: ['2025-11-25-tasks/tasks/requestor-track'],
      extension: ['ext-tasks/tasks/ids-persisted'],
    });
    const seen: unknown[] = [];
    const onTask = (_task: unknown, given: TaskReference) => seen.push(given);
    const { client, server, clock, task } = await start(wire, { script, tasks: { onTask } });
    const stored = JSON.parse(JSON.stringify(reference));
    const resumed = client.tasks.resume(stored);
    const updates: unknown[] = [];
    const reading = (async () => {
      for await (const { status, statusMessage } of resumed.updates) updates.push(statusMessage ?? status);
    })();
    await settled();
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(1);
    task.become({ status: 'working', statusMessage: 'half' });
    await clock.advance(300);
    task.become(ended(wire));
    await clock.advance(300);
    expect(await resumed).toMatchObject(text('done'));
    await reading;
    expect(updates).toEqual(['working', 'half', 'completed']);
    expect(seen).toEqual([reference, reference, reference]);
    expect(server.peer.methods).not.toContain('tools/call');
  });

  it('follows a task once, however often it is resumed', async () => {
    const { client, server, clock, task } = await start(wire, { script });
    const both = [client.tasks.resume(reference), client.tasks.resume(reference)];
    await settled();
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(1);
    task.become(ended(wire));
    await clock.advance(300);
    for (const one of both) expect(await one).toMatchObject(text('done'));
  });

  it('cancels a resumed task when the signal aborts', async () => {
    const { client, server } = await start(wire);
    const stop = new AbortController();
    const failed = expect(client.tasks.resume(reference, { signal: stop.signal })).rejects.toBe('enough');
    await settled();
    stop.abort('enough');
    await failed;
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toHaveLength(1);
  });

  it('gets and cancels a task', async () => {
    const { client, server } = await start(wire);
    expect(await client.tasks.get(reference)).toMatchObject({
      ...{ taskId: 't-1', status: 'working', ttlMs: 60_000, pollIntervalMs: 300 },
    });
    await client.tasks.cancel(reference);
    expect(server.peer.paramsOf('tasks/cancel')).toMatchObject([{ taskId: 't-1' }]);
  });

  it('rejects references to another server or of another wire, before anything is sent', async () => {
    const { client, server } = await start(wire);
    const { length } = server.peer.methods;
    const foreign = { ...reference, endpoint: 'https://other.example/mcp' };
    const other = { ...reference, wire: wire.wire === 'core' ? 'extension' : 'core' } as const;
    const errors = [
      [foreign, { reason: 'refused', message: expect.stringContaining('belongs to the server') }],
      [other, { reason: 'not-in-revision' }],
    ] as const;
    for (const [given, error] of errors) {
      await expect(client.tasks.get(given)).rejects.toMatchObject(error);
      await expect(client.tasks.cancel(given)).rejects.toMatchObject(error);
      await expect(client.tasks.answer(given, {})).rejects.toMatchObject(error);
      await expect(client.tasks.resume(given)).rejects.toMatchObject(error);
    }
    expect(server.peer.methods.slice(length).filter((method) => method?.startsWith('tasks/'))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['endpoint', { ...reference, endpoint: 3 }],
    ['wire', { ...reference, wire: 'both' }],
    ['taskId', { ...reference, taskId: '' }],
    ['call.name', { ...reference, call: {} }],
    ['call.arguments', { ...reference, call: { name: 'always', arguments: 3 } }],
    ['endpoint', 't-1'],
    ['endpoint', undefined],
  ])('rejects a reference with a wrong %s', async (member, given) => {
    const { client } = await start(wire);
    const message = `The task reference is malformed: ${member} must be`;
    await expect(client.tasks.get(given as TaskReference)).rejects.toThrow(message);
    const resumed = client.tasks.resume(given as TaskReference);
    await expect(resumed).rejects.toThrow(TypeError);
    for await (const _ of resumed.updates) expect.unreachable();
  });

  it('rejects when the client has closed', async () => {
    const { client } = await start(wire);
    await client.close();
    await expect(client.tasks.resume(reference)).rejects.toMatchObject({ reason: 'closed' });
    await expect(client.tasks.get(reference)).rejects.toMatchObject({ reason: 'closed' });
  });

  it('makes references to tasks of the connected server', async () => {
    const { client } = await start(wire);
    expect(await client.tasks.reference('t-1', call)).toEqual(reference);
    await expect(client.tasks.reference('', call)).rejects.toThrow('taskId must be');
  });
});

describe('client.tasks in the core protocol', () => {
  it('lists the tasks, page by page', async () => {
    shows('2025-11-25-tasks/tasks/list-cursor-opaque');
    const { client, server, task } = await start(core);
    const pages = (count: number) => ({
      ...server.script,
      'tasks/list': ({ cursor = '0' }: UnknownObject) => {
        const page = Number(cursor) + 1;
        return {
          tasks: [{ ...task.flat, taskId: `t-${page}` }],
          ...(page < count && { nextCursor: `${page}` }),
        };
      },
    });
    server.script = pages(3);
    expect((await client.tasks.list()).map(({ taskId }) => taskId)).toEqual(['t-1', 't-2', 't-3']);
    server.script = pages(1_000);
    await expect(client.tasks.list()).rejects.toMatchObject({
      reason: 'limit',
      message: 'The list of tasks/list has more than 100 pages.',
    });
    expect(server.peer.paramsOf('tasks/list')).toHaveLength(103);
  });

  it('stops reading a list that takes too many bytes', async () => {
    const { client, server, task } = await start(core);
    const large = { ...task.flat, taskId: 't-1', statusMessage: 'x'.repeat(16_777_216) };
    server.script = { ...server.script, 'tasks/list': () => ({ tasks: [large], nextCursor: 'on' }) };
    await expect(client.tasks.list()).rejects.toMatchObject({
      reason: 'limit',
      message: 'The list of tasks/list has more than 67108864 bytes.',
    });
    expect(server.peer.paramsOf('tasks/list')).toHaveLength(4);
  });

  it('does not list or cancel where the server does not declare it', async () => {
    const capabilities_ = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
    const { client, server } = await start(core, { capabilities_ });
    const missing = { reason: 'capability-missing' };
    await expect(client.tasks.list()).rejects.toMatchObject(missing);
    await expect(client.tasks.cancel(referenceIn(core))).rejects.toMatchObject(missing);
    expect(server.peer.methods).not.toContain('tasks/cancel');
  });

  it('does not answer input requests, which the server sends itself', async () => {
    const { client } = await start(core);
    await expect(client.tasks.answer(referenceIn(core), {})).rejects.toMatchObject({
      reason: 'not-in-revision',
      message: expect.stringContaining('client.tasks.resume(reference)'),
    });
  });
});

describe('client.tasks in the extension', () => {
  it('answers input requests', async () => {
    const { client, server } = await start(extension);
    const inputResponses = { name: { action: 'decline' } } as const;
    await client.tasks.answer(referenceIn(extension), inputResponses);
    expect(server.peer.paramsOf('tasks/update')).toMatchObject([{ taskId: 't-1', inputResponses }]);
  });

  it('has no list', async () => {
    const { client } = await start(extension);
    await expect(client.tasks.list()).rejects.toMatchObject({ reason: 'capability-missing' });
  });

  it('does not request input twice when a task is resumed', async () => {
    shows('ext-tasks/tasks/input-once');
    let shown = 0;
    const onElicit = () => {
      shown++;
      return { action: 'decline' } as const;
    };
    const { client, server, clock, task } = await start(extension, { onElicit });
    const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    task.become({ status: 'input_required', inputRequests: { a: { method: 'elicitation/create', params } } });
    const first = client.tasks.resume(referenceIn(extension));
    await clock.advance(300);
    const { 'tasks/get': get } = server.script;
    server.script = { ...server.script, 'tasks/get': () => new WireRefusal(-32603, 'broken') };
    const failed = expect(first).rejects.toMatchObject({ code: -32603 });
    await clock.advance(300);
    await failed;
    server.script = { ...server.script, ...(get && { 'tasks/get': get }) };
    const second = client.tasks.resume(referenceIn(extension));
    await clock.advance(300);
    task.become({ status: 'completed', result: text('done') });
    await clock.advance(300);
    expect(await second).toMatchObject(text('done'));
    expect(shown).toBe(1);
  });
});
