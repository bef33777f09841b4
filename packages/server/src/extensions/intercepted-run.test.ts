import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { StepJournal } from '../run/once-steps.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { InterceptedRun, ServerContributions } from './extension.js';

const info = { name: 'test', version: '1' };
const form = { message: 'Name?', schema: z.object({ name: z.string() }) };

type Intercept = NonNullable<ServerContributions['interceptRun']>;

function intercepted(...all: Intercept[]): Server {
  const extensions = all.map((interceptRun, index) =>
    defineExtension({ id: `com.example/runs${index}`, interceptRun }),
  );
  return createServer(info, { extensions, onError: () => {} }) as unknown as Server;
}

describe.each([latestHandshake, latestStateless])('a run that extensions intercept in $id', (revision) => {
  it('passes the extensions in order, each of which may answer without it', async () => {
    const seen: string[] = [];
    let runs = 0;
    const server = intercepted(
      async (_, run) => {
        seen.push('outer');
        const { content } = await run();
        return { content, structuredContent: { seen: seen.length } };
      },
      ({ tool, params }, run) => {
        seen.push(tool.name);
        const { amount } = params.arguments as { amount: number };
        return amount < 0 ? { content: [{ type: 'text', text: 'refunded' }] } : run();
      },
    ).tool('pay', { input: z.object({ amount: z.number() }) }, () => `run ${++runs}`);
    const peer = await WirePeer.open(server, revision);
    const pay = (amount: number) => peer.request('tools/call', { name: 'pay', arguments: { amount } });
    expect((await pay(-1)).result?.content?.[0]?.text).toBe('refunded');
    expect((await pay(1)).result).toMatchObject({
      content: [{ text: 'run 1' }],
      structuredContent: { seen: 4 },
    });
    // Arguments are checked before.
    await peer.request('tools/call', { name: 'pay', arguments: { amount: 'all' } });
    expect(seen).toHaveLength(4);
  });

  it('has the values of steps that the extension gives, and keeps those of the run', async () => {
    const kept = new Map<string, unknown>([['order', 'earlier order']]);
    const steps: StepJournal = {
      recall: async (key) => (kept.has(key) ? { value: kept.get(key) } : undefined),
      keep: async (key, value) => {
        kept.set(key, value);
        return value;
      },
    };
    const server = intercepted((_, run) => run(steps)).tool('pay', {}, async (_input, ctx) => {
      const order = await ctx.once('order', () => 'new order');
      return `${order}, ${await ctx.once('payment', () => 'payment')}`;
    });
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request('tools/call', { name: 'pay' });
    expect(result?.content?.[0]?.text).toBe('earlier order, payment');
    expect(kept.get('payment')).toBe('payment');
  });

  it('has the time, the caller and the metadata of its call', async () => {
    let seen: InterceptedRun | undefined;
    const server = intercepted((call, run) => {
      seen = call;
      return run();
    }).tool('pay', { timeout: 5_000, annotations: { idempotentHint: true } }, () => 'paid');
    const peer = await WirePeer.open(server, revision);
    await peer.request('tools/call', { name: 'pay' }, { traceparent: 'x' });
    expect(seen).toMatchObject({ handlerTime: 5_000, isCancelled: false, caller: {} });
    expect(seen?.tool.annotations).toEqual({ idempotentHint: true });
    expect(seen?.params).toMatchObject({ name: 'pay', _meta: { traceparent: 'x' } });
  });
});

it('a run that ends with input requests returns them to the extensions that intercept it', async () => {
  const types: unknown[] = [];
  const server = intercepted(async (_, run) => {
    const result = await run();
    types.push(result.resultType);
    return result;
  }).tool('greet', {}, async (_input, ctx) => (await ctx.elicit('name', form)).action);
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const { result } = await peer.request('tools/call', { name: 'greet' });
  expect(result).toHaveProperty('inputRequests');
  expect(types).toEqual(['input_required']);
});

it('a server without shared state is made without an extension that needs it', async () => {
  const extensions = () => [
    defineExtension({ id: 'com.example/runs', needsSharedState: true, interceptRun: (_, run) => run() }),
  ];
  const declared = async (server: Server) => {
    const peer = await WirePeer.open(server, latestStateless);
    return (await peer.request('server/discover')).result?.capabilities?.extensions;
  };
  const state = new SharedMemory().open();
  const shared = createServer(info, { extensions: extensions(), state }) as unknown as Server;
  expect(await declared(shared)).toEqual({ 'com.example/runs': {} });
  await shared.close();
  const alone = createServer(info, { extensions: extensions() }) as unknown as Server;
  expect(await declared(alone)).toBeUndefined();
});
