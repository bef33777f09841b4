import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';
import { defineExtension } from './define-extension.js';
import type { ClientContributions, LiveInputRequest, ToolCallDraft } from './extension.js';

type Prepare = NonNullable<ClientContributions['prepareToolCall']>;

const id = 'com.example/jobs';
const done = { resultType: 'complete' };
const inputSchema = { type: 'object' };
const tools = [
  { name: 'render', inputSchema, execution: { taskSupport: 'required' } },
  { name: 'greet', inputSchema, annotations: { readOnlyHint: true } },
];
const key = 'com.example/marked';
const marked: Prepare = ({ params, tool }) =>
  tool?.name === 'render' ? { ...params, _meta: { ...params._meta, [key]: true } } : params;

async function start(
  prepareToolCall: Prepare,
  setting: { revision?: typeof revision20251125; shared?: boolean; call?: Reply } = {},
) {
  const { revision = revision20251125, shared = true, call = () => ({ content: [], ...done }) } = setting;
  const capabilities = { tools: { listChanged: true }, ...(shared && { extensions: { [id]: {} } }) };
  const list = () => ({ tools, ttlMs: 0, cacheScope: 'private', ...done });
  const script = { 'tools/list': list, 'tools/call': call };
  const server = new ScriptedServer(serverScript(revision, script, capabilities));
  const client = await linked(server, { extensions: [defineExtension({ id, prepareToolCall })] });
  const metas = () =>
    server.peer.paramsOf('tools/call').map(({ _meta }) => (_meta as UnknownObject | undefined)?.[key]);
  return { client, server, metas };
}

describe.each([revision20251125, revision20260728])('prepareToolCall in $id', (revision) => {
  it('changes the params of calls of a listed tool', async () => {
    const { client, metas } = await start(marked, { revision });
    await client.callTool('render');
    await client.tools().all();
    await client.callTool('render', {}, { meta: { 'com.example/own': 1 } });
    await client.callTool('greet');
    await client.request('tools/call', { name: 'render' });
    expect(metas()).toEqual([undefined, true, undefined, true]);
  });

  it('receives the call, the members of the tool that are kept, and the client', async () => {
    const drafts: ToolCallDraft[] = [];
    const { client } = await start(
      (draft) => {
        drafts.push(draft);
        return draft.params;
      },
      { revision },
    );
    await client.tools().all();
    await client.callTool('render', { city: 'Oslo' }, { idempotent: true });
    const [draft] = drafts;
    expect(draft?.params).toEqual({ name: 'render', arguments: { city: 'Oslo' } });
    const execution = { taskSupport: 'required' };
    expect(draft?.tool).toEqual({ name: 'render', execution });
    expect(draft?.options).toEqual({ idempotent: true });
    expect(draft?.client.settings).toEqual({});
  });

  it('does not run when the server does not declare the extension', async () => {
    const { client, metas } = await start(marked, { revision, shared: false });
    await client.tools().all();
    await client.callTool('render');
    expect(metas()).toEqual([undefined]);
  });

  it('rejects the call with its error, and when it returns no params', async () => {
    const failing = await start(
      () => {
        throw new Error('no ttl');
      },
      { revision },
    );
    await expect(failing.client.callTool('render')).rejects.toThrow('no ttl');
    const empty = await start(() => undefined as never, { revision });
    await expect(empty.client.callTool('render')).rejects.toThrow(
      `Extension "${id}": prepareToolCall() must return the params of the call.`,
    );
    expect(empty.server.peer.methods).not.toContain('tools/call');
  });
});

describe('a call of a tool that was not listed', () => {
  const strict: Reply = ({ name, _meta }) =>
    name === 'render' && (_meta as UnknownObject | undefined)?.[key] === undefined
      ? new WireRefusal(-32601, 'run it as a task')
      : { content: [], ...done };

  it('is sent again when the server has no such method, and the list adds params', async () => {
    const { client, server, metas } = await start(marked, { call: strict });
    expect(await client.callTool('render')).toMatchObject({ isError: false });
    expect(metas()).toEqual([undefined, true]);
    await client.callTool('render');
    expect(server.peer.paramsOf('tools/list')).toHaveLength(1);
  });

  it.each<[string, Prepare, string]>([
    ['the list adds nothing', ({ params }) => params, 'render'],
    ['the list does not have the tool', marked, 'paint'],
  ])('is not sent again when %s', async (_, prepare, name) => {
    const refuse = () => new WireRefusal(-32601, 'run it as a task');
    const { client, metas } = await start(prepare, { call: refuse });
    await expect(client.callTool(name)).rejects.toMatchObject({ code: -32601 });
    expect(metas()).toHaveLength(1);
  });

  it('is prepared without the tool after the list has changed', async () => {
    const { client, server, metas } = await start(marked);
    await client.tools().all();
    server.peer.notify('notifications/tools/list_changed');
    await settled();
    await client.callTool('render');
    expect(metas()).toEqual([undefined]);
  });
});

