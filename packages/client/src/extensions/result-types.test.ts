import { type CallToolResult, defineMethod, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20250326, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';
import { defineExtension } from './define-extension.js';
import type { ResultType } from './extension.js';
import type { ClientExtension } from './installation.js';

const id = 'com.example/review';
const poll = defineMethod('acme/poll');
const outputSchema = { type: 'object', properties: { high: { type: 'number' } }, required: ['high'] };
const tool = { name: 'forecast', inputSchema: { type: 'object' }, outputSchema };
const done = { resultType: 'complete' };
const waiting = { resultType: 'review', ticket: 7 };
const elicit = {
  method: 'elicitation/create',
  params: { message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
};
const requestingInput = { resultType: 'input_required', inputRequests: { unit: elicit }, requestState: 's' };

interface Setting extends Partial<ClientOptions> {
  readonly settings?: ClientExtension['settings'];
  readonly shared?: boolean;
  readonly more?: Partial<ResultType>;
}

const setups = [
  ['a session', revision20251125],
  ['a stateless revision', revision20260728],
] as const;

function setup(revision: typeof revision20251125) {
  return async (settleCall: ResultType['settle'], answer: UnknownObject | Reply, setting: Setting = {}) => {
    const { settings = {}, shared = true, more, ...options } = setting;
    const script = {
      'tools/list': () => ({ tools: [tool], ttlMs: 0, cacheScope: 'private', ...done }),
      'tools/call': typeof answer === 'function' ? answer : () => answer,
      'acme/poll': () => ({ high: 21, ...done }),
    };
    const capabilities = { tools: {}, ...(shared && { extensions: { [id]: {} } }) };
    const server = new ScriptedServer(serverScript(revision, script, capabilities));
    const resultTypes = [{ type: 'review', settle: settleCall, ...more }];
    const extensions = [defineExtension({ id, settings, resultTypes })];
    const clock = new FakeClock();
    const client = await linked(server, { extensions, clock, ...options });
    return { client, server, clock };
  };
}

describe.each(setups)('a result of the type of an extension in %s', (_, revision) => {
  const start = setup(revision);

  it('is passed to abandon when the call outlasts its request and is cancelled before the answer', async () => {
    let answer = (_: UnknownObject): void => {};
    const answered = new Promise<UnknownObject>((resolve) => {
      answer = resolve;
    });
    const abandoned: unknown[] = [];
    const more: Partial<ResultType> = {
      outlasts: ({ _meta }) => _meta?.['com.example/keep'] === true,
      abandon: (result) => abandoned.push(result),
    };
    const settle = () => Promise.reject(new Error('must not be called'));
    const { client, server } = await start(settle, () => answered, { more });
    const stop = new AbortController();
    const meta = { 'com.example/keep': true };
    const call = client.callTool('forecast', {}, { meta, signal: stop.signal });
    await settled();
    stop.abort();
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    answer(waiting);
    await settled();
    expect(abandoned).toEqual([waiting]);
    expect(server.peer.methods).not.toContain('notifications/cancelled');
  });

  it('is settled by the extension', async () => {
    const calls: unknown[] = [];
    const { client } = await start(async (result, { params, options, client }) => {
      calls.push([result, params, options.signal.aborted]);
      const { high } = await client.request(poll, {}, { signal: options.signal });
      return { content: [], structuredContent: { high } };
    }, waiting);
    await client.tools().all();
    const result = await client.callTool('forecast', { city: 'Oslo' });
    expect(result).toEqual({ content: [], structuredContent: { high: 21 }, isError: false });
    expect(calls).toEqual([[waiting, { name: 'forecast', arguments: { city: 'Oslo' } }, false]]);
    const params = { name: 'forecast' };
    expect(await client.request('tools/call', params)).toMatchObject({ structuredContent: { high: 21 } });
  });

  it('rejects when what the extension returns breaks the schema of the tool', async () => {
    const structuredContent = { high: 'warm' };
    const { client } = await start(() => ({ content: [], structuredContent }), waiting);
    await client.tools().all();
    await expect(client.callTool('forecast')).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: 'The result of the tool "forecast" does not match its schema: #/high: must be number',
    });
  });

  it('rejects with what the extension throws, and when it returns no result', async () => {
    const failing = await start(() => {
      throw new Error('declined');
    }, waiting);
    await expect(failing.client.callTool('forecast')).rejects.toThrow('declined');
    const empty = await start((result) => result as never, waiting);
    await expect(empty.client.callTool('forecast')).rejects.toThrow(
      `Extension "${id}" returned no result for tools/call forecast`,
    );
  });

  it.each([
    ['the server does not declare the extension', { shared: false }],
    ['the client does not offer it there', { settings: () => undefined }],
  ])('is not a valid answer when %s', async (_when, setting) => {
    const { client } = await start(() => ({ content: [] }), waiting, setting);
    await expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'invalid-answer' });
  });

  it.each<
    [string, (parts: { stop: AbortController; clock: FakeClock; close(): unknown }) => unknown, object]
  >([
    ['its caller cancels it', ({ stop }) => stop.abort('enough'), { reason: 'cancelled' }],
    [
      'its total is over',
      ({ clock }) => clock.advance(5_000),
      { reason: 'timeout', message: expect.stringContaining('within 5000 ms') },
    ],
    ['the client closes', ({ close }) => close(), { reason: 'closed' }],
  ])('ends with its signal aborted when %s', async (_when, end, error) => {
    let signal: AbortSignal | undefined;
    const { client, clock } = await start((_result, { options }) => {
      signal = options.signal;
      return new Promise(() => {});
    }, waiting);
    const stop = new AbortController();
    const call = client.callTool('forecast', {}, { signal: stop.signal, total: 5_000 });
    const failed = expect(call).rejects.toMatchObject(error);
    await settled();
    expect(signal?.aborted).toBe(false);
    await end({ stop, clock, close: () => client.close() });
    await failed;
    expect(signal?.aborted).toBe(true);
  });

  it('counts its total from the first request', async () => {
    const slow: Reply = async () => {
      await gate;
      return waiting;
    };
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { client, clock } = await start(() => new Promise(() => {}), slow, {
      limits: { requestTotal: 5_000 },
    });
    const failed = expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'timeout' });
    await clock.advance(4_000);
    open();
    await settled();
    await clock.advance(1_000);
    await failed;
  });
});

