import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { core, extension, settled, start, text, WireRefusal } from '../../test/scripted-tasks.js';
import { asTask } from '../client.js';

const both = [core, extension];

describe('prefer and asTask, in the core protocol', () => {
  const sent = (params: readonly UnknownObject[]) => params.map(({ task }) => task);
  const inline = { 'tools/call': () => text('at once') };

  it('run required tools as tasks, and optional ones on demand', async () => {
    shows(
      '2025-11-25-tasks/tasks/augment-declared',
      '2025-11-25-tasks/tasks/forbidden-not-augmented',
      '2025-11-25-tasks/tasks/optional-either',
      '2025-11-25-tasks/tasks/required-augmented',
      '2025-11-25-tasks/tasks/ttl-requested',
    );
    const { client, server } = await start(core, { script: inline, tasks: { ttl: 5_000 } });
    await client.tools().all();
    await client.callTool('always');
    await client.callTool('either');
    await client.callTool('either', {}, { meta: asTask() });
    await client.callTool('either', {}, { meta: { ...asTask({ ttl: 7_000 }), 'com.example/a': 1 } });
    await client.callTool('never', {}, { meta: asTask() });
    const calls = server.peer.paramsOf('tools/call');
    expect(sent(calls)).toEqual([{ ttl: 5_000 }, undefined, { ttl: 5_000 }, { ttl: 7_000 }, undefined]);
    expect(calls.map(({ _meta }) => Object.keys(_meta as object))).toEqual([
      ['progressToken'],
      ['progressToken'],
      ['progressToken'],
      ['com.example/a', 'progressToken'],
      ['progressToken'],
    ]);
  });

  it('run optional tools as tasks with prefer, unless the call says otherwise', async () => {
    shows('2025-11-25-tasks/tasks/optional-either', '2025-11-25-tasks/tasks/required-augmented');
    const { client, server } = await start(core, { script: inline, tasks: { prefer: 'task' } });
    await client.tools().all();
    await client.callTool('either');
    await client.callTool('either', {}, { meta: asTask(false) });
    await client.callTool('always', {}, { meta: asTask(false) });
    expect(sent(server.peer.paramsOf('tools/call'))).toEqual([{}, undefined, {}]);
  });

  it('reads the list when a required tool was not listed', async () => {
    const strict = {
      'tools/call': ({ task }: UnknownObject) =>
        task === undefined ? new WireRefusal(-32601, 'as a task only') : text('done'),
    };
    const { client, server } = await start(core, { script: strict });
    expect(await client.callTool('always')).toMatchObject(text('done'));
    expect(sent(server.peer.paramsOf('tools/call'))).toEqual([undefined, {}]);
  });

  it('have no effect on a server without task-augmented calls, nor in the extension', async () => {
    shows(
      '2025-11-25-tasks/tasks/augment-declared',
      '2025-11-25-tasks/tasks/undeclared-not-augmented',
      '2025-11-25-tasks/tasks/tools-not-declared',
    );
    const bare = { tools: {}, tasks: { list: {} } };
    const old = await start(core, { script: inline, capabilities_: bare, tasks: { prefer: 'task' } });
    await old.client.tools().all();
    await old.client.callTool('always', {}, { meta: asTask() });
    const done = { 'tools/call': () => ({ ...text('at once'), resultType: 'complete' }) };
    const fresh = await start(extension, { script: done, tasks: { prefer: 'task' } });
    await fresh.client.tools().all();
    await fresh.client.callTool('always', {}, { meta: asTask() });
    for (const { server } of [old, fresh]) {
      const [params] = server.peer.paramsOf('tools/call');
      expect(params).not.toHaveProperty('task');
      expect(params?._meta).not.toHaveProperty('dev.tenon/task');
    }
  });

  it.each([
    ['prefer', () => ({ prefer: 'tasks' })],
    ['ttl', () => ({ ttl: 1.5 })],
    ['an unknown option', () => ({ timeout: 3 })],
  ])('are checked: %s', async (_, options) => {
    await expect(start(core, { tasks: options() as never })).rejects.toThrow();
    expect(() => asTask({ ttl: 0 })).toThrow(RangeError);
  });
});

describe.each(both)('an answer that may not be a task ($wire)', (wire) => {
  it('is rejected for other methods, and no request is sent for the task', async () => {
    showsBy(wire.wire, { extension: ['ext-tasks/tasks/unsupported-invalid'] });
    const { client, server, task } = await start(wire);
    const done = { 'tools/list': () => task.created, 'completion/complete': () => task.created };
    server.script = { ...server.script, ...done };
    await expect(client.tools().all()).rejects.toMatchObject({ reason: 'invalid-answer' });
    if (wire.wire === 'core') {
      server.script = { ...server.script, ping: () => task.created };
      await client.ping().catch(() => {});
    }
    await settled();
    expect(server.peer.methods.filter((method) => method?.startsWith('tasks/'))).toEqual([]);
  });
});

it('rejects a task that the call did not request, in the core protocol', async () => {
  const { client, server } = await start(core);
  await expect(client.callTool('never')).rejects.toMatchObject({
    reason: 'invalid-answer',
    message: 'The answer to the call of the tool "never" is a task, which the call did not request.',
  });
  expect(server.peer.methods).not.toContain('tasks/get');
});

it('rejects a task of a server that does not declare the extension', async () => {
  shows('2026-07-28/basic/index/result-type-set');
  const { client } = await start(extension, { capabilities_: { tools: {} } });
  await expect(client.callTool('always')).rejects.toMatchObject({ reason: 'invalid-answer' });
});
