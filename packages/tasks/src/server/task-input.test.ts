import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json, Peer } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  core,
  Events,
  extension,
  nameForm,
  type TaskServer,
  TaskServers,
  until,
} from '../../test/task-servers.js';

const accept = (name: string) => ({ action: 'accept', content: { name } });

/** A server with a tool that requests two names at once, and a third one afterwards. */
function served() {
  const servers = new TaskServers();
  const answers = new Events<unknown>();
  const { server } = servers.open();
  server.tool('names', { task: 'always' }, async (_, ctx) => {
    const ask = async (key: string) => {
      const { content } = await ctx.elicit(key, { message: key, schema: nameForm });
      answers.push(content?.name);
      return content?.name;
    };
    const both = await Promise.all([ask('first'), ask('second')]);
    return [...both, await ask('third')].join(' ');
  });
  return { servers, server, answers };
}

const keysOf = (task: Json) => Object.keys(task.inputRequests ?? {}).sort();

describe('answers by tasks/update', () => {
  async function asked(server: TaskServer): Promise<{ peer: Peer; task: Json; taskId: unknown }> {
    const peer = await connectPeer(server, extension);
    const task = await begin(peer, 'names');
    for (;;) {
      const found = await until(peer, task, 'input_required');
      if (keysOf(found).length === 2) return { peer, task, taskId: task.taskId };
    }
  }

  it('leave the other requests open', async () => {
    shows('ext-tasks/tasks/get-all-requests', 'ext-tasks/tasks/update-partial');
    const { server, answers } = served();
    const { peer, task, taskId } = await asked(server);
    await peer.request('tasks/update', { taskId, inputResponses: { first: accept('Ada') } });
    const half = await until(peer, task, 'input_required');
    expect(keysOf(half)).toEqual(['second']);
    await answers.reached(1);
    await peer.request('tasks/update', { taskId, inputResponses: { second: accept('Grace') } });
    await answers.reached(2);
    expect(keysOf(await until(peer, task, 'input_required'))).toEqual(['third']);
    await peer.request('tasks/update', { taskId, inputResponses: { third: accept('Mary') } });
    const { result } = await until(peer, task, 'completed');
    expect(result?.content?.[0]).toMatchObject({ text: 'Ada Grace Mary' });
  });

  it('count once', async () => {
    shows('ext-tasks/tasks/update-ignored');
    const { server, answers } = served();
    const { peer, taskId } = await asked(server);
    const [one, two] = await Promise.all([
      peer.request('tasks/update', { taskId, inputResponses: { first: accept('Ada') } }),
      peer.request('tasks/update', { taskId, inputResponses: { first: accept('Eve') } }),
    ]);
    expect([one.error, two.error]).toEqual([undefined, undefined]);
    await peer.request('tasks/update', {
      taskId,
      inputResponses: { first: accept('Eve'), second: accept('Joan') },
    });
    await answers.reached(2);
    expect(answers.all).toEqual(['Ada', 'Joan']);
  });

  it('are acknowledged and ignored if they do not fit', async () => {
    shows('ext-tasks/tasks/update-ignored', 'ext-tasks/tasks/update-acknowledged');
    const { server, answers } = served();
    const { peer, task, taskId } = await asked(server);
    const responses = {
      first: { ignored: true },
      second: 'Grace',
      third: accept('early'),
      __proto__: {},
      other: 1,
    };
    const { result } = await peer.request('tasks/update', { taskId, inputResponses: responses });
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(keysOf(await until(peer, task, 'input_required'))).toEqual(['first', 'second']);
    expect(answers.all).toEqual([]);
  });

  it('are rejected without an object of responses', async () => {
    const { server } = served();
    const { peer, taskId } = await asked(server);
    for (const params of [{ taskId }, { taskId, inputResponses: [] }, { taskId, inputResponses: 'no' }])
      expect((await peer.request('tasks/update', params)).error?.code).toBe(-32602);
  });
});