it('rejects a result type that no extension has', async () => {
  const start = setup(revision20260728);
  const { client } = await start(() => ({ content: [] }), { ...waiting, resultType: 'preview' });
  await expect(client.callTool('forecast')).rejects.toMatchObject({
    reason: 'invalid-answer',
    message: expect.stringContaining('resultType'),
  });
});

it('settles a result that comes after rounds of input', async () => {
  const answer: Reply = ({ inputResponses }) => (inputResponses === undefined ? requestingInput : waiting);
  const start = setup(revision20260728);
  const onElicit = () => ({ action: 'accept', content: {} }) as const;
  const { client } = await start(() => ({ content: [], isError: true }), answer, { onElicit });
  expect(await client.callTool('forecast')).toEqual({ content: [], isError: true });
});

it('settles a result of a batch', async () => {
  const start = setup(revision20250326);
  const { client } = await start(() => ({ content: [] }), waiting);
  const [called] = client.batch([{ method: 'tools/call', params: { name: 'forecast' } }]);
  expect(await called).toEqual({ content: [] });
});

describe('a result without resultType that an extension recognizes', () => {
  const task = { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };
  const call: Reply = () => ({ task });
  const settle = () => ({ content: [], structuredContent: { high: 21 } });
  const connected = async (
    type: Partial<ResultType>,
    options: Partial<ClientOptions> = {},
    shared = true,
  ) => {
    const capabilities = { tools: {}, ...(shared && { extensions: { [id]: {} } }) };
    const server = new ScriptedServer(serverScript(revision20251125, { 'tools/call': call }, capabilities));
    const matches = (result: UnknownObject) => result.task !== undefined;
    const resultTypes = [{ type: 'job', matches, settle, ...type }];
    const clock = new FakeClock();
    const extensions = [defineExtension({ id, resultTypes })];
    return { clock, server, client: await linked(server, { clock, extensions, ...options }) };
  };

  it('is settled by the extension', async () => {
    const results: unknown[] = [];
    const { client } = await connected({
      settle: (result) => {
        results.push(result);
        return settle();
      },
    });
    expect(await client.callTool('forecast')).toMatchObject({ structuredContent: { high: 21 } });
    expect(await client.request('tools/call', { name: 'forecast' })).toMatchObject({ content: [] });
    const [batched] = client.batch([{ method: 'tools/call', params: { name: 'forecast' } }]);
    expect(await batched).toMatchObject({ content: [] });
    expect(results).toEqual([{ task }, { task }, { task }]);
  });

  it.each<[string, Partial<ResultType>, boolean]>([
    ['the extension does not recognize it', { matches: () => false }, true],
    ['the server does not declare the extension', {}, false],
  ])('is not a valid answer when %s', async (_, type, shared) => {
    const { client } = await connected(type, {}, shared);
    await expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'invalid-answer' });
  });

  it('leaves the progress token valid until the call has ended', async () => {
    let end = (_result: CallToolResult) => {};
    const { client, server } = await connected({
      settle: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    });
    const seen: unknown[] = [];
    const onProgress = ({ progress }: { readonly progress: number }) => seen.push(progress);
    const called = client.callTool('forecast', {}, { onProgress });
    await settled();
    const [{ _meta } = {}] = server.peer.paramsOf('tools/call');
    const { progressToken } = _meta as UnknownObject;
    const report = (progress: number) =>
      server.peer.notify('notifications/progress', { progressToken, progress });
    for (const progress of [1, 2, 2, 1]) report(progress);
    await settled();
    expect(seen).toEqual([1, 2]);
    end({ content: [] });
    await called;
    report(3);
    await settled();
    expect(seen).toEqual([1, 2]);
  });

  it('may last longer than requestTotal, unless the call has a total', async () => {
    const limits = { requestTotal: 5_000 };
    const endless = { lasting: true, settle: () => new Promise<never>(() => {}) };
    const { client, clock } = await connected(endless, { limits });
    let ended = false;
    const unlimited = client.callTool('forecast').finally(() => {
      ended = true;
    });
    const limited = expect(client.callTool('forecast', {}, { total: 7_000 })).rejects.toMatchObject({
      reason: 'timeout',
    });
    await clock.advance(60_000);
    await limited;
    expect(ended).toBe(false);
    const closed = expect(unlimited).rejects.toMatchObject({ reason: 'closed' });
    await client.close();
    await closed;
  });
});
