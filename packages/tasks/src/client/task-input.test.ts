import { otherBounds } from '@tenon/foundation';
import type { ClientOptions } from '@tenon/mcp-client';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { core, extension, type Reply, settled, start, text, WireRefusal } from '../../test/scripted-tasks.js';
import { relatedTaskKey } from '../model/task.js';

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
const elicit = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema },
});
const accept = (name: string) => ({ action: 'accept', content: { name } }) as const;
const decline = { action: 'decline' } as const;
const waiting = (...messages: string[]) => ({
  status: 'input_required',
  inputRequests: Object.fromEntries(messages.map((message) => [message, elicit(message)])),
});

describe('input requests of a task, in the extension', () => {
  /** A user who answers each request when the test says so. */
  function user() {
    const shown: { message: string; signal: AbortSignal; answer(): void }[] = [];
    const onElicit: ClientOptions['onElicit'] = ({ message }, { signal }) =>
      new Promise((resolve) => {
        shown.push({ message, signal, answer: () => resolve(decline) });
      });
    return { shown, onElicit };
  }

  it('are answered once each, while the task is requested again and again', async () => {
    shows(
      'ext-tasks/tasks/input-provided',
      'ext-tasks/tasks/observed-after-update',
      'ext-tasks/tasks/input-once',
      'ext-tasks/tasks/update-outstanding',
      'ext-tasks/tasks/update-eventual',
    );
    const { shown, onElicit } = user();
    const { client, server, clock, task } = await start(extension, { onElicit });
    const call = client.callTool('always');
    task.become(waiting('a', 'b'));
    await clock.advance(900);
    expect(shown.map(({ message }) => message)).toEqual(['a', 'b']);
    shown[1]?.answer();
    await settled();
    const updates = () => server.peer.paramsOf('tasks/update');
    expect(updates()).toMatchObject([{ taskId: 't-1', inputResponses: { b: decline } }]);
    expect(Object.keys(updates()[0]?.inputResponses as object)).toEqual(['b']);
    // The server still shows both.
    await clock.advance(900);
    expect(shown).toHaveLength(2);
    shown[0]?.answer();
    await clock.advance(900);
    expect(updates()).toHaveLength(2);
    task.become(waiting('c'));
    await clock.advance(300);
    expect(shown.map(({ message }) => message)).toEqual(['a', 'b', 'c']);
    shown[2]?.answer();
    task.become({ status: 'completed', result: text('Cy') });
    await clock.advance(300);
    expect(await call).toMatchObject(text('Cy'));
  });

  it('are requested at once from a task that was created with them', async () => {
    const { shown, onElicit } = user();
    const { client, clock, task } = await start(extension, { onElicit });
    task.become(waiting('a'));
    const call = client.callTool('always');
    await settled();
    expect(shown).toHaveLength(1);
    task.become({ status: 'completed', result: text('done') });
    await clock.advance(300);
    await call;
  });

  it('stop when the task no longer waits for them', async () => {
    const { shown, onElicit } = user();
    const { client, server, clock, task } = await start(extension, { onElicit });
    const call = client.callTool('always');
    task.become(waiting('a'));
    await clock.advance(300);
    expect(shown[0]?.signal.aborted).toBe(false);
    task.become({ status: 'working' });
    await clock.advance(300);
    expect(shown[0]?.signal.aborted).toBe(false);
    task.become(waiting('b'));
    await clock.advance(300);
    expect(shown[0]?.signal.aborted).toBe(true);
    shown[0]?.answer();
    task.become({ status: 'completed', result: text('done') });
    await clock.advance(300);
    await call;
    expect(shown[1]?.signal.aborted).toBe(true);
    expect(server.peer.methods).not.toContain('tasks/update');
  });

  it('send a response again that did not reach the server, without a second request to the user', async () => {
    const { shown, onElicit } = user();
    const busy = new WireRefusal(-31001, 'busy');
    let refusals = 1;
    const update: Reply = () => (refusals-- > 0 ? busy : { resultType: 'complete' });
    const { client, server, clock, task } = await start(extension, {
      onElicit,
      script: { 'tasks/update': update },
    });
    const call = client.callTool('always');
    task.become(waiting('a'));
    await clock.advance(300);
    shown[0]?.answer();
    await clock.advance(300);
    expect(server.peer.paramsOf('tasks/update')).toHaveLength(2);
    await clock.advance(300);
    expect(server.peer.paramsOf('tasks/update')).toHaveLength(2);
    expect(shown).toHaveLength(1);
    task.become({ status: 'completed', result: text('done') });
    await clock.advance(300);
    await call;
  });

  it.each<[string, Partial<ClientOptions>, UnknownObject, object]>([
    ['this client declared no handler', {}, waiting('a'), { reason: 'invalid-answer' }],
    [
      'they are malformed',
      { onElicit: () => accept('a') },
      { status: 'input_required', inputRequests: { a: { method: 'elicitation/create', params: {} } } },
      { reason: 'invalid-answer' },
    ],
    [
      'the handler fails',
      {
        onElicit: () => {
          throw new Error('no display');
        },
      },
      waiting('a'),
      { message: 'no display' },
    ],
  ])('end the call and cancel the task when %s', async (...[, options, state, error]) => {
    shows('ext-tasks/tasks/input-as-requests');
    const { client, server, clock, task } = await start(extension, options);
    const failed = expect(client.callTool('always')).rejects.toMatchObject(error);
    task.become(state);
    await clock.advance(300);
    await failed;
    await settled();
    expect(server.peer.paramsOf('tasks/cancel')).toHaveLength(1);
  });

  it('are limited', async () => {
    const { onElicit } = user();
    const bounds = { inputRequests: 2, inputKeys: 3 };
    const { client, clock, task } = await start(extension, { onElicit, tasks: otherBounds(bounds) });
    const many = expect(client.callTool('always')).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('more than 2 input requests at once'),
    });
    task.become(waiting('a', 'b', 'c'));
    await clock.advance(300);
    await many;
    task.become({ status: 'working' });
    const endless = expect(client.callTool('always')).rejects.toMatchObject({
      message: expect.stringContaining('more than 3 input requests'),
    });
    for (const key of ['a', 'b', 'c', 'd']) {
      task.become({
        status: 'input_required',
        inputRequests: { [key]: { method: 'roots/list' } },
      });
      await clock.advance(300);
    }
    await endless.catch(() => {});
  });
});

