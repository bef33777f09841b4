import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { decodeResult, encodeResult } from '../codec/codec.js';
import type { RequestRow, RequestStamp, Revision } from '../codec/revision.js';
import type { UnknownObject } from '../json-rpc/json.js';
import type { Implementation } from '../model/annotations.js';
import { statelessCodec } from './2026-07-28/codec.js';
import { latestHandshake, revisions, revision20260728 as stateless } from './index.js';

const by: Implementation = { name: 'server', version: '1' };
const stamp: RequestStamp = {
  clientCapabilities: { roots: { listChanged: true }, elicitation: {} },
  clientInfo: { name: 'client', version: '2' },
  logLevel: 'warning',
};

function row(revision: Revision, method: string): RequestRow {
  const found = revision.requests.client.get(method);
  if (found === undefined) throw new Error(`${method} has no row.`);
  return found;
}

/** A result as the stateless revision sends it. */
function answered(method: RequestRow, result: UnknownObject): UnknownObject {
  return JSON.parse(stateless.codec.resultText(encodeResult(method, result), by));
}

function wire(value: UnknownObject): UnknownObject {
  return JSON.parse(JSON.stringify(value));
}

describe('request stamps of 2026-07-28', () => {
  test('keep the _meta members of the caller, and can be read back', () => {
    const params = { name: 'a', _meta: { progressToken: 7, traceparent: '00-1' } };
    const stamped = wire(stateless.codec.stampRequest(params, stamp));
    expect(stamped).toEqual({
      name: 'a',
      _meta: {
        progressToken: 7,
        traceparent: '00-1',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: {} },
        'io.modelcontextprotocol/clientInfo': { name: 'client', version: '2' },
        'io.modelcontextprotocol/logLevel': 'warning',
      },
    });
    expect(params).toEqual({ name: 'a', _meta: { progressToken: 7, traceparent: '00-1' } });
    expect(stateless.codec.stamp(stamped)).toBeUndefined();
    expect(stateless.codec.readStamp(stamped)).toEqual({
      ...stamp,
      clientCapabilities: { roots: {}, elicitation: {} },
    });
  });

  test('of one sender are made once', () => {
    const first = stateless.codec.stampRequest({}, stamp);
    expect(stateless.codec.stampRequest({ cursor: '' }, stamp)._meta).toBe(first._meta);
  });

  test('of one sender state the revision they are made for', () => {
    const [first, second] = ['first', 'second'].map((id) => statelessCodec(id).stampRequest({}, stamp)._meta);
    expect(first).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': 'first' });
    expect(second).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': 'second' });
  });

  test('leave out what the sender does not say', () => {
    const stamped = wire(stateless.codec.stampRequest({}, { clientCapabilities: {} }));
    expect(Object.keys(stamped._meta as object)).toEqual([
      'io.modelcontextprotocol/protocolVersion',
      'io.modelcontextprotocol/clientCapabilities',
    ]);
    expect(stateless.codec.readStamp(stamped)).toEqual({ clientCapabilities: {} });
  });

  test.each([
    [{}, '_meta'],
    [{ _meta: {} }, '_meta.io.modelcontextprotocol/protocolVersion'],
    [
      { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      '_meta.io.modelcontextprotocol/clientCapabilities',
    ],
    [
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { sampling: { tools: true } },
        },
      },
      '_meta.io.modelcontextprotocol/clientCapabilities.sampling.tools',
    ],
  ])('are refused where one is wrong: %j', (params, path) => {
    shows('2026-07-28/basic/index/meta-reserved-no-assumptions');
    expect(stateless.codec.stamp(params)?.path).toBe(path);
  });
});

