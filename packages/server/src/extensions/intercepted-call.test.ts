import { RpcError, UrlElicitationRequiredError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { ToolError } from '../results/tool-result.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { ExtendedResult, InterceptedCall } from './extension.js';

const info = { name: 'test', version: '1' };
const form = { message: 'Name?', schema: z.object({ name: z.string() }) };
const ports = () => ({ signal: new AbortController().signal });

type Intercept = (call: InterceptedCall, next: () => Promise<ExtendedResult>) => Promise<ExtendedResult>;

function intercepted(interceptToolCall: Intercept, errors: unknown[] = []): Server {
  const extension = defineExtension({ id: 'com.example/jobs', interceptToolCall });
  const onError = (error: unknown) => errors.push(error);
  return createServer(info, { extensions: [extension], onError }) as unknown as Server;
}

describe.each(everyRevision)('an intercepted call in $id', (revision) => {
  const isStateless = revision.lifecycle === 'stateless';

  it('has the params of the request', async () => {
    let seen: InterceptedCall | undefined;
    const server = intercepted((call, next) => {
      seen = call;
      return next();
    }).tool('add', { input: z.object({ a: z.number() }) }, () => '');
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 'add', arguments: { a: 1 } }, { traceparent: 'x' });
    expect(seen?.params).toMatchObject({ name: 'add', arguments: { a: 1 }, _meta: { traceparent: 'x' } });
    expect(seen?.history).toBeUndefined();
    if (isStateless) expect(seen?.session).toBeUndefined();
    else expect(seen?.session).toMatch(/^[0-9a-f]{32}$/);
  });

  it('rejects with the error that the handler throws as an RpcError, and returns others as results', async () => {
    const outcomes: unknown[] = [];
    const server = intercepted(async (call) => {
      outcomes.push(await call.detach(ports()).catch((error: unknown) => error));
      return { content: [] };
    })
      .tool('rpc', {}, () => {
        throw new RpcError(-5, 'no', { data: { a: 1 } });
      })
      .tool('url', {}, () => {
        throw new UrlElicitationRequiredError([
          { message: 'Pay', url: 'https://a.example/', elicitationId: 'a' },
        ]);
      })
      .tool('told', {}, () => {
        throw new ToolError('full');
      })
      .tool('asks', {}, async (_input, ctx) => (await ctx.elicit('name', form)).action);
    const peer = await WirePeer.open(server as Server, revision);
    for (const name of ['rpc', 'told', 'asks', 'url']) await peer.request('tools/call', { name });
    const [rpc, told, asks, url] = outcomes;
    expect(rpc).toBeInstanceOf(RpcError);
    expect(rpc).toMatchObject({ code: -5, message: 'no', data: { a: 1 } });
    expect(told).toEqual({ content: [{ type: 'text', text: 'full' }], isError: true });
    expect(asks).toMatchObject({ isError: true });
    expect(url).toMatchObject({ code: revision.rules.urlElicitationError ? -32042 : -32600 });
  });
});

