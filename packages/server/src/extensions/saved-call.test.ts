import { otherBounds } from '@tenon/foundation';
import { RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../index.js';
import type { DetachedPorts } from '../run/detached-run.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { ExtensionHost } from './extension.js';
import type { SavedCall } from './saved-call.js';

const info = { name: 'test', version: '1' };
const ports: DetachedPorts = { signal: new AbortController().signal };
const form = { message: 'Name?', schema: z.object({ name: z.string() }) };

interface Rig {
  readonly server: Server;
  readonly errors: unknown[];
  /** The calls that clients made. */
  readonly calls: SavedCall[];
  host(): ExtensionHost;
}

/** A server that saves each call, and answers without running its handler. */
function saving(options: ServerOptions = {}): Rig {
  const calls: SavedCall[] = [];
  const errors: unknown[] = [];
  let host: ExtensionHost | undefined;
  const extension = defineExtension({
    id: 'com.example/jobs',
    interceptToolCall(call) {
      calls.push(call.saved());
      return { content: [] };
    },
    start(given) {
      host = given;
    },
  });
  const onError = (error: unknown) => errors.push(error);
  const server = createServer(info, { extensions: [extension], onError, ...options }) as unknown as Server;
  onTestFinished(() => server.close());
  return { server, errors, calls, host: () => host as ExtensionHost };
}

function withTools(server: Server, runs: unknown[] = []): Server {
  return server
    .tool('add', { input: z.object({ a: z.number(), b: z.number().default(2) }) }, ({ a, b }, ctx) => {
      runs.push([ctx.auth?.id, ctx.client?.name, ctx.revision, ctx.meta('traceparent')]);
      return `${a + b}`;
    })
    .tool('fails', {}, () => {
      throw new Error('secret');
    })
    .tool('rpc', {}, () => {
      throw new RpcError(-5, 'no', { data: { a: 1 } });
    })
    .tool('hidden', { visible: (principal) => principal?.id === 'ada' }, () => 'seen')
    .tool('scoped', { scopes: ['a'] }, () => 'granted')
    .tool('elicits', {}, async (_input, ctx) => {
      const { action } = await ctx.elicit('name', form);
      return action;
    }) as unknown as Server;
}

/** Calls a tool, and returns the saved call after it was stored as text. */
async function savedOf(rig: Rig, call: object, revision = latestStateless): Promise<SavedCall> {
  const peer = await WirePeer.open(rig.server, revision, { elicitation: { form: {} } });
  await peer.request('tools/call', call, { traceparent: 'x' });
  return JSON.parse(JSON.stringify(rig.calls.at(-1)));
}

describe.each(everyRevision)('a saved call in $id', (revision) => {
  it('has the request and the client, without what belongs to one request', async () => {
    const rig = saving();
    withTools(rig.server);
    const call = { name: 'add', arguments: { a: 1 } };
    const saved = await savedOf(rig, { ...call, inputResponses: { a: { action: 'decline' } } }, revision);
    expect(saved).toEqual({
      tool: 'add',
      params: { ...call, _meta: { traceparent: 'x' } },
      revision: revision.id,
      client: {
        capabilities: { elicitation: { form: {} } },
        ...(revision.lifecycle === 'handshake' && { info: { name: 'peer', version: '1' } }),
      },
    });
  });

  it('runs in another process, with the same caller and client', async () => {
    const saved = await savedOf(prepared(saving()), { name: 'add', arguments: { a: 1 } }, revision);
    const runs: unknown[] = [];
    const other = saving();
    withTools(other.server, runs);
    await WirePeer.open(other.server);
    await startedBy(other);
    const principal = { id: 'ada', scopes: [] };
    const result = await other.host().run({ ...saved, principal }, ports);
    expect(result).toMatchObject({ content: [{ type: 'text', text: '3' }] });
    const client = revision.lifecycle === 'handshake' ? 'peer' : undefined;
    expect(runs).toEqual([['ada', client, revision.id, 'x']]);
    expect(other.calls).toEqual([]);
  });

  it('delivers input requests to the ports', async () => {
    const rig = saving();
    withTools(rig.server);
    const saved = await savedOf(rig, { name: 'elicits' }, revision);
    const input = async () => ({ action: 'decline' }) as const;
    const run = rig.host().run(saved, { ...ports, input });
    if (revision.rules.inputFeatures.elicit)
      expect(await run).toMatchObject({ content: [{ text: 'decline' }] });
    else await expect(run).rejects.toMatchObject({ code: -32021 });
  });
});

describe('a saved call', () => {
  const savedCall = (more: UnknownObject = {}): SavedCall => ({
    tool: 'add',
    params: { name: 'add', arguments: { a: 1 } },
    revision: latestStateless.id,
    client: { capabilities: {} },
    ...more,
  });
  const of = (tool: string, more: UnknownObject = {}) => savedCall({ tool, params: { name: tool }, ...more });

  async function started(options?: ServerOptions): Promise<Rig> {
    const rig = saving(options);
    withTools(rig.server);
    await startedBy(rig);
    return rig;
  }

  it('makes at most as many input requests at once as its server allows', async () => {
    const rig = saving({ limits: otherBounds({ inputRequests: 2 }) });
    const counts: number[] = [];
    rig.server.tool('many', {}, async (_input, ctx) => {
      const elicited = await Promise.allSettled(['a', 'b', 'c'].map((key) => ctx.elicit(key, form)));
      counts.push(elicited.filter(({ status }) => status === 'fulfilled').length);
      return (await ctx.elicit('d', form)).action;
    });
    const peer = await WirePeer.open(rig.server, latestHandshake, { elicitation: {} });
    await peer.request('tools/call', { name: 'many' });
    const asked: string[] = [];
    const input = async (key: string) => {
      asked.push(key);
      return { action: 'decline' } as const;
    };
    const [saved] = rig.calls;
    const result = await rig.host().run(saved as SavedCall, { ...ports, input });
    expect(result.content).toEqual([{ type: 'text', text: 'decline' }]);
    expect(counts).toEqual([2]);
    expect(asked).toEqual(['a', 'b', 'd']);
  });

  it('returns failures of the handler as results, and rejects with its RpcError', async () => {
    const { host, errors } = await started();
    expect(await host().run(of('fails'), ports)).toMatchObject({ isError: true });
    expect(errors).toEqual([new Error('secret')]);
    await expect(host().run(of('rpc'), ports)).rejects.toMatchObject({ code: -5, data: { a: 1 } });
  });

  it('is rejected if the tool is gone or the caller does not see it', async () => {
    const { host, server } = await started();
    const unknown = { code: -32602, message: 'Unknown tool: hidden' };
    await expect(host().run(of('hidden'), ports)).rejects.toMatchObject(unknown);
    const principal = { id: 'ada' };
    expect(await host().run(of('hidden', { principal }), ports)).toMatchObject({
      content: [{ text: 'seen' }],
    });
    server.removeTool('hidden');
    await expect(host().run(of('hidden', { principal }), ports)).rejects.toMatchObject(unknown);
  });

  it('is rejected if the caller lacks a scope', async () => {
    const { host } = await started();
    const run = (principal: object) => host().run(of('scoped', { principal }), ports);
    await expect(run({ id: 'ada', scopes: ['b'] })).rejects.toMatchObject({ name: 'InsufficientScopeError' });
    expect(await run({ id: 'ada', scopes: ['a'] })).toMatchObject({ content: [{ text: 'granted' }] });
    await expect(host().run(of('scoped', { anonymous: true }), ports)).rejects.toThrow('scope');
  });

  it('has its arguments checked again', async () => {
    const { host } = await started();
    const wrong = { name: 'add', arguments: { a: 'x' } };
    expect(await host().run(savedCall({ params: wrong }), ports)).toMatchObject({ isError: true });
    const extra = { name: 'fails', arguments: { a: 'x' } };
    expect(await host().run(of('fails', { params: extra }), ports)).toMatchObject({
      content: [{ text: expect.stringContaining('takes no arguments') }],
    });
    const old = { revision: '2025-06-18', params: wrong };
    await expect(host().run(savedCall(old), ports)).rejects.toMatchObject({ code: -32602 });
  });

  it('runs the middleware, which sees the caller, with the params as the client sent them', async () => {
    const rig = saving();
    const seen: unknown[] = [];
    rig.server.use(async ({ params, request, state }, next) => {
      if (params.name !== 'add') return next();
      const { a } = params.arguments as { a: number };
      seen.push([a, request?.principal?.id, request?.remoteAddress]);
      Object.assign(state, { a });
      const result = await next({ ...params, arguments: { a: a * 10 } });
      return { ...result, _meta: { seen: true } };
    });
    withTools(rig.server);
    const saved = await savedOf(rig, { name: 'add', arguments: { a: 1 } });
    expect(saved.params.arguments).toEqual({ a: 1 });
    const result = await rig.host().run({ ...saved, principal: { id: 'ada' }, remoteAddress: '::1' }, ports);
    expect(result).toMatchObject({ content: [{ text: '12' }], _meta: { seen: true } });
    expect(seen).toEqual([
      [1, undefined, undefined],
      [1, 'ada', '::1'],
    ]);
  });

  it('is rejected with an internal error if middleware fails, which is reported', async () => {
    const rig = await started();
    rig.server.use(async () => {
      throw new Error('secret');
    });
    await expect(rig.host().run(savedCall(), ports)).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
    expect(rig.errors).toEqual([new Error('secret')]);
  });

  it('is rejected if middleware replaces the tool', async () => {
    const rig = await started();
    rig.server.use(({ params }, next) => next({ ...params, name: 'fails', arguments: {} }));
    await expect(rig.host().run(savedCall(), ports)).rejects.toThrow('Internal error');
    expect(rig.errors).toEqual([
      new TypeError('The saved call cannot run: it is of the tool "add", and its params name "fails".'),
    ]);
  });

  it('aborts with the signal of its ports, and rejects with its reason', async () => {
    const rig = saving();
    const stop = new AbortController();
    rig.server.tool('hangs', {}, (_input, ctx) => {
      stop.abort(new Error('over'));
      ctx.signal.throwIfAborted();
      return '';
    });
    await startedBy(rig);
    await expect(rig.host().run(of('hangs'), { signal: stop.signal })).rejects.toThrow('over');
    expect(rig.errors).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['it is not an object', 'x'],
    ['it is not an object', null],
    ['"tool" is not a string', savedCall({ tool: 5 })],
    ['"revision" is not a revision', savedCall({ revision: '2020-01-01' })],
    ['"revision" is not a revision', savedCall({ revision: 5 })],
    ['"params" is not an object', savedCall({ params: 'x' })],
    ['params.name: expected a string', savedCall({ params: { name: 5 } })],
    ['"client.capabilities" is not an object', savedCall({ client: {} })],
    ['"client.capabilities" is not an object', savedCall({ client: undefined })],
    ['"client.info" is not an object', savedCall({ client: { capabilities: {}, info: { name: 'x' } } })],
    ['"client.logLevel" is not a log level', savedCall({ client: { capabilities: {}, logLevel: 'loud' } })],
    ['"principal" is not an object', savedCall({ principal: 'ada' })],
    ['"principal.id" is malformed', savedCall({ principal: {} })],
    ['"principal.issuer" is malformed', savedCall({ principal: { id: 'a', issuer: 5 } })],
    ['"principal.scopes" is malformed', savedCall({ principal: { id: 'a', scopes: 'a b' } })],
    ['"principal.scopes" is malformed', savedCall({ principal: { id: 'a', scopes: [5] } })],
    ['"principal.claims" is malformed', savedCall({ principal: { id: 'a', claims: [] } })],
    ['"anonymous" is not true or false', savedCall({ anonymous: 'no' })],
    ['"remoteAddress" is not a string', savedCall({ remoteAddress: 5 })],
  ])('is rejected if %s: %j', async (problem, call) => {
    const { host } = await started();
    await expect(host().run(call as SavedCall, ports)).rejects.toThrow(TypeError);
    await expect(host().run(call as SavedCall, ports)).rejects.toThrow(
      `The saved call cannot run: ${problem}`,
    );
  });

  it('is rejected in a revision that the server does not speak', async () => {
    const { host } = await started({ revisions: [latestHandshake.id] });
    await expect(host().run(savedCall(), ports)).rejects.toThrow('"revision" is not a revision');
  });

  it('has no capabilities of another type', async () => {
    const rig = saving();
    withTools(rig.server);
    const capabilities = { tasks: 5, elicitation: {}, other: true } as never;
    const peer = await WirePeer.open(rig.server, latestStateless, capabilities);
    await peer.request('tools/call', { name: 'add', arguments: { a: 1 } });
    expect(rig.calls[0]?.client.capabilities).toEqual({ elicitation: {} });
  });
});

/** Adds the tools to the server of a rig. */
function prepared(rig: Rig): Rig {
  withTools(rig.server);
  return rig;
}

/** Starts the extensions of a server, which the first connection does. */
async function startedBy({ server }: Rig): Promise<void> {
  await WirePeer.open(server);
}
