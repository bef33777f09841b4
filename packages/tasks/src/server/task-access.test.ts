import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json } from '../../test/peers.js';
import { begin, connectPeer, core, extension, Gate, TaskServers, until } from '../../test/task-servers.js';

function served() {
  const servers = new TaskServers();
  const gate = new Gate();
  const { server } = servers.open();
  server.tool('job', { task: 'always' }, async () => {
    await gate.passed;
    return 'done';
  });
  return { server, gate };
}

const ada = { principal: { id: 'ada', issuer: 'https://issuer.example' } };
const others = [
  { principal: { id: 'eve', issuer: 'https://issuer.example' } },
  { principal: { id: 'ada', issuer: 'https://other.example' } },
  {},
];

describe('a task of a principal', () => {
  it.each(others)('is unknown to the caller %j', async (other) => {
    shows(
      '2025-11-25-tasks/tasks/bound',
      '2025-11-25-tasks/tasks/foreign-rejected',
      'ext-tasks/tasks/access-checked',
    );
    const { server, gate } = served();
    for (const revision of [core, extension]) {
      const owner = await connectPeer(server, revision, ada);
      const task = await begin(owner, 'job');
      const peer = await connectPeer(server, revision, other);
      const own = revision === core ? ['tasks/result'] : ['tasks/update'];
      for (const method of ['tasks/get', 'tasks/cancel', ...own]) {
        const params = { taskId: task.taskId, inputResponses: {} };
        const { error } = await peer.request(method, params);
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Unknown task') });
      }
      await until(owner, task, 'working');
    }
    gate.open();
  });

  it('can be read in another session, and in the other revision', async () => {
    const { server, gate } = served();
    const task = await begin(await connectPeer(server, core, ada), 'job');
    gate.open();
    await until(await connectPeer(server, core, ada), task, 'completed');
    const { result } = await until(await connectPeer(server, extension, ada), task, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('is not open to authenticated callers if it belongs to none', async () => {
    shows('2025-11-25-tasks/tasks/bound');
    const { server } = served();
    const task = await begin(await connectPeer(server, extension), 'job');
    const peer = await connectPeer(server, extension, ada);
    expect((await peer.request('tasks/get', { taskId: task.taskId })).error?.code).toBe(-32602);
  });
});

describe('tasks/list', () => {
  const idsOf = (result: Json | undefined) => (result?.tasks ?? []).map(({ taskId }) => taskId);

  it('returns the tasks of the caller, in pages', async () => {
    shows(
      '2025-11-25-tasks/tasks/list-pages',
      '2025-11-25-tasks/tasks/list-next-cursor',
      '2025-11-25-tasks/tasks/list-complete',
      '2025-11-25-tasks/tasks/foreign-not-listed',
      '2025-11-25-tasks/tasks/related-not-answered',
    );
    const { server } = served();
    const peer = await connectPeer(server, core, ada);
    const other = await connectPeer(server, core, others[0]);
    await begin(other, 'job');
    const made: unknown[] = [];
    for (let count = 0; count < 51; count++) made.push((await begin(peer, 'job')).taskId);
    const first = await peer.request('tasks/list');
    expect(first.result?.tasks?.[0]).toMatchObject({ taskId: made[0], status: 'working', ttl: 3_600_000 });
    expect(first.result?.tasks?.[0]).not.toHaveProperty('_meta');
    const cursor = first.result?.nextCursor;
    const second = await peer.request('tasks/list', { cursor });
    expect([...idsOf(first.result), ...idsOf(second.result)]).toEqual(made);
    expect(second.result).not.toHaveProperty('nextCursor');
  });

  it('rejects an unknown cursor', async () => {
    shows('2025-11-25-tasks/tasks/unknown-cursor');
    const { server } = served();
    const peer = await connectPeer(server, core, ada);
    expect((await peer.request('tasks/list', { cursor: 'other' })).error?.code).toBe(-32602);
  });

  it('returns the tasks of its session to a caller without a principal', async () => {
    shows('2025-11-25-tasks/tasks/unbound-list');
    const { server } = served();
    const [one, other] = [await connectPeer(server, core), await connectPeer(server, core)];
    const task = await begin(one, 'job');
    expect((await one.request('tasks/list')).result?.tasks).toMatchObject([{ taskId: task.taskId }]);
    expect((await other.request('tasks/list')).result).toEqual({ tasks: [] });
  });
});
