import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { core, extension, settled, start, text, type Wire, WireRefusal } from '../../test/scripted-tasks.js';

const ended = ({ wire }: Wire) =>
  wire === 'core' ? { status: 'completed' } : { status: 'completed', result: text('done') };
const script = { 'tasks/result': () => text('done') };

describe.each([core, extension])('a task ($wire)', (wire) => {
  it('is followed over a lost connection', async () => {
    const { client, server, clock, task } = await start(wire, { script });
    await client.tools().all();
    const call = client.callTool('always');
    await clock.advance(300);
    await server.peer.end();
    await clock.advance(1_000);
    expect(server.peers).toHaveLength(2);
    expect(server.peer.paramsOf('tasks/get').length).toBeGreaterThan(0);
    task.become(ended(wire));
    await clock.advance(1_000);
    expect(await call).toMatchObject(text('done'));
  });

  it('is requested again, with pauses, when the server is busy', async () => {
    showsBy(wire.wire, { extension: ['ext-tasks/tasks/poll-rate'] });
    let busy = 2;
    const { client, server, clock, task } = await start(wire, { script });
    const { 'tasks/get': get } = server.script;
    const slower = new WireRefusal(-31004, 'slow down', { retryAfterMs: 5_000 });
    server.script = {
      ...server.script,
      'tasks/get': (...request) => (busy-- > 0 ? slower : get?.(...request)),
    };
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    task.become(ended(wire));
    await clock.advance(300);
    const gets = () => server.peer.paramsOf('tasks/get').length;
    expect(gets()).toBe(1);
    await clock.advance(4_999);
    expect(gets()).toBe(1);
    await clock.advance(1);
    expect(gets()).toBe(2);
    await clock.advance(5_000);
    expect(await call).toMatchObject(text('done'));
  });

  it('is requested at the usual interval again after a failure', async () => {
    let busy = 1;
    const { client, server, clock, task } = await start(wire, { script });
    const { 'tasks/get': get } = server.script;
    server.script = {
      ...server.script,
      'tasks/get': (...request) => (busy-- > 0 ? new WireRefusal(-31001, 'busy') : get?.(...request)),
    };
    await client.tools().all();
    const call = client.callTool('always');
    await clock.advance(300);
    const gets = () => server.peer.paramsOf('tasks/get').length;
    expect(gets()).toBe(1);
    await clock.advance(999);
    expect(gets()).toBe(1);
    await clock.advance(1);
    expect(gets()).toBe(2);
    await clock.advance(300);
    expect(gets()).toBe(3);
    task.become(ended(wire));
    await clock.advance(300);
    expect(await call).toMatchObject(text('done'));
  });

  it('is given up after too many failures in a row', async () => {
    const refuse = () => new WireRefusal(-31001, 'busy');
    const { client, server, clock } = await start(wire, {
      script: { 'tasks/get': refuse },
      tasks: otherBounds({ failures: 3 }),
    });
    await client.tools().all();
    const failed = expect(client.callTool('always')).rejects.toMatchObject({ code: -31001 });
    await clock.advance(300 + 1_000 + 2_000 + 4_000);
    await failed;
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(4);
  });

  it('is given up when it does not change for long after its time to live', async () => {
    showsBy(wire.wire, { extension: ['ext-tasks/tasks/ttl-backstop'] });
    const { client, clock, task } = await start(wire, { tasks: otherBounds({ stuckAfter: 30_000 }) });
    task.ttl = 10_000;
    await client.tools().all();
    const failed = expect(client.callTool('always')).rejects.toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('has not changed for 30000 ms'),
    });
    await clock.advance(15_000);
    task.become({ status: 'working', statusMessage: 'still here' });
    await clock.advance(29_000);
    let over = false;
    failed.then(() => {
      over = true;
    });
    await settled();
    expect(over).toBe(false);
    await clock.advance(2_000);
    await failed;
  });

  it('is not followed beyond the limit of tasks', async () => {
    const { client, server, task } = await start(wire, { tasks: otherBounds({ running: 1 }) });
    await client.tools().all();
    const first = client.callTool('always');
    await settled();
    const { created } = task;
    const other =
      created.task === undefined ? { ...created, taskId: 'b' } : { task: { ...task.flat, taskId: 'b' } };
    server.script = { ...server.script, 'tools/call': () => other };
    await expect(client.callTool('always')).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('1 tasks are followed already'),
    });
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toMatchObject([{ taskId: 'b' }]);
    await client.close();
    await first.catch(() => {});
  });

  it('is not cancelled where the server cannot, and the failure is not reported', async () => {
    const { client, server, errors } = await start(wire, {
      script: { 'tasks/cancel': () => new WireRefusal(-32602, 'ended') },
    });
    await client.tools().all();
    const stop = new AbortController();
    const failed = expect(client.callTool('always', {}, { signal: stop.signal })).rejects.toMatchObject({
      reason: 'cancelled',
    });
    await settled();
    stop.abort();
    await failed;
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
