import { RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Rig, request } from '../../test/rig.js';
import type { RequestHandler } from './behaviour.js';
import type { Call, Middleware } from './middleware.js';

const text = (value: unknown): UnknownObject => ({ content: [{ type: 'text', text: String(value) }] });

function server(
  middleware: Middleware[],
  handle: RequestHandler['handle'] = (incoming) => text(incoming.params.name),
): Rig {
  return new Rig({ revision: revision20250618, middleware, requests: { 'tools/call': handle } });
}

async function answerOf(rig: Rig): Promise<unknown> {
  const answer = await rig.ask(request(1, 'tools/call', call()));
  const content = answer.result?.content as { text: string }[] | undefined;
  return answer.error ?? content?.[0]?.text;
}

function marking(name: string, into: string[]): Middleware {
  return async (one, next) => {
    into.push(`${name} in ${one.direction} ${one.method}`);
    const result = await next();
    into.push(`${name} out`);
    return result;
  };
}

describe('inbound', () => {
  test('the first one is outermost', async () => {
    const seen: string[] = [];
    expect(await answerOf(server([marking('a', seen), marking('b', seen)]))).toBe('x');
    expect(seen).toEqual(['a in inbound tools/call', 'b in inbound tools/call', 'b out', 'a out']);
  });

  test('changed params reach the next layer and the handler', async () => {
    const seen: unknown[] = [];
    const rig = server([
      async (_, next) => next({ name: 'changed' }),
      async (one, next) => {
        seen.push(one.params, one.request?.id, one.revision.id);
        return next();
      },
    ]);
    expect(await answerOf(rig)).toBe('changed');
    expect(seen).toEqual([{ name: 'changed' }, 1, '2025-06-18']);
  });

  test('a refusal reaches the peer, and no handler runs', async () => {
    let handled = 0;
    const refuse: Middleware = async () => {
      throw new RpcError(-31_003, 'Not allowed.');
    };
    const rig = server([refuse], () => {
      handled++;
      return text('x');
    });
    expect(await answerOf(rig)).toEqual({ code: -31_003, message: 'Not allowed.' });
    expect(handled).toBe(0);
  });

  test('one that throws at once has the same result', async () => {
    const refuse = (() => {
      throw new RpcError(-31_003, 'Not allowed.');
    }) as unknown as Middleware;
    expect(await answerOf(server([refuse]))).toEqual({ code: -31_003, message: 'Not allowed.' });
  });

  test('can answer without calling the handler, or change the answer', async () => {
    expect(await answerOf(server([async () => text('cached')]))).toBe('cached');
    const shout: Middleware = async (_, next) => {
      const result = (await next()) as { content: { text: string }[] };
      return text(result.content[0]?.text.toUpperCase());
    };
    expect(await answerOf(server([shout]))).toBe('X');
  });

  test('can recover from an error of the handler', async () => {
    const recover: Middleware = (_, next) => next().catch((error: Error) => text(error.message));
    const rig = server([recover], () => {
      throw new Error('broken');
    });
    expect(await answerOf(rig)).toBe('broken');
    expect(rig.errors).toEqual([]);
  });

  test('calling next twice is a mistake that is reported', async () => {
    let handled = 0;
    const twice: Middleware = async (_, next) => {
      await next();
      return next();
    };
    const rig = server([twice], () => {
      handled++;
      return text('x');
    });
    expect(await answerOf(rig)).toEqual({ code: -32_603, message: 'Internal error' });
    expect(rig.errors).toMatchObject([
      { error: { message: 'Middleware called next() twice for tools/call.' } },
    ]);
    expect(handled).toBe(1);
  });

  test('one that forgets to return is an internal error, not silence', async () => {
    const rig = server([(async (_: Call, next: () => Promise<unknown>) => void (await next())) as never]);
    expect(await answerOf(rig)).toEqual({ code: -32_603, message: 'Internal error' });
  });

  test('causes no unhandled rejection when a call fails after middleware answered', async () => {
    const impatient: Middleware = async (_, next) => {
      void next();
      return text('gave up');
    };
    const rig = server([impatient], async () => {
      throw new Error('too late');
    });
    expect(await answerOf(rig)).toBe('gave up');
    await settled();
  });
});

describe('outbound', () => {
  const client = (middleware: Middleware[]) =>
    new Rig({ side: 'client', revision: revision20250618, middleware });

  test('every request goes through it', async () => {
    const seen: string[] = [];
    const rig = client([marking('a', seen), marking('b', seen)]);
    const answer = rig.endpoint.request('ping', {});
    await settled();
    rig.hand({ jsonrpc: '2.0', id: 1, result: {} });
    await answer;
    expect(seen).toEqual(['a in outbound ping', 'b in outbound ping', 'b out', 'a out']);
  });

  test('changed params go out, refusals and answers do not', async () => {
    const rig = client([
      async (one, next) => {
        if (one.method === 'ping') return { cached: true };
        if (one.method === 'tools/list') throw new RpcError(-31_003, 'Not allowed.');
        return next({ ...one.params, name: 'changed' });
      },
    ]);
    expect(await rig.endpoint.request('ping', {})).toEqual({ cached: true });
    await expect(rig.endpoint.request('tools/list', {})).rejects.toMatchObject({ code: -31_003 });
    const answer = rig.endpoint.request('tools/call', { name: 'x' });
    await settled();
    expect(rig.connection.sent.map((one) => one.params)).toEqual([{ name: 'changed' }]);
    rig.hand({ jsonrpc: '2.0', id: 1, result: { content: [] } });
    await answer;
  });

  test('an input request names the request that caused it', async () => {
    const seen: [string, unknown][] = [];
    const watch: Middleware = async (one, next) => {
      seen.push([`${one.direction} ${one.method}`, one.request?.id]);
      return next();
    };
    const rig = new Rig({
      revision: revision20250618,
      middleware: [watch],
      requests: {
        'tools/call': async (incoming) => text((await incoming.ask('roots/list', {})).roots.length),
      },
    });
    const answer = rig.ask(request(7, 'tools/call', call()));
    await settled();
    rig.hand({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    await answer;
    const own = rig.endpoint.request('ping', {});
    await settled();
    rig.hand({ jsonrpc: '2.0', id: 2, result: {} });
    await own;
    expect(seen).toEqual([
      ['inbound tools/call', 7],
      ['outbound roots/list', 7],
      ['outbound ping', undefined],
    ]);
  });

  test('the layers of one request share a state, and no other request has it', async () => {
    const seen: object[] = [];
    const watch: Middleware<{ count: number }> = async (one, next) => {
      one.state.count = (one.state.count ?? 0) + 1;
      seen.push(one.state);
      return next();
    };
    const rig = new Rig({ revision: revision20250618, middleware: [watch, watch] });
    for (const id of [1, 2]) {
      const answer = rig.endpoint.request('ping', {});
      await settled();
      rig.hand({ jsonrpc: '2.0', id, result: {} });
      await answer;
    }
    expect(seen).toEqual([{ count: 2 }, { count: 2 }, { count: 2 }, { count: 2 }]);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[2]).not.toBe(seen[1]);
  });
});