describe('input requests of a task, in the core protocol', () => {
  const related = { [relatedTaskKey]: { taskId: 't-1' } };

  it('are answered on the stream of tasks/result, and belong to the task', async () => {
    shows('2025-11-25-tasks/tasks/result-for-input', '2025-11-25-tasks/tasks/related');
    let answered: UnknownObject | undefined;
    const result: Reply = async (_params, peer) => {
      const { params } = elicit('Which?');
      const answer = await peer.ask('elicitation/create', { ...params, _meta: related });
      answered = answer.result;
      return { ...text('done'), _meta: related };
    };
    const onElicit = () => accept('Al');
    const { client, server, clock, task } = await start(core, {
      onElicit,
      script: { 'tasks/result': result },
    });
    await client.tools().all();
    const call = client.callTool('always');
    await clock.advance(300);
    expect(server.peer.methods).not.toContain('tasks/result');
    task.become({ status: 'input_required' });
    await clock.advance(300);
    expect(await call).toMatchObject({ ...text('done'), isError: false });
    expect(answered).toEqual({ ...accept('Al'), _meta: related });
  });

  it('keep one tasks/result open, over the end of the task', async () => {
    shows('2025-11-25-tasks/tasks/result-for-input');
    let end = (_result: UnknownObject) => {};
    const result: Reply = () => new Promise((resolve) => (end = resolve));
    const { client, server, clock, task } = await start(core, { script: { 'tasks/result': result } });
    await client.tools().all();
    const call = client.callTool('always');
    task.become({ status: 'input_required' });
    await clock.advance(900);
    task.become({ status: 'completed' });
    await clock.advance(900);
    expect(server.peer.paramsOf('tasks/result')).toHaveLength(1);
    end(text('done'));
    expect(await call).toMatchObject(text('done'));
  });

  it('send tasks/result again when the process that had the request has ended', async () => {
    const gone = new WireRefusal(-32603, 'The process that handled this request has ended.');
    const replies: Reply[] = [() => gone, () => text('done')];
    const result: Reply = (...request) => replies.shift()?.(...request);
    const { client, clock, task } = await start(core, { script: { 'tasks/result': result } });
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    task.become({ status: 'input_required' });
    await clock.advance(300);
    task.become({ status: 'completed' });
    await clock.advance(300);
    expect(await call).toMatchObject(text('done'));
  });

  it('reject with the error of tasks/result when the task has ended', async () => {
    const result: Reply = () => new WireRefusal(-32603, 'Internal error');
    const { client, clock, task } = await start(core, { script: { 'tasks/result': result } });
    await client.tools().all();
    const call = client.callTool('always');
    const rejected = expect(call).rejects.toMatchObject({ code: -32603, peerMessage: 'Internal error' });
    await settled();
    task.become({ status: 'input_required' });
    await clock.advance(300);
    task.become({ status: 'failed' });
    await clock.advance(300);
    await rejected;
  });

  it('send tasks/result again when its stream breaks, or is not answered after the end', async () => {
    const replies: Reply[] = [() => new WireRefusal(-31001, 'busy'), () => undefined, () => text('done')];
    const result: Reply = (...request) => replies.shift()?.(...request);
    const { client, server, clock, task } = await start(core, { script: { 'tasks/result': result } });
    await client.tools().all();
    const call = client.callTool('always');
    await settled();
    task.become({ status: 'input_required' });
    await clock.advance(300);
    expect(server.peer.paramsOf('tasks/result')).toHaveLength(1);
    await clock.advance(300);
    expect(server.peer.paramsOf('tasks/result')).toHaveLength(2);
    task.become({ status: 'completed' });
    await clock.advance(300);
    expect(server.peer.paramsOf('tasks/result')).toHaveLength(2);
    await clock.advance(10_200);
    expect(await call).toMatchObject(text('done'));
  });
});
