import { otherBounds } from '@tenon/foundation';
import type { ClientOptions } from '@tenon/mcp-client';
import { ErrorCode, RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { core, type ScriptedPeer, settled, start } from '../../test/scripted-tasks.js';
import { relatedTaskKey } from '../model/task.js';

const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
const decline = { action: 'decline' } as const;

/** A user who answers when the test says so. */
function user() {
  const shown: { readonly signal: AbortSignal; answer(): void; fail(error: Error): void }[] = [];
  const onElicit: ClientOptions['onElicit'] = (_params, { signal }) =>
    new Promise((resolve, reject) => {
      shown.push({ signal, answer: () => resolve(decline), fail: reject });
    });
  return { shown, onElicit };
}

/** Requests a form as a task. Returns the task. */
async function asked(peer: ScriptedPeer, task: UnknownObject = {}): Promise<UnknownObject> {
  const { result } = await peer.ask('elicitation/create', { ...form, task });
  return result?.task as UnknownObject;
}

describe('input requests as tasks', () => {
  it('are declared for the requests that the client answers', async () => {
    shows('2025-11-25-tasks/tasks/declared');
    const onSample = () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } }) as const;
    const { onElicit } = user();
    for (const [options, requests] of [
      [{ onElicit }, { elicitation: { create: {} } }],
      [{ onSample }, { sampling: { createMessage: {} } }],
      [
        { onElicit, onSample },
        { elicitation: { create: {} }, sampling: { createMessage: {} } },
      ],
    ] as const) {
      const { server } = await start(core, options);
      const [{ capabilities } = {}] = server.peer.paramsOf('initialize');
      expect((capabilities as UnknownObject).tasks).toEqual({ list: {}, cancel: {}, requests });
    }
    const { server } = await start(core);
    expect(server.peer.paramsOf('initialize')[0]?.capabilities).toEqual({});
  });

  it('are answered with a task at once, and with the result when the handler has ended', async () => {
    shows(
      '2025-11-25-tasks/tasks/begins-working',
      '2025-11-25-tasks/tasks/create-result',
      '2025-11-25-tasks/tasks/create-soon',
      '2025-11-25-tasks/tasks/created-at',
      '2025-11-25-tasks/tasks/updated-at',
      '2025-11-25-tasks/tasks/ttl-actual',
      '2025-11-25-tasks/tasks/result-blocks',
      '2025-11-25-tasks/tasks/result-exact',
      '2025-11-25-tasks/tasks/related-result',
      '2025-11-25-tasks/tasks/status-notified',
      '2025-11-25-tasks/tasks/id-of-receiver',
    );
    const { shown, onElicit } = user();
    const { server } = await start(core, { onElicit });
    const { peer } = server;
    const task = await asked(peer, { ttl: 5_000 });
    expect(task).toMatchObject({ status: 'working', ttl: 5_000, pollInterval: 1_000 });
    expect(task.createdAt).toBe(new Date(task.createdAt as string).toISOString());
    const { taskId } = task;
    expect((await peer.ask('tasks/get', { taskId })).result).toEqual(task);
    const result = peer.ask('tasks/result', { taskId });
    await settled();
    shown[0]?.answer();
    expect((await result).result).toEqual({ ...decline, _meta: { [relatedTaskKey]: { taskId } } });
    expect((await peer.ask('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
    expect(peer.paramsOf('notifications/tasks/status')).toMatchObject([{ taskId, status: 'completed' }]);
    expect((await peer.ask('tasks/result', { taskId })).result).toMatchObject(decline);
  });

  it('fail with the error of the handler', async () => {
    shows('2025-11-25-tasks/tasks/error-same', '2025-11-25-tasks/tasks/internal-error');
    const { shown, onElicit } = user();
    const { server, errors } = await start(core, { onElicit });
    const { peer } = server;
    for (const [error, code] of [
      [new RpcError(-1, 'no user'), -1],
      [new Error('secret path'), ErrorCode.internalError],
    ] as const) {
      const { taskId } = await asked(peer);
      await settled();
      shown.at(-1)?.fail(error);
      const answer = await peer.ask('tasks/result', { taskId });
      expect(answer.error).toMatchObject({ code });
      expect(answer.error?.message).not.toContain('secret');
      expect((await peer.ask('tasks/get', { taskId })).result).toMatchObject({ status: 'failed' });
    }
    expect(errors).toEqual([['extension io.modelcontextprotocol/tasks', 'secret path']]);
  });

  it('stop when the server cancels them, and stay cancelled', async () => {
    shows(
      '2025-11-25-tasks/tasks/cancel-stops',
      '2025-11-25-tasks/tasks/cancel-before-answer',
      '2025-11-25-tasks/tasks/cancel-stays',
      '2025-11-25-tasks/tasks/cancel-ended',
    );
    const { shown, onElicit } = user();
    const { server } = await start(core, { onElicit });
    const { peer } = server;
    const { taskId } = await asked(peer);
    await settled();
    const result = peer.ask('tasks/result', { taskId });
    expect((await peer.ask('tasks/cancel', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect(shown[0]?.signal.aborted).toBe(true);
    expect((await result).error).toMatchObject({ code: ErrorCode.invalidRequest });
    shown[0]?.answer();
    await settled();
    expect((await peer.ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect((await peer.ask('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
  });

  it('are listed page by page', async () => {
    shows(
      '2025-11-25-tasks/tasks/list-pages',
      '2025-11-25-tasks/tasks/list-next-cursor',
      '2025-11-25-tasks/tasks/list-complete',
      '2025-11-25-tasks/tasks/unknown-cursor',
      '2025-11-25-tasks/tasks/id-unique',
    );
    const { onElicit } = user();
    const { server } = await start(core, { onElicit, rates: false });
    const { peer } = server;
    const ids: unknown[] = [];
    for (let index = 0; index < 103; index++) ids.push((await asked(peer)).taskId);
    const first = (await peer.ask('tasks/list', {})).result as UnknownObject;
    const { nextCursor: cursor } = first;
    const second = (await peer.ask('tasks/list', { cursor })).result as UnknownObject;
    const listed = [...(first.tasks as UnknownObject[]), ...(second.tasks as UnknownObject[])];
    expect(listed.map(({ taskId }) => taskId)).toEqual(ids);
    expect(second.nextCursor).toBeUndefined();
    expect((await peer.ask('tasks/list', { cursor: 'x' })).error).toMatchObject({ code: -32602 });
  });

  it('are kept for their time to live, at most for the limit', async () => {
    shows(
      '2025-11-25-tasks/tasks/ttl-overridden',
      '2025-11-25-tasks/tasks/ttl-limit',
      '2025-11-25-tasks/tasks/deleted-after-ttl',
      '2025-11-25-tasks/tasks/expired-removed',
      '2025-11-25-tasks/tasks/unknown-task',
    );
    const { shown, onElicit } = user();
    const { server, clock } = await start(core, { onElicit, tasks: otherBounds({ receivedTtl: 60_000 }) });
    const { peer } = server;
    const { taskId, ttl } = await asked(peer, { ttl: 1e9 });
    expect(ttl).toBe(60_000);
    const waiting = peer.ask('tasks/result', { taskId });
    await clock.advance(60_000);
    expect(shown[0]?.signal.aborted).toBe(true);
    expect((await waiting).error).toMatchObject({ code: ErrorCode.invalidRequest });
    expect((await peer.ask('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
  });

  it('are refused beyond the limit; requests without a task are not', async () => {
    shows('2025-11-25-tasks/tasks/concurrent-limit');
    const { shown, onElicit } = user();
    const { server } = await start(core, { onElicit, tasks: otherBounds({ received: 1 }) });
    const { peer } = server;
    await asked(peer);
    expect((await peer.ask('elicitation/create', { ...form, task: {} })).error).toMatchObject({
      code: ErrorCode.overloaded,
    });
    const plain = peer.ask('elicitation/create', form);
    await settled();
    shown.at(-1)?.answer();
    expect((await plain).result).toEqual(decline);
  });

  it('run for a server without tasks of its own', async () => {
    const { onElicit } = user();
    const { server } = await start(core, { onElicit, capabilities_: { tools: {} } });
    expect(await asked(server.peer)).toMatchObject({ status: 'working' });
  });

  it('stop when the client closes', async () => {
    const { shown, onElicit } = user();
    const { client, server } = await start(core, { onElicit });
    await asked(server.peer);
    await settled();
    await client.close();
    await settled();
    expect(shown[0]?.signal.aborted).toBe(true);
  });
});
