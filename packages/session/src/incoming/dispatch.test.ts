import { type JsonObject, RpcError } from '@tenon/mcp-protocol';
import { revision20250618, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { call, modern, Rig, type RigOptions, request } from '../../test/rig.js';

const server = (handle: unknown, more: RigOptions = {}) =>
  new Rig({ revision: revision20250618, ...more, requests: { 'tools/call': handle as never } });
const internal = { code: -32_603, message: 'Internal error' };

test('a handler that answers at once is answered at once', () => {
  const rig = server(() => ({ content: [] }));
  const answer = rig.deliver(request(0, 'tools/call', call()));
  expect(answer).toBe('{"jsonrpc":"2.0","id":0,"result":{"isError":false,"content":[]}}');
  expect(rig.endpoint.inFlight).toBe(0);
});

test('a handler that throws at once is answered at once', () => {
  const rig = server(() => {
    throw new RpcError(-32_602, 'no');
  });
  const answer = rig.deliver(request('', 'tools/call', call()));
  expect(answer).toBe('{"jsonrpc":"2.0","id":"","error":{"code":-32602,"message":"no"}}');
});

test.each(['no/such', '__proto__', 'constructor', 'toString', 'server/discover'])(
  '%s is not found in a session',
  async (method) => {
    showsBy(method, { 'no/such': '2025-03-26/errors/method-not-found' });
    const rig = server(() => ({ content: [] }));
    expect((await rig.ask(request(1, method))).error).toEqual({
      code: -32_601,
      message: `Method not found: ${method}`,
    });
  },
);

test('a method the revision has but this end does not handle is not found', async () => {
  const rig = server(() => ({ content: [] }));
  expect((await rig.ask(request(1, 'prompts/list'))).error?.code).toBe(-32_601);
});

test('a method name of the length of a message is cut', async () => {
  const rig = server(() => ({ content: [] }));
  expect((await rig.ask(request(1, 'x'.repeat(10_000)))).error?.message).toHaveLength(146);
});

test('bad params name their path and reach no handler', async () => {
  let handled = 0;
  const rig = server(() => {
    handled++;
    return { content: [] };
  });
  expect((await rig.ask(request(1, 'tools/call', { name: 5 }))).error).toEqual({
    code: -32_602,
    message: 'params.name: expected a string',
  });
  expect(handled).toBe(0);
});

describe('details that must not reach a peer', () => {
  const unknown: [string, () => unknown, ...string[]][] = [
    [
      'an error',
      () => new Error('secret'),
      '2024-11-05/client/sampling/sensitive-data',
      '2024-11-05/index/privacy',
      '2026-07-28/server/utilities/logging/internal-error',
    ],
    ['a string', () => 'secret'],
    ['undefined', () => undefined],
    ['an object like an error response', () => ({ code: 1, message: 'secret' })],
  ];
  test.each(unknown)('%s is an internal error, thrown or rejected', async (_, make, ...ids) => {
    shows(...ids);
    for (const later of [false, true]) {
      const thrown = make();
      const rig = server(() => {
        if (later) return Promise.reject(thrown);
        throw thrown;
      });
      expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual(internal);
      expect(rig.errors).toEqual([{ error: thrown, where: 'tools/call' }]);
    }
  });

  test('a listener of errors that throws changes nothing', async () => {
    const rig = server(() => Promise.reject(new Error('secret')), {
      onError: () => {
        throw new Error('the log is full');
      },
    });
    expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual(internal);
  });
});

describe('results that are none', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  test.each<[string, unknown, ...string[]]>([
    ['undefined', undefined, '2026-07-28/basic/index/result-member'],
    ['null', null],
    ['a string', 'text'],
    ['a list', []],
    ['a circle', { content: [{ type: 'text', text: 'x', _meta: circular }] }],
    ['a bigint', { content: [], structuredContent: { n: 1n } }],
    [
      'something whose toJSON throws',
      { content: [{ type: 'text', text: 'x', _meta: { toJSON: () => fails() } }] },
    ],
  ])('%s becomes an internal error, at once or later', async (_, result, ...ids) => {
    shows(...ids);
    for (const given of [result, Promise.resolve(result)]) {
      const rig = server(() => given);
      expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual(internal);
      expect(rig.errors).toMatchObject([{ where: 'tools/call' }]);
      expect(rig.endpoint.inFlight).toBe(0);
    }
  });

  test('one that is nested beyond what can be written is an error, no crash', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    const rig = server(() => ({ content: [], structuredContent: deep }));
    expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual(internal);
  });
});

test('an error that cannot be read is an internal error, at once or later, and its request has left', async () => {
  class Unreadable extends RpcError {
    override toWire(): never {
      throw new TypeError('unreadable');
    }
  }
  for (const later of [false, true]) {
    const rig = server(() => {
      if (later) return Promise.reject(new Unreadable(-5, 'x'));
      throw new Unreadable(-5, 'x');
    });
    expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual(internal);
    expect(rig.errors).toMatchObject([{ error: { message: 'unreadable' }, where: 'tools/call' }]);
    expect(rig.endpoint.inFlight).toBe(0);
  }
});

test('data of an error that cannot be written is left out', async () => {
  const rig = server(() => {
    throw new RpcError(-5, 'with data', { data: { n: 1n } });
  });
  expect((await rig.ask(request(1, 'tools/call', call()))).error).toEqual({ code: -5, message: 'with data' });
  expect(rig.errors).toMatchObject([{ error: { name: 'TypeError' }, where: 'tools/call' }]);
});

describe('results that are returned again', () => {
  test('are written once per revision', async () => {
    let written = 0;
    const result = {
      tools: [
        {
          name: 'x',
          inputSchema: { type: 'object' },
          get _meta() {
            written++;
            return undefined;
          },
        },
      ],
    };
    const rig = new Rig({
      revision: revision20250618,
      requests: { 'tools/list': { handle: () => result, reusesResults: true } },
    });
    const first = await rig.ask(request(1, 'tools/list'));
    const writtenOnce = written;
    expect(writtenOnce).toBeGreaterThan(0);
    expect((await rig.ask(request('b', 'tools/list'))).result).toEqual(first.result);
    expect(written).toBe(writtenOnce);
    const other = await rig.ask(modern(2, 'tools/list'));
    expect(written).toBeGreaterThan(writtenOnce);
    expect(other.result).toMatchObject({ resultType: 'complete', ttlMs: 0 });
    expect(first.result).not.toHaveProperty('ttlMs');
    const writtenTwice = written;
    expect((await rig.ask(modern(3, 'tools/list'))).result).toEqual(other.result);
    expect(written).toBe(writtenTwice);
  });

  test('keep their ids apart', async () => {
    const result = { tools: [] };
    const rig = new Rig({
      revision: revision20251125,
      requests: { 'tools/list': { handle: async () => result, reusesResults: true } },
    });
    const answers = await Promise.all([1, '1', 2].map((id) => rig.ask(request(id, 'tools/list'))));
    expect(answers.map((one) => one.id)).toEqual([1, '1', 2]);
  });
});

test('a stateless result says who answers', async () => {
  shows('2026-07-28/basic/index/meta-server-info');
  const rig = server(() => ({ content: [] }), { revision: revision20260728 });
  expect((await rig.ask(modern(1, 'tools/call', call()))).result).toEqual({
    resultType: 'complete',
    content: [],
    isError: false,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'rig', version: '1' } },
  });
});

function fails(): never {
  throw new Error('no JSON');
}