describe('input requests on tasks/result', () => {
  it('are sent on the newest stream, and on another when that one ends', async () => {
    shows('2025-11-25-tasks/tasks/result-disconnect', '2025-11-25-tasks/tasks/input-related');
    const { server, answers } = served();
    const one = await connectPeer(server, core);
    const two = await connectPeer(server, core);
    const { taskId } = await begin(one, 'names');
    const ended = one.request('tasks/result', { taskId });
    const first = await one.heard('elicitation/create');
    await one.heard('elicitation/create', 1);
    // The client has left the first stream, as far as the server knows.
    const second = two.send('tasks/result', { taskId });
    await two.heard('elicitation/create');
    two.answer(await two.heard('elicitation/create', 1), accept('Grace'));
    one.answer(first, accept('Ada'));
    await answers.reached(2);
    await two.heard('elicitation/create', 2);
    expect(one.all('elicitation/create')).toHaveLength(2);
    two.cancel(second);
    one.answer(await one.heard('elicitation/create', 2), accept('Mary'));
    expect((await ended).result?.content?.[0]).toMatchObject({ text: 'Ada Grace Mary' });
  });

  it('are sent in another process', async () => {
    const { servers, server } = served();
    const other = servers.open();
    const task = await begin(await connectPeer(server, core), 'names');
    const peer = await connectPeer(other.server, core);
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    for (const [position, name] of ['Ada', 'Grace', 'Mary'].entries())
      peer.answer(await peer.heard('elicitation/create', position), accept(name));
    expect((await ended).result?.content?.[0]).toMatchObject({ text: 'Ada Grace Mary' });
  });
});

describe('input before the task', () => {
  function withFirst() {
    const servers = new TaskServers();
    let runs = 0;
    let steps = 0;
    const { server } = servers.open();
    server.tool('greet', { task: { support: 'always', inputFirst: ['name'] } }, async (_, ctx) => {
      runs += 1;
      await ctx.once('step', () => {
        steps += 1;
      });
      const { content } = await ctx.elicit('name', { message: 'Name?', schema: nameForm });
      const { content: more } = await ctx.elicit('more', { message: 'More?', schema: nameForm });
      return `${content?.name} ${more?.name}`;
    });
    return { server, counts: () => ({ runs, steps }) };
  }

  it('is requested by the call, in rounds, before the answer is a task', async () => {
    shows('ext-tasks/tasks/rounds-first');
    const { server, counts } = withFirst();
    const peer = await connectPeer(server, extension);
    const { result } = await peer.request('tools/call', { name: 'greet', arguments: {} });
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(result).not.toHaveProperty('taskId');
    expect(keysOf(result as Json)).toEqual(['name']);
    const { requestState } = result as Json;
    const inputResponses = { name: accept('Ada') };
    const second = await peer.request('tools/call', {
      name: 'greet',
      arguments: {},
      requestState,
      inputResponses,
    });
    expect(second.result).toMatchObject({ resultType: 'task', status: 'working' });
    for (const name of ['requestState', 'inputRequests']) expect(second.result).not.toHaveProperty(name);
    const task = second.result as Json;
    expect(keysOf(await until(peer, task, 'input_required'))).toEqual(['more']);
    await peer.request('tasks/update', { taskId: task.taskId, inputResponses: { more: accept('Byron') } });
    const ended = await until(peer, task, 'completed');
    expect(ended.result?.content?.[0]).toMatchObject({ text: 'Ada Byron' });
    expect(counts()).toEqual({ runs: 2, steps: 1 });
  });

  it('is requested by the task in the revision with tasks in its core', async () => {
    const { server } = withFirst();
    const peer = await connectPeer(server, core);
    const task = await begin(peer, 'greet');
    await until(peer, task, 'input_required');
    const ended = peer.request('tasks/result', { taskId: task.taskId });
    peer.answer(await peer.heard('elicitation/create'), accept('Ada'));
    peer.answer(await peer.heard('elicitation/create', 1), accept('Byron'));
    expect((await ended).result?.content?.[0]).toMatchObject({ text: 'Ada Byron' });
  });
});
