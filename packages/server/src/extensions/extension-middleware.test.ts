import type { ServerEvent } from '@tenon/mcp-protocol';
import type { Middleware } from '@tenon/mcp-session';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { DetachedCall, ExtensionHost, ServerContributions } from './extension.js';
import type { SavedCall } from './saved-call.js';

const info = { name: 'test', version: '1' };
const id = 'com.example/trace';
const schema = z.object({ unit: z.string() });

function serverWith(...all: Omit<ServerContributions, 'id'>[]): Server {
  const extensions = all.map((one, index) => defineExtension({ id: `${id}${index}`, ...one }));
  const server = createServer(info, { extensions, onError: () => {} });
  onTestFinished(() => server.close());
  return server as unknown as Server;
}

/** Middleware that notes the text which the call carries, and sets it if there is none. */
function carrying(seen: unknown[]): Middleware {
  return async (call, next) => {
    if (call.method !== 'tools/call') return next();
    const carried = await call.carried();
    seen.push([carried[id], call.isSaved === true]);
    carried[id] ??= `text ${seen.length}`;
    return next();
  };
}

describe.each(everyRevision)('middleware of an extension in $id', (revision) => {
  it('wraps requests outside of the middleware of the server, although the extension is not declared', async () => {
    const order: string[] = [];
    const noting =
      (name: string): Middleware =>
      (call, next) => {
        if (call.method === 'tools/call') order.push(`${name} ${call.request?.transport}`);
        return next();
      };
    const settings = () => undefined;
    const server = serverWith(
      { settings, middleware: noting('first') },
      { settings, middleware: noting('second') },
    );
    server.use(noting('own')).tool('plain', {}, () => 'done');
    const peer = await WirePeer.open(server, revision);
    const stateless = revision.lifecycle === 'stateless';
    const asked = stateless ? 'server/discover' : 'initialize';
    const hello = {
      protocolVersion: revision.id,
      capabilities: {},
      clientInfo: { name: 'peer', version: '1' },
    };
    const described = stateless
      ? await peer.request(asked)
      : await (await WirePeer.open(server, latestStateless)).request(asked, hello);
    expect(JSON.stringify(described)).not.toContain(id);
    await peer.request('tools/call', { name: 'plain' });
    expect(order).toEqual(['first memory', 'second memory', 'own memory']);
  });
});

/** Calls a tool that requests input twice, until it has its result. */
async function threeRounds(server: Server): Promise<WirePeer> {
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const answer = { action: 'accept', content: { unit: 'C' } };
  let more: object = {};
  for (let round = 0; round < 3; round++) {
    const { result } = await peer.request('tools/call', { name: 'asks', ...more });
    more = { requestState: result?.requestState, inputResponses: { unit: answer, day: answer } };
  }
  return peer;
}

describe('the texts that a call carries', () => {
  it('are those of its first round in all later rounds', async () => {
    const seen: unknown[] = [];
    const server = serverWith({ middleware: carrying(seen) }).tool('asks', {}, async (_, ctx) => {
      await ctx.elicit('unit', { message: 'Unit?', schema });
      await ctx.elicit('day', { message: 'Day?', schema });
      return 'done';
    });
    const peer = await threeRounds(server);
    expect(seen).toEqual([
      [undefined, false],
      ['text 1', false],
      ['text 1', false],
    ]);
    const other = await peer.request('tools/call', { name: 'asks', requestState: 'forged' });
    expect(other.error?.code).toBe(-32602);
  });

  it('stay with a call when the middleware of a round does not read them', async () => {
    const seen: unknown[] = [];
    let calls = 0;
    const middleware: ServerContributions['middleware'] = async (call, next) => {
      if (call.method === 'tools/call' && ++calls !== 2) {
        const carried = await call.carried();
        seen.push(carried[id]);
        carried[id] ??= 'text';
      }
      return next();
    };
    const server = serverWith({ middleware }).tool('asks', {}, async (_, ctx) => {
      await ctx.elicit('unit', { message: 'Unit?', schema });
      await ctx.elicit('day', { message: 'Day?', schema });
      return 'done';
    });
    await threeRounds(server);
    expect(seen).toEqual([undefined, 'text']);
  });

  it('are in the saved call, so that another process has them', async () => {
    const seen: unknown[] = [];
    const detached: DetachedCall[] = [];
    let saved: SavedCall | undefined;
    let host: ExtensionHost | undefined;
    const contributions: Omit<ServerContributions, 'id'> = {
      middleware: carrying(seen),
      interceptToolCall(call) {
        saved = call.saved();
        return { content: [] };
      },
      interceptDetached(call, run) {
        detached.push(call);
        return run();
      },
      start(given) {
        host = given;
      },
    };
    const first = serverWith(contributions).tool('work', {}, () => 'done');
    await (await WirePeer.open(first, latestHandshake)).request('tools/call', { name: 'work' });
    const second = serverWith(contributions).tool('work', {}, () => 'done');
    await (await WirePeer.open(second, latestHandshake)).request('tools/list');
    const text = JSON.parse(JSON.stringify(saved)) as SavedCall;
    const result = await host?.run(text, { signal: new AbortController().signal });
    expect(result?.content).toMatchObject([{ text: 'done' }]);
    expect(seen).toEqual([
      [undefined, false],
      ['text 1', true],
    ]);
    expect(detached).toMatchObject([{ params: { name: 'work' }, carried: { [id]: 'text 1' } }]);
    const changed = { ...text, carried: { [id]: 1 } } as unknown as SavedCall;
    await expect(host?.run(changed, { signal: new AbortController().signal })).rejects.toThrow('"carried"');
  });
});

describe('interceptDetached', () => {
  it('wraps a handler that is detached from its request, the first extension outermost', async () => {
    const order: string[] = [];
    const server = serverWith(
      {
        async interceptDetached(_, run) {
          order.push('outer');
          const result = await run();
          order.push('ended');
          return result;
        },
      },
      {
        interceptDetached(_, run) {
          order.push('inner');
          return run();
        },
        interceptToolCall: (call) => call.detach({ signal: new AbortController().signal }),
      },
    ).tool('work', {}, () => {
      order.push('handler');
      return 'done';
    });
    const peer = await WirePeer.open(server, latestHandshake);
    const { result } = await peer.request('tools/call', { name: 'work' });
    expect(result?.content).toMatchObject([{ text: 'done' }]);
    expect(order).toEqual(['outer', 'inner', 'handler', 'ended']);
  });
});

describe('onEvent of the host', () => {
  it('delivers the events of the server until the listener is removed', async () => {
    const events: ServerEvent[] = [];
    let remove = () => {};
    const server = serverWith({
      start(host) {
        remove = host.onEvent((event) => events.push(event));
      },
    }).tool('plain', {}, () => 'done');
    const peer = await WirePeer.open(server, latestStateless);
    const delivered = () => new Promise<void>((resolve) => setImmediate(resolve));
    await peer.request('tools/call', { name: 'plain' });
    await delivered();
    expect(events).toMatchObject([{ type: 'request', name: 'plain', outcome: 'ok' }]);
    remove();
    await peer.request('tools/call', { name: 'plain' });
    await delivered();
    expect(events).toHaveLength(1);
  });
});