describe('an intercepted call', () => {
  it('has the answers and steps of earlier rounds', async () => {
    const histories: unknown[] = [];
    const server = intercepted((call, next) => {
      histories.push(call.history);
      return next();
    }).tool('greet', {}, async (_input, ctx) => {
      const number = await ctx.once('number', () => 7);
      const first = await ctx.elicit('name', form);
      const second = await ctx.elicit('again', form);
      return `${number} ${first.action} ${second.action}`;
    });
    const peer = await WirePeer.open(server as Server, latestStateless, { elicitation: { form: {} } });
    const answer = (name: string) => ({ action: 'accept', content: { name } });
    const one = await peer.request('tools/call', { name: 'greet' });
    const two = await peer.request('tools/call', {
      name: 'greet',
      requestState: one.result?.requestState,
      inputResponses: { name: answer('Ada') },
    });
    await peer.request('tools/call', {
      name: 'greet',
      requestState: two.result?.requestState,
      inputResponses: { again: answer('Eve') },
    });
    const steps = { number: { value: 7 } };
    expect(histories).toEqual([
      undefined,
      { steps, answers: { name: { result: answer('Ada') } } },
      { steps, answers: { name: { result: answer('Ada') }, again: { result: answer('Eve') } } },
    ]);
  });

  it('has no history from answers that no round requested', async () => {
    const histories: unknown[] = [];
    const server = intercepted((call, next) => {
      histories.push(call.history);
      return next();
    }).tool('greet', {}, () => '');
    const peer = await WirePeer.open(server as Server, latestStateless, { elicitation: { form: {} } });
    await peer.request('tools/call', { name: 'greet', inputResponses: { name: { action: 'accept' } } });
    expect(histories).toEqual([undefined]);
  });

  it('has another session id for each session', async () => {
    const ids: unknown[] = [];
    const server = intercepted((call, next) => {
      ids.push(call.session);
      return next();
    }).tool('greet', {}, () => '');
    const peers = [await WirePeer.open(server as Server), await WirePeer.open(server as Server)];
    for (const peer of [...peers, ...peers]) await peer.request('tools/call', { name: 'greet' });
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('rejects with the error of the handler once the signal of its ports has aborted, and reports nothing', async () => {
    const errors: unknown[] = [];
    const stop = new AbortController();
    let outcome: unknown;
    const server = intercepted(async (call) => {
      outcome = await call.detach({ signal: stop.signal }).catch((error: unknown) => error);
      return { content: [] };
    }, errors).tool('hangs', {}, (_input, ctx) => {
      stop.abort(new Error('over'));
      ctx.signal.throwIfAborted();
      return '';
    });
    const peer = await WirePeer.open(server as Server, latestHandshake);
    await peer.request('tools/call', { name: 'hangs' });
    expect(outcome).toEqual(new Error('over'));
    expect(errors).toEqual([]);
  });

  it('keeps the values of steps in the port, and has those of an earlier run', async () => {
    const kept = new Map<string, unknown>([['second', 'kept']]);
    let runs = 0;
    const steps = {
      recall: async (key: string) => (kept.has(key) ? { value: kept.get(key) } : undefined),
      keep: async (key: string, value: unknown) => {
        kept.set(key, value);
        return value;
      },
    };
    let outcome: unknown;
    const server = intercepted(async (call) => {
      outcome = await call.detach({ ...ports(), steps });
      return { content: [] };
    }).tool('steps', {}, async (_input, ctx) => {
      const first = await ctx.once('first', () => ++runs);
      const second = await ctx.once('second', () => ++runs);
      return `${first} ${second}`;
    });
    const peer = await WirePeer.open(server as Server);
    await peer.request('tools/call', { name: 'steps' });
    expect(outcome).toMatchObject({ content: [{ text: '1 kept' }] });
    expect(kept.get('first')).toBe(1);
  });
});

describe.each(everyRevision)('input requests of a detached call in $id', (revision) => {
  const capabilities = {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  };

  it('are the same in every revision that has them', async () => {
    const requests: unknown[] = [];
    const server = intercepted(async (call) => {
      const input = async (key: string, request: { readonly method: string; readonly params?: unknown }) => {
        requests.push([key, request.method, request.params]);
        if (request.method === 'roots/list') return { roots: [] };
        return request.method === 'elicitation/create'
          ? ({ action: 'decline' } as const)
          : ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' } as const);
      };
      return call.detach({ ...ports(), input });
    }).tool('all', {}, async (_input, ctx) => {
      if (ctx.can('elicit')) await ctx.elicit('form', form);
      if (ctx.can('elicit-url')) await ctx.elicitUrl('page', { message: 'Pay', url: 'https://a.example/' });
      await ctx.sample('text', { messages: [], maxTokens: 5 });
      await ctx.roots('roots');
      return '';
    });
    const peer = await WirePeer.open(server as Server, revision, capabilities);
    const { result } = await peer.request('tools/call', { name: 'all' });
    expect(result?.isError).not.toBe(true);
    const { elicit, url } = revision.rules.inputFeatures;
    expect(requests).toEqual([
      ...(elicit
        ? [['form', 'elicitation/create', expect.objectContaining({ mode: 'form', message: 'Name?' })]]
        : []),
      ...(url
        ? [['page', 'elicitation/create', { mode: 'url', message: 'Pay', url: 'https://a.example/' }]]
        : []),
      ['text', 'sampling/createMessage', { messages: [], maxTokens: 5 }],
      ['roots', 'roots/list', undefined],
    ]);
  });

  it('are rejected if the response is not an object', async () => {
    const server = intercepted((call) => call.detach({ ...ports(), input: async () => 'yes' as never })).tool(
      'asks',
      {},
      async (_input, ctx) => JSON.stringify(await ctx.roots('roots')),
    );
    const peer = await WirePeer.open(server as Server, revision, capabilities);
    const { result } = await peer.request('tools/call', { name: 'asks' });
    expect(result?.isError).toBe(true);
  });
});
