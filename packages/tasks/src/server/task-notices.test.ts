import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import {
  begin,
  connectPeer,
  core,
  Events,
  extension,
  forms,
  Gate,
  nameForm,
  TaskServers,
  transports,
  until,
} from '../../test/task-servers.js';
import { relatedTaskKey } from '../model/task.js';

/** Servers with a tool that reports progress whenever the test wants it, and requests a name at the end. */
function served() {
  const servers = new TaskServers();
  const gates = [new Gate(), new Gate()] as const;
  const log = new Events<string>();
  const open = () => {
    const { server } = servers.open();
    server.tool('work', { task: 'always' }, async (_, ctx) => {
      await gates[0].passed;
      ctx.progress(1, 4);
      ctx.progress(2, 4, 'Half of the files');
      ctx.log('info', 'never sent');
      log.push('reported');
      await gates[1].passed;
      const { content } = await ctx.elicit('name', { message: 'Name?', schema: nameForm });
      return `Hello, ${content?.name}`;
    });
    return server;
  };
  return { servers, clock: servers.clock, open, gates, log };
}

describe.each(transports)('notifications over %s', (transport) => {
  it('show each status of a task on the streams that name the task', async () => {
    shows('ext-tasks/tasks/notices', 'ext-tasks/tasks/notices-alone');
    const { open, gates } = served();
    const server = open();
    const peer = await connectPeer(server, extension, { transport });
    const { taskId } = await begin(peer, 'work');
    const other = await connectPeer(server, extension, { transport });
    const { taskId: another } = await begin(other, 'work');
    other.send('subscriptions/listen', { notifications: { taskIds: [another] } });
    await other.heard('notifications/subscriptions/acknowledged');
    peer.send('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown', taskId] } });
    const acknowledged = await peer.heard('notifications/subscriptions/acknowledged');
    expect(acknowledged.params?.notifications).toEqual({ taskIds: [taskId] });
    gates[0].open();
    const progress = await peer.next(({ params }) => params?.statusMessage !== undefined);
    expect(progress).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', ttlMs: 3_600_000 },
    });
    gates[1].open();
    const asked = await peer.next(({ params }) => params?.inputRequests !== undefined);
    expect(asked.params).toMatchObject({ status: 'input_required', inputRequests: { name: {} } });
    await peer.request('tasks/cancel', { taskId });
    const over = await peer.next(({ params }) => (params?.status as unknown) === 'cancelled');
    expect(over.params).not.toHaveProperty('inputRequests');
    for (const { params } of other.all('notifications/tasks')) expect(params?.taskId).toBe(another);
    for (const { params } of peer.all('notifications/tasks'))
      expect(JSON.stringify(params)).not.toContain(relatedTaskKey);
    for (const method of ['notifications/progress', 'notifications/message', 'notifications/tasks/status'])
      expect(peer.all(method)).toEqual([]);
  });

  it('show each status of a task in the session that made the task', async () => {
    shows('2025-11-25-tasks/tasks/status-notified', '2025-11-25-tasks/tasks/notices-unrelated');
    const { open, gates } = served();
    const server = open();
    const peer = await connectPeer(server, core, { transport });
    const other = await connectPeer(server, core, { transport });
    if ('listen' in peer) (peer as unknown as { listen(): void }).listen();
    if ('listen' in other) (other as unknown as { listen(): void }).listen();
    const { taskId } = await begin(peer, 'work');
    gates[0].open();
    const progress = await peer.next(({ params }) => params?.statusMessage !== undefined);
    expect(progress).toMatchObject({
      method: 'notifications/tasks/status',
      params: { taskId, status: 'working', ttl: 3_600_000, pollInterval: 1_000 },
    });
    await peer.request('tasks/cancel', { taskId });
    const over = await peer.next(
      ({ method, params }) => method !== undefined && (params?.status as unknown) === 'cancelled',
    );
    expect(over.params).not.toHaveProperty('_meta');
    await other.request('ping');
    expect(other.all('notifications/tasks/status')).toEqual([]);
    expect(peer.all('notifications/tasks')).toEqual([]);
  });
});

describe('progress of a task', () => {
  it('is its status message, written once for each poll interval', async () => {
    const { open, gates, clock, log } = served();
    const peer = await connectPeer(open(), extension);
    const task = await begin(peer, 'work');
    expect(task).not.toHaveProperty('statusMessage');
    gates[0].open();
    await log.reached(1);
    const first = await until(peer, task, ({ statusMessage }) => statusMessage !== undefined);
    expect(first).toMatchObject({ statusMessage: '1 of 4' });
    await clock.advance(999);
    expect(await until(peer, task, 'working')).toEqual(first);
    await clock.advance(1);
    const second = await until(peer, task, ({ statusMessage }) => statusMessage !== first.statusMessage);
    expect(second).toMatchObject({ status: 'working', statusMessage: 'Half of the files' });
  });

  it('goes to the request until the call is a task', async () => {
    const servers = new TaskServers();
    const { server } = servers.open();
    const gate = new Gate();
    server.tool('slow', { task: 'allow' }, async (_, ctx) => {
      ctx.progress(1, 2, 'half');
      await gate.passed;
      return 'slow';
    });
    const peer = await connectPeer(server, extension);
    const answer = peer.request('tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } });
    expect((await peer.heard('notifications/progress')).params).toMatchObject({
      progressToken: 'p',
      progress: 1,
    });
    await servers.clock.armed(1_000);
    await servers.clock.advance(1_000);
    expect((await answer).result).toMatchObject({ resultType: 'task', statusMessage: 'half' });
  });
});

describe('notifications in several processes', () => {
  it('reach a stream in another process than the one that runs the task', async () => {
    shows('ext-tasks/tasks/id-bearer');
    const { open, gates } = served();
    const one = await connectPeer(open(), extension);
    const two = await connectPeer(open(), extension);
    const { taskId } = await begin(one, 'work');
    two.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await two.heard('notifications/subscriptions/acknowledged');
    gates[0].open();
    const { params } = await two.heard('notifications/tasks');
    expect(params).toMatchObject({ taskId, status: 'working' });
  });

  it('do not reach callers that may not see the task', async () => {
    shows('ext-tasks/tasks/access-checked');
    const { open, gates } = served();
    const server = open();
    const ada = await connectPeer(server, extension, { principal: { id: 'ada' } });
    const eve = await connectPeer(server, extension, { principal: { id: 'eve' } });
    const { taskId } = await begin(ada, 'work');
    for (const peer of [ada, eve]) {
      peer.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
      await peer.heard('notifications/subscriptions/acknowledged');
    }
    expect(eve.received[0]?.params?.notifications).toEqual({});
    gates[0].open();
    await ada.heard('notifications/tasks');
    await eve.request('server/discover');
    expect(eve.all('notifications/tasks')).toEqual([]);
  });

  it('need the extension', async () => {
    shows('ext-tasks/tasks/notices-undeclared');
    const { open } = served();
    const peer = await connectPeer(open(), extension, { capabilities: forms });
    const { error } = await peer.request('subscriptions/listen', { notifications: { taskIds: [] } });
    expect(error?.code).toBe(-32021);
    const declaring = await connectPeer(open(), extension);
    for (const taskIds of ['a', [1], Array.from({ length: 1_001 }, String)]) {
      const answer = await declaring.request('subscriptions/listen', { notifications: { taskIds } });
      expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('taskIds must') });
    }
  });
});