describe('results of 2026-07-28', () => {
  const call = row(stateless, 'tools/call');
  const content = [{ type: 'text', text: 'hi' }];

  test('say that they are complete, and who answers; the reader sees neither', () => {
    shows('2026-07-28/basic/index/result-type');
    const sent = wire(answered(call, { content }));
    expect(sent).toEqual({
      resultType: 'complete',
      content,
      isError: false,
      _meta: { 'io.modelcontextprotocol/serverInfo': by },
    });
    expect(decodeResult(stateless, call, sent)).toEqual({ ok: true, value: { content, isError: false } });
  });

  test('keep the rest of _meta', () => {
    const sent = wire(answered(call, { content, _meta: { a: 1 } }));
    expect(sent._meta).toEqual({ a: 1, 'io.modelcontextprotocol/serverInfo': by });
    expect(decodeResult(stateless, call, sent)).toMatchObject({ ok: true, value: { _meta: { a: 1 } } });
  });

  test('without a member say no more than that, and nothing that is not an object is a result', () => {
    const sent =
      '{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"server","version":"1"}}}';
    expect(stateless.codec.resultText({}, by)).toBe(sent);
    expect(() => stateless.codec.resultText({ toJSON: () => 'text' }, by)).toThrow(TypeError);
  });

  test('of type input_required keep their type', () => {
    const asking = { resultType: 'input_required', requestState: 's' };
    const sent = wire(answered(call, asking));
    expect(sent).toEqual({ ...asking, _meta: { 'io.modelcontextprotocol/serverInfo': by } });
    expect(decodeResult(stateless, call, sent)).toEqual({ ok: true, value: asking });
  });

  test('without a type are complete', () => {
    shows('2026-07-28/basic/index/result-type-absent');
    expect(decodeResult(stateless, call, { content })).toEqual({ ok: true, value: { content } });
  });

  test.each([
    ['tools/call', 'partial'],
    ['tools/call', 7],
    ['tools/list', 'input_required'],
  ])('of another type are invalid: %s %j', (method, resultType) => {
    shows('2026-07-28/basic/index/result-type-unknown');
    showsBy(method, { 'tools/list': '2026-07-28/basic/patterns/mrtr/other-requests' });
    expect(decodeResult(stateless, row(stateless, method), { resultType })).toEqual({
      ok: false,
      problem: 'result.resultType: is not a result type that is known here',
    });
  });

  test('of discovery still say who answers', () => {
    shows('2026-07-28/server/discover/server-info', '2026-07-28/server/utilities/caching/hints');
    const discovery = { supportedVersions: [], capabilities: {} };
    const sent = wire(answered(row(stateless, 'server/discover'), discovery));
    expect(sent).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    expect(decodeResult(stateless, row(stateless, 'server/discover'), sent)).toMatchObject({
      ok: true,
      value: { _meta: { 'io.modelcontextprotocol/serverInfo': by } },
    });
  });

  test.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'resources/read'])(
    'may be reused as they say, and not at all when they say nothing: %s',
    (method) => {
      shows('2026-07-28/server/utilities/caching/hints', '2026-07-28/server/utilities/caching/ttl-provided');
      expect(answered(row(stateless, method), {})).toMatchObject({
        ttlMs: 0,
        cacheScope: 'private',
      });
      const said = { ttlMs: 9, cacheScope: 'public' };
      expect(answered(row(stateless, method), said)).toMatchObject(said);
      expect(answered(row(stateless, method), { ttlMs: -9 })).toMatchObject({ ttlMs: 0 });
    },
  );

  test('are stale at once when their time to live is negative, and keep silent hints silent', () => {
    shows('2026-07-28/server/utilities/caching/ttl-negative');
    const list = row(stateless, 'tools/list');
    const negative = { tools: [], ttlMs: -1, cacheScope: 'public' };
    expect(decodeResult(stateless, list, negative)).toEqual({ ok: true, value: { ...negative, ttlMs: 0 } });
    expect(decodeResult(stateless, list, { tools: [] })).toEqual({ ok: true, value: { tools: [] } });
  });

  test('that ask about a resource carry no cache hints', () => {
    shows('2026-07-28/server/utilities/caching/no-hints-input-required');
    const asking = { resultType: 'input_required', requestState: 's' };
    expect(answered(row(stateless, 'resources/read'), asking)).not.toHaveProperty('ttlMs');
  });
});

describe.each(revisions.filter(({ lifecycle }) => lifecycle === 'handshake'))(
  'messages of $id',
  (revision) => {
    test('carry no stamp', () => {
      const params = { name: 'a' };
      expect(revision.codec.stampRequest(params, stamp)).toBe(params);
      expect(revision.codec.resultText(params, by)).toBe(JSON.stringify(params));
      expect(revision.codec.unstampResult(params)).toBe(params);
      expect(revision.codec.stamp({})).toBeUndefined();
      expect(revision.codec.readStamp(params)).toBeUndefined();
    });

    test('lose the per-request metadata of 2026-07-28 and nothing else of _meta', () => {
      const ping = row(revision, 'ping');
      const stamped = stateless.codec.stampRequest({ _meta: { progressToken: 1 } }, stamp);
      expect(ping.encodeParams?.(stamped)).toEqual({ _meta: { progressToken: 1 } });
      expect(ping.encodeParams?.(stateless.codec.stampRequest({}, stamp))).toEqual({});
    });
  },
);

test('returns the same object when there is nothing to change', () => {
  const result = { content: [{ type: 'text', text: 'hi' }], isError: false };
  expect(encodeResult(row(latestHandshake, 'tools/call'), result)).toBe(result);
  const page = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
  expect(encodeResult(row(latestHandshake, 'tools/list'), page)).toBe(page);
});
