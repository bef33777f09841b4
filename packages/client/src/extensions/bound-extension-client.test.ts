import type { InputRequest, UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { connect } from '../connect.js';
import { httpTarget } from '../http.js';
import { memoryTarget } from '../memory.js';
import type { ClientOptions } from '../options.js';
import { defineExtension } from './define-extension.js';
import type { ExtensionClient } from './extension.js';

const id = 'com.example/jobs';
const capabilities = { tools: {}, extensions: { [id]: {} } };
const form = {
  method: 'elicitation/create',
  params: { message: 'Which?', requestedSchema: { type: 'object', properties: { n: { type: 'number' } } } },
} as const satisfies InputRequest;
const both = [revision20251125, revision20260728];

/** Returns the client of an extension. */
const jobs = defineExtension({ id, filters: ['jobIds'], members: (mine: ExtensionClient) => ({ mine }) });

async function start(revision: typeof revision20251125, options: Partial<ClientOptions> = {}, more = {}) {
  const server = new ScriptedServer(serverScript(revision, more, capabilities));
  const errors: unknown[] = [];
  const onError = (error: unknown, where: string) => errors.push([where, (error as Error).message]);
  const clock = new FakeClock();
  const client = await linked(server, { extensions: [jobs], onError, clock, ...options });
  return { ...jobs.of(client), client, server, errors, clock };
}

describe.each(both)('the client of an extension in $id', (revision) => {
  it('has the server of the session, the clock and the error listener', async () => {
    const { mine, client, errors, clock } = await start(revision);
    const server = { revision: { rules: revision.rules }, capabilities, endpoint: 'server scripted' };
    expect(mine.server).toMatchObject(server);
    expect(await mine.waitForServer()).toMatchObject(server);
    expect(mine.clock).toBe(clock);
    mine.onError(new Error('late'));
    expect(errors).toEqual([[`extension ${id}`, 'late']]);
    await client.close();
    expect(mine.server).toBeUndefined();
    await expect(mine.waitForServer()).rejects.toMatchObject({ reason: 'closed' });
  });

  it('waits for a session while the connection is replaced', async () => {
    const { mine, server, clock } = await start(revision);
    await server.peer.die();
    expect(mine.server).toBeUndefined();
    const stop = new AbortController();
    const waiting = mine.waitForServer(stop.signal);
    stop.abort('enough');
    await expect(waiting).rejects.toBeDefined();
    const next = mine.waitForServer();
    await clock.advance(0);
    expect(await next).toMatchObject({ capabilities });
  });

  it('answers input requests of results with the handlers and the middleware', async () => {
    const seen: unknown[] = [];
    const { mine } = await start(revision, {
      onElicit: ({ message }) => {
        seen.push(message);
        return { action: 'accept', content: { n: 3 } };
      },
      middleware: [
        ({ direction, method }, next) => {
          if (direction === 'inbound') seen.push(method);
          return next();
        },
      ],
    });
    const answer = await mine.answerInput(form);
    expect(answer).toEqual({ action: 'accept', content: { n: 3 } });
    expect(seen).toEqual(['elicitation/create', 'Which?']);
  });

  it.each<[string, object, Partial<ClientOptions>, string]>([
    ['needs an undeclared capability', form, {}, 'which this client did not declare'],
    [
      'is malformed',
      { ...form, params: { message: 3 } },
      { onElicit: () => ({ action: 'decline' }) },
      'invalid input request elicitation/create: params.',
    ],
    ['has another method', { method: 'tasks/get' }, {}, 'did not declare'],
  ])('rejects an input request that %s', async (...[, request, options, message]) => {
    const { mine } = await start(revision, options);
    const answer = mine.answerInput(request as InputRequest);
    await expect(answer).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining(message),
    });
  });

  it('rejects an input request that exceeds the rate', async () => {
    const rates = { inputRequests: { perSecond: 1, burst: 1 } };
    const { mine } = await start(revision, { onElicit: () => ({ action: 'decline' }), rates });
    await mine.answerInput(form);
    await expect(mine.answerInput(form)).rejects.toMatchObject({ reason: 'limit' });
  });

  it('reads results of tools that other messages carry', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const tools = [{ name: 'count', inputSchema: { type: 'object' }, outputSchema }];
    const list = () => ({ tools, ttlMs: 0, cacheScope: 'private', resultType: 'complete' });
    const { mine, client } = await start(revision, {}, { 'tools/list': list });
    await client.tools().all();
    const sound = { content: [], structuredContent: { n: 3 } };
    expect(await mine.readToolResult('count', sound)).toEqual({ ...sound, isError: false });
    for (const [result, problem] of [
      [{ content: [], structuredContent: { n: 'three' } }, '#/n: must be number'],
      [{ content: [{ type: 'text' }] }, 'result.content[0]'],
      [{ content: 'text' }, 'result.content'],
      [{ task: { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null } }, 'result'],
    ] as const)
      await expect(mine.readToolResult('count', result)).rejects.toMatchObject({
        reason: 'invalid-answer',
        message: expect.stringContaining(problem),
      });
  });

  it('rejects with the error of the handler, and passes the signal to it', async () => {
    const stop = new AbortController();
    let signal: AbortSignal | undefined;
    const { mine } = await start(revision, {
      onElicit: (_params, context) => {
        signal = context.signal;
        throw new Error('no user');
      },
    });
    await expect(mine.answerInput(form, { signal: stop.signal })).rejects.toThrow('no user');
    expect(signal).toBe(stop.signal);
  });
});

it('watches with the filters of the extension', async () => {
  const listening: Reply = ({ notifications }, peer, requestId) => {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': requestId };
    peer.notify('notifications/subscriptions/acknowledged', { notifications, _meta });
    return undefined;
  };
  const { mine, server } = await start(revision20260728, {}, { 'subscriptions/listen': listening });
  const watch = await mine.watch({ filters: { jobIds: ['a'] } }, () => {});
  expect(watch.honoured).toEqual({ filters: { jobIds: ['a'] } });
  expect(server.peer.paramsOf('subscriptions/listen')).toMatchObject([{ notifications: { jobIds: ['a'] } }]);
});

it('identifies a URL target by its address without credentials', async () => {
  const url = 'https://a.example/mcp?key=abc';
  const server = new ScriptedServer(serverScript(revision20260728, {}, capabilities as UnknownObject));
  const target = { ...httpTarget(url), open: memoryTarget(server).open };
  const info = { name: 'client', version: '1' };
  const client = await connect(target, { info, extensions: [jobs] });
  expect(client.mine.server?.endpoint).toBe('https://a.example/mcp');
});
