import type { ClientCapabilities } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Json, Peer, WireMessage } from '../../test/peers.js';
import {
  type ConnectOptions,
  connectPeer,
  core,
  Events,
  forms,
  Gate,
  nameForm,
  TaskServers,
  transports,
  turn,
  without,
} from '../../test/task-servers.js';
import type { TasksOptions } from './task-settings.js';

const capabilities: ClientCapabilities = {
  ...forms,
  sampling: {},
  tasks: { cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
};
const ada = { action: 'accept', content: { name: 'Ada' } };
const taskId = 'c-1';
const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttl: 60_000 };
const taskIn = (status: string, more: object = {}) => ({ taskId, status, ...times, ...more });

/** A tool that requests a name, and the outcome of its request. */
async function asked(options: TasksOptions = { inputAsTasks: true }, given: ConnectOptions = {}) {
  const servers = new TaskServers();
  const { server } = servers.open(options);
  const outcomes = new Events<unknown>();
  server.tool('greet', {}, async (_, ctx) => {
    try {
      const { content } = await ctx.elicit('name', { message: 'Name?', schema: nameForm });
      outcomes.push(content?.name);
    } catch (error) {
      outcomes.push(error);
    }
    return 'done';
  });
  const peer = await connectPeer(server, core, { capabilities, ...given });
  const call = peer.send('tools/call', { name: 'greet', arguments: {} });
  const request = await peer.heard('elicitation/create');
  const outcome = async () => (await outcomes.reached(1))[0];
  return { servers, peer, call, request, outcome };
}

/** Answers with a task, and returns the request for its result. */
async function resultRequest(peer: Peer, request: WireMessage, more: object = {}): Promise<WireMessage> {
  peer.answer(request, { task: taskIn('working', more) });
  return peer.heard('tasks/result');
}

