import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { core, extension, type Reply, settled, start, text, WireRefusal } from '../../test/scripted-tasks.js';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** Accepts these filters, or those that were asked for. */
const accepting =
  (accepted?: UnknownObject): Reply =>
  ({ notifications }, peer, id) => {
    const _meta = { [subscriptionId]: id };
    peer.notify('notifications/subscriptions/acknowledged', {
      notifications: accepted ?? notifications,
      _meta,
    });
    return undefined;
  };

describe('a task of the extension, with listen streams', () => {
  it('is followed by notifications, and requested rarely', async () => {
    shows('ext-tasks/tasks/notices-and-polls');
    const { client, server, clock, task } = await start(extension, {
      script: { 'subscriptions/listen': accepting() },
    });
    task.ttl = null;
    const call = client.callTool('always');
    await settled();
    expect(server.peer.paramsOf('subscriptions/listen')).toMatchObject([
      { notifications: { taskIds: ['t-1'] } },
    ]);
    const gets = () => server.peer.paramsOf('tasks/get').length;
    // A change before the acknowledgement was not notified.
    await clock.advance(300);
    expect(gets()).toBe(1);
    await clock.advance(29_999);
    expect(gets()).toBe(1);
    await clock.advance(1);
    expect(gets()).toBe(2);
    task.become({ status: 'completed', result: text('done') });
    server.peer.notify('notifications/tasks', task.detailed);
    await settled();
    expect(await call).toMatchObject(text('done'));
    expect(gets()).toBe(2);
    await settled();
    expect(server.peer.methods.at(-1)).toBe('notifications/cancelled');
    expect(server.peer.paramsOf('notifications/cancelled')).toHaveLength(1);
  });

  it('is requested once its time to live is over: no notification says that it has expired', async () => {
    const { client, server, clock, task } = await start(extension, {
      script: { 'subscriptions/listen': accepting() },
    });
    task.ttl = 5_000;
    const call = client.callTool('always');
    const outcome = call.catch((error: unknown) => error);
    await clock.advance(300);
    server.script = { ...server.script, 'tasks/get': () => new WireRefusal(-32602, 'Task not found') };
    const gets = () => server.peer.paramsOf('tasks/get').length;
    await clock.advance(4_699);
    expect(gets()).toBe(1);
    await clock.advance(1);
    expect(gets()).toBe(2);
    expect(await outcome).toMatchObject({ code: -32602, message: expect.stringContaining('Task not found') });
  });

  it('is requested at its interval after its time to live, while the server still has it', async () => {
    const { client, server, clock, task } = await start(extension, {
      script: { 'subscriptions/listen': accepting() },
    });
    task.ttl = 5_000;
    const call = client.callTool('always');
    await clock.advance(5_900);
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(5);
    task.become({ status: 'completed', result: text('done') });
    server.peer.notify('notifications/tasks', task.detailed);
    expect(await call).toMatchObject(text('done'));
  });

  it('is requested at its interval when the stream breaks, and after the gap', async () => {
    const open: (() => void)[] = [];
    const listen: Reply = async (params, peer, id) => {
      await accepting()(params, peer, id);
      await new Promise<void>((resolve) => open.push(resolve));
      return new WireRefusal(-32603, 'broken');
    };
    const { client, server, clock, task } = await start(extension, {
      script: { 'subscriptions/listen': listen },
    });
    task.ttl = null;
    const call = client.callTool('always');
    await clock.advance(300);
    const gets = () => server.peer.paramsOf('tasks/get').length;
    expect(gets()).toBe(1);
    open[0]?.();
    await clock.advance(2_000);
    expect(gets()).toBeGreaterThan(1);
    await client.close();
    await call.catch(() => {});
  });

  it.each<[string, Reply]>([
    ['refuses streams', () => new WireRefusal(-32601, 'no streams')],
    ['does not accept the filter', accepting({})],
    ['accepts other tasks', accepting({ taskIds: ['t-2'] })],
  ])('is requested at its interval when the server %s', async (_, listen) => {
    const { client, server, clock, task } = await start(extension, {
      script: { 'subscriptions/listen': listen },
    });
    const call = client.callTool('always');
    await clock.advance(900);
    expect(server.peer.paramsOf('tasks/get')).toHaveLength(3);
    task.become({ status: 'completed', result: text('done') });
    await clock.advance(300);
    expect(await call).toMatchObject(text('done'));
  });

  it('opens no more streams than the limit, and none after a refusal', async () => {
    const limited = await start(extension, {
      script: { 'subscriptions/listen': accepting() },
      tasks: otherBounds({ listening: 1 }),
    });
    const refusing = await start(extension, {});
    let calls = 0;
    for (const { client, server } of [limited, refusing]) {
      const created = server.script['tools/call'] as Reply;
      server.script = {
        ...server.script,
        'tools/call': async (...request) => ({
          ...((await created(...request)) as UnknownObject),
          taskId: `t-${++calls}`,
        }),
      };
      for (const _ of [1, 2]) {
        client.callTool('always').catch(() => {});
        await settled();
      }
      expect(server.peer.paramsOf('subscriptions/listen')).toHaveLength(1);
      await client.close();
    }
  });

  it('ignores notifications of other tasks, older ones, and those that are not tasks', async () => {
    const seen: unknown[] = [];
    const { client, server, task } = await start(extension, {
      script: { 'subscriptions/listen': accepting() },
      tasks: { onTask: ({ status, statusMessage }) => seen.push(statusMessage ?? status) },
    });
    const call = client.callTool('always');
    await settled();
    const old = task.detailed;
    task.become({ status: 'working', statusMessage: 'half' });
    for (const params of [
      task.detailed,
      old,
      { ...task.detailed, taskId: 't-2' },
      { ...task.detailed, status: 'completed' },
      {},
    ])
      server.peer.notify('notifications/tasks', params);
    await settled();
    expect(seen).toEqual(['working', 'half']);
    await client.close();
    await call.catch(() => {});
  });
});

describe('a task of the core protocol', () => {
  it('is followed by status notifications too', async () => {
    const { client, server, task } = await start(core, { script: { 'tasks/result': () => text('done') } });
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    task.become({ status: 'completed' });
    server.peer.notify('notifications/tasks/status', task.flat);
    expect(await call).toMatchObject(text('done'));
    expect(server.peer.methods).not.toContain('tasks/get');
  });
});