it('prepares the calls of a batch that is sent one by one', async () => {
  const { client, metas } = await start(marked);
  await client.tools().all();
  await client.batch([{ method: 'tools/call', params: { name: 'render' } }])[0];
  expect(metas()).toEqual([true]);
});

const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
const task = { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };
const accept = { action: 'accept', content: {} } as const;

async function startIntercepting(
  interceptInput: NonNullable<ClientContributions['interceptInput']>,
  { shared = true, ...options }: Partial<ClientOptions> & { readonly shared?: boolean } = {},
) {
  const capabilities = { tools: {}, ...(shared && { extensions: { [id]: {} } }) };
  const server = new ScriptedServer(serverScript(revision20251125, {}, capabilities));
  const extensions = [defineExtension({ id, interceptInput })];
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const client = await linked(server, { extensions, onElicit: () => accept, onError, ...options });
  return { client, server, errors };
}

describe('interceptInput', () => {
  it('answers in place of the handler', async () => {
    const requests: LiveInputRequest[] = [];
    let elicited = 0;
    const onElicit = () => {
      elicited++;
      return accept;
    };
    const { server } = await startIntercepting(
      (request) => {
        requests.push(request);
        return { task };
      },
      { onElicit },
    );
    const params = { ...form, task: { ttl: 60_000 }, _meta: { 'com.example/a': 1 } };
    expect((await server.peer.ask('elicitation/create', params)).result).toEqual({ task });
    expect(requests).toMatchObject([{ method: 'elicitation/create', params, client: { settings: {} } }]);
    expect(elicited).toBe(0);
  });

  it('runs the handler with next, and may change its answer', async () => {
    const { server } = await startIntercepting(async (_request, next) => ({
      ...(await next()),
      _meta: { 'com.example/a': 1 },
    }));
    const { result } = await server.peer.ask('elicitation/create', form);
    expect(result).toEqual({ ...accept, _meta: { 'com.example/a': 1 } });
  });

  it('may answer before the handler has ended, which then has a signal of its own', async () => {
    const signals: AbortSignal[] = [];
    const stop = new AbortController();
    let work: Promise<object> | undefined;
    const onElicit: ClientOptions['onElicit'] = async (_params, { signal }) => {
      signals.push(signal);
      await settled();
      return accept;
    };
    const { server } = await startIntercepting(
      (_request, next) => {
        work = next(stop.signal);
        return { task };
      },
      { onElicit },
    );
    expect((await server.peer.ask('elicitation/create', form)).result).toEqual({ task });
    expect(await work).toEqual(accept);
    expect(signals).toEqual([stop.signal]);
  });

  it('passes through extensions in the order of the list', async () => {
    const order: string[] = [];
    const noting = (name: string) =>
      defineExtension({
        id: `com.example/${name}`,
        interceptInput: (_request, next) => {
          order.push(name);
          return next();
        },
      });
    const declared = { 'com.example/a': {}, 'com.example/c': {} };
    const server = new ScriptedServer(serverScript(revision20251125, {}, { extensions: declared }));
    const extensions = [noting('a'), noting('b'), noting('c')];
    await linked(server, { extensions, onElicit: () => accept });
    expect((await server.peer.ask('elicitation/create', form)).result).toEqual(accept);
    expect(order).toEqual(['a', 'c']);
  });

  it('does not run for a request that is invalid, undeclared or too frequent, or without the extension', async () => {
    let calls = 0;
    const counting = () => {
      calls++;
      return { task };
    };
    const rates = { inputRequests: { perSecond: 1, burst: 1 } };
    const { server } = await startIntercepting(counting, { rates });
    const url = { mode: 'url', message: 'Open', url: 'https://a.example', elicitationId: '1' };
    expect((await server.peer.ask('elicitation/create', { message: 3 })).error?.code).toBe(-32602);
    expect((await server.peer.ask('elicitation/create', url)).error?.code).toBe(-32602);
    expect((await server.peer.ask('elicitation/create', form)).result).toEqual({ task });
    expect((await server.peer.ask('elicitation/create', form)).error).toMatchObject({ code: -31004 });
    expect(calls).toBe(1);
    const bare = await startIntercepting(counting, { shared: false });
    expect((await bare.server.peer.ask('elicitation/create', form)).result).toEqual(accept);
    expect(calls).toBe(1);
  });

  it('must return a result of the method', async () => {
    for (const answer of [{ review: true }, undefined]) {
      const { server, errors } = await startIntercepting(() => answer as never);
      expect((await server.peer.ask('elicitation/create', form)).error?.code).toBe(-32603);
      expect(String(errors[0])).toContain('elicitation/create returned no valid result');
    }
  });
});