describe('input requests as tasks of the client', () => {
  it('have the ttl of the option', async () => {
    shows('2025-11-25-tasks/tasks/ttl-requested');
    const { request } = await asked({ inputAsTasks: { ttl: 5_000 } });
    expect(request.params?.task).toEqual({ ttl: 5_000 });
  });

  it('are answered by tasks/result', async () => {
    const { peer, request, outcome } = await asked();
    expect(request.params?.task).toEqual({});
    const result = await resultRequest(peer, request);
    expect(result.params).toEqual({ taskId });
    peer.answer(result, { ...ada, _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });
    expect(await outcome()).toBe('Ada');
  });

  it('take an answer without a task as it is', async () => {
    const { peer, request, outcome } = await asked();
    peer.answer(request, ada);
    expect(await outcome()).toBe('Ada');
    expect(peer.all('tasks/result')).toEqual([]);
  });

  it('reject with the error of the task, as the request would', async () => {
    const { peer, request, outcome } = await asked();
    peer.reject(await resultRequest(peer, request), -5, 'no user');
    const error = await outcome();
    expect(error).toMatchObject({ name: 'RemoteError', code: -5, method: 'elicitation/create' });
    expect(error).toMatchObject({ peerMessage: 'no user' });
  });

  it.each([{}, { action: 'maybe' }, { task: taskIn('working') }])(
    'reject when the result of the task is %j',
    async (answer) => {
      const { peer, request, outcome } = await asked();
      peer.answer(await resultRequest(peer, request), answer);
      expect(await outcome()).toMatchObject({ name: 'SessionError', reason: 'invalid-answer' });
    },
  );

  it('reject when the answer has a malformed task', async () => {
    const { peer, request, outcome } = await asked();
    peer.answer(request, { task: { taskId } });
    expect(await outcome()).toMatchObject({ name: 'SessionError', reason: 'invalid-answer' });
  });

  it('poll the task at its interval when the request for the result is not answered', async () => {
    shows(
      '2025-11-25-tasks/tasks/poll-interval',
      '2025-11-25-tasks/tasks/poll-to-end',
      '2025-11-25-tasks/tasks/poll-beside-result',
      '2025-11-25-tasks/tasks/status-optional',
    );
    const { servers, peer, request, outcome } = await asked();
    const { clock } = servers;
    await resultRequest(peer, request, { pollInterval: 300 });
    await clock.advance(60_000);
    await clock.advance(299);
    expect(peer.all('tasks/get')).toEqual([]);
    await clock.advance(1);
    peer.answer(await peer.heard('tasks/get'), taskIn('working', { pollInterval: 700 }));
    await turn();
    await clock.advance(699);
    expect(peer.all('tasks/get')).toHaveLength(1);
    await clock.advance(1);
    peer.answer(await peer.heard('tasks/get', 1), taskIn('completed'));
    peer.answer(await peer.heard('tasks/result', 1), ada);
    expect(await outcome()).toBe('Ada');
  });

  it('poll no faster than ten times in a second', async () => {
    const { servers, peer, request } = await asked();
    await resultRequest(peer, request, { pollInterval: 0 });
    await servers.clock.advance(60_000);
    await servers.clock.advance(99);
    expect(peer.all('tasks/get')).toEqual([]);
    await servers.clock.advance(1);
    expect(peer.all('tasks/get')).toHaveLength(1);
  });

  it('reject after limits.requestTotal when the task never ends, and cancel the task', async () => {
    const { servers, peer, request, outcome } = await asked();
    await resultRequest(peer, request);
    await servers.clock.advance(600_000);
    expect(await outcome()).toMatchObject({ name: 'SessionError', reason: 'timeout' });
    expect((await peer.heard('tasks/cancel')).params).toEqual({ taskId });
  });

  it('cancel the task when the call is cancelled', async () => {
    const { peer, call, request, outcome } = await asked();
    await resultRequest(peer, request);
    peer.cancel(call);
    expect((await peer.heard('tasks/cancel')).params).toEqual({ taskId });
    expect(await outcome()).toMatchObject({ name: 'SessionError', reason: 'cancelled' });
  });

  it('cancel the task that is made after the call was cancelled, and not the request', async () => {
    const { peer, call, request, outcome } = await asked();
    peer.cancel(call);
    expect(await outcome()).toMatchObject({ reason: 'cancelled' });
    peer.answer(request, { task: taskIn('working') });
    expect((await peer.heard('tasks/cancel')).params).toEqual({ taskId });
    expect(peer.all('notifications/cancelled')).toEqual([]);
    expect(peer.all('tasks/result')).toEqual([]);
  });

  it.each(transports)(
    'cancel the task when the handler ends without the answer, over %s',
    async (transport) => {
      const { server } = new TaskServers().open({ inputAsTasks: true });
      const gate = new Gate();
      server.tool('greet', {}, async (_, ctx) => {
        ctx.elicit('name', { message: 'Name?', schema: nameForm }).catch(() => {});
        await gate.passed;
        return 'done';
      });
      const peer = await connectPeer(server, core, { capabilities, transport });
      (peer as { listen?(): void }).listen?.();
      const call = peer.request('tools/call', { name: 'greet', arguments: {} });
      await resultRequest(peer, await peer.heard('elicitation/create'));
      gate.open();
      expect((await call).result?.content?.[0]).toMatchObject({ text: 'done' });
      expect((await peer.heard('tasks/cancel')).params).toEqual({ taskId });
    },
  );

  it('cancel the task over HTTP on the stream of the session', async () => {
    const { peer, call, request } = await asked({ inputAsTasks: true }, { transport: 'HTTP' });
    (peer as { listen?(): void }).listen?.();
    await resultRequest(peer, request);
    peer.cancel(call);
    expect((await peer.heard('tasks/cancel')).params).toEqual({ taskId });
  });
});

describe('input requests without tasks', () => {
  const plain = async (options: TasksOptions, given: ConnectOptions) => {
    const { peer, request, outcome } = await asked(options, given);
    peer.answer(request, ada);
    expect(await outcome()).toBe('Ada');
    return (request.params as Json).task;
  };

  it('are sent without the option', async () => {
    expect(await plain({}, {})).toBeUndefined();
    expect(await plain({ inputAsTasks: false }, {})).toBeUndefined();
  });

  it('are sent to clients that do not run them as tasks', async () => {
    for (const requests of [undefined, {}, { sampling: { createMessage: {} } }, { elicitation: {} }]) {
      const declared = { ...forms, tasks: { ...(requests && { requests }) } };
      expect(await plain({ inputAsTasks: true }, { capabilities: declared })).toBeUndefined();
    }
  });
});

it.each(without.filter(({ rules }) => rules.inputFeatures.elicit))(
  'input requests are not tasks in $id',
  async (revision) => {
    const { server } = new TaskServers().open({ inputAsTasks: true });
    server.tool('greet', {}, async (_, ctx) => {
      return (await ctx.elicit('name', { message: 'Name?', schema: nameForm })).action;
    });
    const peer = await connectPeer(server, revision, { capabilities });
    peer.send('tools/call', { name: 'greet', arguments: {} });
    expect((await peer.heard('elicitation/create')).params?.task).toBeUndefined();
  },
);
