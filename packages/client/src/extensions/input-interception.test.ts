import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../connect/options.js';
import { defineExtension } from './define-extension.js';
import type { ClientContributions, LiveInputRequest } from './extension.js';

const id = 'com.example/jobs';
const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
const task = { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };
const accept = { action: 'accept', content: {} } as const;

async function start(
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
    const { server } = await start(
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
    const { server } = await start(async (_request, next) => ({
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
    const { server } = await start(
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
    const { server } = await start(counting, { rates });
    const url = { mode: 'url', message: 'Open', url: 'https://a.example', elicitationId: '1' };
    expect((await server.peer.ask('elicitation/create', { message: 3 })).error?.code).toBe(-32602);
    expect((await server.peer.ask('elicitation/create', url)).error?.code).toBe(-32602);
    expect((await server.peer.ask('elicitation/create', form)).result).toEqual({ task });
    expect((await server.peer.ask('elicitation/create', form)).error).toMatchObject({ code: -31004 });
    expect(calls).toBe(1);
    const bare = await start(counting, { shared: false });
    expect((await bare.server.peer.ask('elicitation/create', form)).result).toEqual(accept);
    expect(calls).toBe(1);
  });

  it('must return a result of the method', async () => {
    for (const answer of [{ review: true }, undefined]) {
      const { server, errors } = await start(() => answer as never);
      expect((await server.peer.ask('elicitation/create', form)).error?.code).toBe(-32603);
      expect(String(errors[0])).toContain('elicitation/create returned no valid result');
    }
  });
});
