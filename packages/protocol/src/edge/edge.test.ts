import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import type { Side } from '../codec/revision.js';
import { MetaKey } from '../json-rpc/meta.js';
import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
  revisions,
} from '../revisions/index.js';
import { type EdgeView, readMessage, refusals, rejectMalformed } from './edge.js';

const handshakes = [revision20251125, revision20250618, revision20250326, revision20241105];

function view(more: Partial<EdgeView> = {}): EdgeView {
  return { side: 'server', revision: revision20251125, supported: revisions, ...more };
}

function read(value: unknown, more?: Partial<EdgeView>) {
  return readMessage(value, {}, view(more));
}

const call = { jsonrpc: '2.0', method: 'tools/call' };
const unreadId = 'A request id must be a string or an integer.';
const notAMessage = 'A message has a method, a result or an error.';
const badMethod = 'A request has a method that is a string, and neither result nor error.';
const stamped = (version: unknown, more: object = {}) => ({
  ...call,
  id: 1,
  params: { _meta: { [MetaKey.protocolVersion]: version, [MetaKey.clientCapabilities]: {}, ...more } },
});

describe('what a message is', () => {
  const kinds: [name: string, value: object, kind: object, ...ids: readonly string[]][] = [
    ['an id 0', { ...call, id: 0 }, { kind: 'request', id: 0 }],
    ['an empty id', { ...call, id: '' }, { kind: 'request', id: '' }],
    [
      'a numeric string as id',
      { ...call, id: '3' },
      { kind: 'request', id: '3' },
      '2026-07-28/basic/index/request-id',
    ],
    ['a negative id', { ...call, id: -7 }, { kind: 'request', id: -7 }],
    ['the largest safe id', { ...call, id: 2 ** 53 - 1 }, { kind: 'request', id: 2 ** 53 - 1 }],
    ['no id', call, { kind: 'notification', method: 'tools/call' }],
    [
      'a result',
      { jsonrpc: '2.0', id: 1, result: {} },
      { kind: 'response', id: 1, result: {}, error: undefined },
    ],
    ['a result under id null', { jsonrpc: '2.0', id: null, result: {} }, { kind: 'response', id: null }],
    ['a null result', { jsonrpc: '2.0', id: 1, result: null }, { kind: 'response', result: null }],
    [
      'an error without id',
      { jsonrpc: '2.0', error: { code: -1, message: 'x' } },
      { kind: 'response', id: undefined, error: { code: -1, message: 'x' } },
    ],
    [
      'a result with error null',
      { jsonrpc: '2.0', id: 1, result: {}, error: null },
      { kind: 'response', result: {}, error: undefined },
    ],
    [
      'an error with result null',
      { jsonrpc: '2.0', id: 1, result: null, error: { code: -1, message: 'x' } },
      { kind: 'response', error: { code: -1, message: 'x' } },
    ],
    [
      'a method named __proto__',
      { ...call, id: 1, method: '__proto__' },
      { kind: 'request', method: '__proto__' },
    ],
    ['a method named constructor', { ...call, id: 1, method: 'constructor' }, { kind: 'request' }],
  ];
  test.each(kinds)('%s', (...[, value, kind, ...ids]) => {
    shows(...ids);
    expect(read(value)).toMatchObject(kind);
  });

  const unreadable: [string, object, ...string[]][] = [
    ['result and error together', { result: {}, error: { code: -1, message: 'x' } }],
    ['an error that is a string', { error: 'broken' }],
    [
      'an error code that is not an integer',
      { error: { code: 1.5, message: 'x' } },
      '2024-11-05/basic/messages/error-code-integer',
      '2026-07-28/basic/index/error-code-integer',
    ],
    ['an error without message', { error: { code: -1 } }, '2026-07-28/basic/index/error-members'],
    ['an id alone', {}],
  ];
  test('a server that is sent an id alone refuses it', () => {
    expect(read({ jsonrpc: '2.0', id: 4 })).toMatchObject({
      kind: 'rejection',
      id: 4,
      error: { message: notAMessage },
    });
  });

  test.each(unreadable)('%s fails the request it answers', (_, members, ...ids) => {
    shows(...ids);
    const message = read({ jsonrpc: '2.0', id: 1, ...members }, { side: 'client' });
    const problem = 'a response must have either a result or a well-formed error';
    expect(message).toEqual({ kind: 'response', id: 1, result: undefined, error: undefined, problem });
  });

  const refused: [
    string,
    unknown,
    [refusal: string, id: unknown, code: number, message: string],
    ...string[],
  ][] = [
    ['a string', 'hello', ['not-a-message', undefined, -32_600, 'A message must be a JSON object.']],
    ['null', null, ['not-a-message', undefined, -32_600, 'A message must be a JSON object.']],
    [
      'a list',
      [{ ...call, id: 1 }],
      ['batch', undefined, -32_600, 'A list of messages cannot be taken here; send one message at a time.'],
      '2026-07-28/basic/index/json-rpc',
    ],
    [
      'no jsonrpc',
      { id: 4, method: 'ping' },
      ['not-a-message', 4, -32_600, 'A message must say "jsonrpc": "2.0".'],
      '2026-07-28/basic/index/json-rpc',
    ],
    [
      'a null id',
      { ...call, id: null },
      ['bad-id', undefined, -32_600, unreadId],
      '2024-11-05/basic/messages/id-not-null',
      '2026-07-28/basic/index/request-id-not-null',
    ],
    [
      'a fractional id',
      { ...call, id: 1.5 },
      ['bad-id', undefined, -32_600, unreadId],
      '2024-11-05/basic/messages/id-kind',
      '2026-07-28/basic/index/request-id',
    ],
    ['an id beyond the safe integers', { ...call, id: 2 ** 53 }, ['bad-id', undefined, -32_600, unreadId]],
    [
      'an object as id',
      { ...call, id: {} },
      ['bad-id', undefined, -32_600, unreadId],
      '2024-11-05/basic/messages/id-kind',
      '2026-07-28/basic/index/request-id',
    ],
    [
      'a long id',
      { ...call, id: 'x'.repeat(1_025) },
      ['bad-id', undefined, -32_600, 'A request id may have at most 1024 characters.'],
    ],
    [
      'a long progress token',
      { ...call, id: 2, params: { _meta: { progressToken: 'x'.repeat(1_025) } } },
      ['bad-params', 2, -32_602, 'params._meta.progressToken: expected at most 1024 characters'],
    ],
    ['a method that is a number', { ...call, id: 'a', method: 7 }, ['bad-method', 'a', -32_600, badMethod]],
    ['a method and a result', { ...call, id: 2, result: {} }, ['bad-method', 2, -32_600, badMethod]],
    [
      'params that are a list',
      { ...call, id: 2, params: [1] },
      ['bad-params', 2, -32_602, 'params: expected an object'],
    ],
    ['a null result', { ...call, id: 2, result: null }, ['bad-method', 2, -32_600, badMethod]],
    [
      'params that are a text',
      { ...call, id: 2, params: '' },
      ['bad-params', 2, -32_602, 'params: expected an object'],
    ],
  ];
  test.each(refused)('%s is refused', (...[, value, [refusal, id, code, message], ...ids]) => {
    shows(...ids);
    const expected = { kind: 'rejection', refusal, id, error: { code, message }, answerable: true };
    expect(read(value)).toEqual(expected);
    expect(read(value, { side: 'client' })).toEqual(expected);
  });

  test.each([
    ['null params', { params: null }],
    ['an empty list of params, as PHP writes {}', { params: [] }],
    ['a null error', { error: null }],
  ])('reads a request with %s as one without', (_, more) => {
    const plain = { ...call, id: 2 };
    expect(read({ ...plain, ...more })).toEqual(read(plain));
    expect(read({ ...call, ...more })).toEqual(read(call));
  });

  test('reads a response with a null method and null params as one without', () => {
    const plain = { jsonrpc: '2.0', id: 2, result: {} };
    expect(read({ ...plain, method: null, params: null, error: null })).toEqual(read(plain));
  });

  const silent: [string, object, unknown][] = [
    ['a response without jsonrpc', { id: 1, result: {} }, 1],
    ['a response with an object as id', { jsonrpc: '2.0', id: {}, result: {} }, undefined],
    ['a notification whose params are a list', { ...call, params: [1] }, undefined],
  ];
  test.each(silent)('%s is refused without an answer', (_, value, id) => {
    expect(read(value)).toMatchObject({ kind: 'rejection', id, answerable: false });
  });

  test('bytes that are not JSON are a parse error', () => {
    const error = { code: -32_700, message: 'bad' };
    expect(rejectMalformed('bad')).toEqual({
      kind: 'rejection',
      refusal: 'malformed',
      id: undefined,
      error,
      answerable: true,
    });
  });

  test.each(revisions)('the id of an unreadable message in $id', ({ id, rules }) => {
    showsBy(id, { '2026-07-28': '2026-07-28/basic/index/error-id' });
    const absent = id >= '2025-11-25';
    expect(rules.unreadableId).toBe(absent ? undefined : null);
  });
});

describe('the revision of a client request', () => {
  const servers: [name: string, view: Partial<EdgeView>][] = [
    ['dual-era', { revision: undefined }],
    ['modern-only', { revision: undefined, supported: [revision20260728] }],
    ['handshake-only', { revision: undefined, supported: handshakes }],
    ['initialized', { revision: revision20250618 }],
  ];
  const none = undefined;
  const stateless = revision20260728;
  const session = revision20250618;
  const needed = `params._meta: "${MetaKey.protocolVersion}" is required`;
  /** The last column: the ids that a case shows with one of the servers. */
  const rows: [string, object, ('dual' | object | undefined | string)[], Record<string, string>?][] = [
    ['initialize', { ...call, id: 1, method: 'initialize' }, [none, none, none, session]],
    ['ping', { ...call, id: 1, method: 'ping' }, [none, `${needed}.`, none, session]],
    [
      'a call that states nothing',
      { ...call, id: 1 },
      [
        `${needed}; or send initialize first.`,
        `${needed}.`,
        'There is no session yet; send initialize first.',
        session,
      ],
      { 'modern-only': '2026-07-28/basic/versioning/version-per-request' },
    ],
    [
      'a call whose _meta is not an object',
      { ...call, id: 1, params: { _meta: 'x' } },
      [
        `${needed}; or send initialize first.`,
        `${needed}.`,
        'There is no session yet; send initialize first.',
        session,
      ],
      { 'dual-era': '2026-07-28/basic/index/meta-reserved-no-assumptions' },
    ],
    [
      'a call that states the newest revision',
      stamped('2026-07-28'),
      [stateless, stateless, 'There is no session yet; send initialize first.', stateless],
    ],
    [
      'a call that states an unknown revision',
      stamped('1900-01-01'),
      [
        'Unsupported protocol version',
        'Unsupported protocol version',
        'There is no session yet; send initialize first.',
        'Unsupported protocol version',
      ],
    ],
  ];
  for (const [index, [server, more]] of servers.entries()) {
    test.each(rows)(`${server}: %s`, (...[, value, outcomes, ids = {}]) => {
      showsBy(server, ids);
      const outcome = outcomes[index];
      const message = read(value, more);
      if (typeof outcome === 'string')
        expect(message).toMatchObject({ kind: 'rejection', error: { message: outcome } });
      else expect(message).toMatchObject({ kind: 'request', revision: outcome });
    });
  }

  test('a handshake revision cannot be stated per request', () => {
    expect(read(stamped('2025-11-25'))).toMatchObject({ refusal: 'unsupported-version' });
  });

  test('an unsupported revision is refused with those that are spoken', () => {
    shows('2026-07-28/basic/index/defined-codes-meaning', '2026-07-28/basic/versioning/unsupported-version');
    expect(read(stamped('1900-01-01'), { supported: [revision20260728, revision20251125] })).toMatchObject({
      refusal: 'unsupported-version',
      id: 1,
      error: {
        code: -32_022,
        message: 'Unsupported protocol version',
        data: { supported: ['2026-07-28', '2025-11-25'], requested: '1900-01-01' },
      },
    });
  });

  const broken: [string, object, string, ...string[]][] = [
    [
      'a version that is a number',
      stamped(2026),
      `params._meta["${MetaKey.protocolVersion}"]: expected a string`,
    ],
    [
      'no capabilities',
      stamped('2026-07-28', { [MetaKey.clientCapabilities]: undefined }),
      `params._meta.${MetaKey.clientCapabilities}: is required`,
      '2026-07-28/basic/index/meta-missing',
    ],
    [
      'capabilities that are a list',
      stamped('2026-07-28', { [MetaKey.clientCapabilities]: [1] }),
      `params._meta.${MetaKey.clientCapabilities}: expected an object`,
    ],
    [
      'a client without a version',
      stamped('2026-07-28', { [MetaKey.clientInfo]: { name: 'x' } }),
      `params._meta.${MetaKey.clientInfo}.version: is required`,
    ],
    [
      'a progress token that is an object',
      stamped('2026-07-28', { progressToken: {} }),
      'params._meta.progressToken: expected a string or an integer',
      '2026-07-28/basic/patterns/progress/token-kind',
    ],
  ];
  test.each(broken)('%s is a bad stamp', (...[, value, message, ...ids]) => {
    shows(...ids);
    expect(read(value)).toMatchObject({ refusal: 'bad-stamp', id: 1, error: { code: -32_602, message } });
  });

  test('the stamp says who asks', () => {
    const client = { name: 'c', version: '2' };
    const value = stamped('2026-07-28', {
      [MetaKey.clientInfo]: client,
      [MetaKey.clientCapabilities]: { roots: {} },
      [MetaKey.logLevel]: 'error',
    });
    const stamp = { clientCapabilities: { roots: {} }, clientInfo: client, logLevel: 'error' };
    expect(read(value)).toMatchObject({ kind: 'request', stamp });
  });

  test('a header that names another revision is refused before the revision is looked at', () => {
    const facts = { protocolVersion: '2025-11-25' };
    const message = 'The protocol version in the header and in params._meta differ.';
    for (const version of ['2026-07-28', '1900-01-01']) {
      expect(readMessage(stamped(version), facts, view())).toMatchObject({
        refusal: 'header-mismatch',
        error: { code: -32_020, message },
      });
    }
    expect(readMessage(stamped('2026-07-28'), { protocolVersion: '2026-07-28' }, view()).kind).toBe(
      'request',
    );
  });

  test('what a server asks is read in the revision of the client', () => {
    const value = stamped('1900-01-01');
    const seen = read(value, { side: 'client' as Side, revision: revision20250618 });
    expect(seen).toMatchObject({ kind: 'request', revision: revision20250618, stamp: undefined });
  });
});

test('lists refusals in the order of their checks', () => {
  expect(Object.entries(refusals).map(([name, { code, status }]) => `${name} ${code} ${status}`)).toEqual([
    'malformed -32700 400',
    'batch -32600 400',
    'not-a-message -32600 400',
    'bad-id -32600 400',
    'bad-method -32600 400',
    'bad-params -32602 400',
    'uninitialized -32600 400',
    'no-version -32602 400',
    'header-mismatch -32020 400',
    'unsupported-version -32022 400',
    'bad-stamp -32602 400',
  ]);
});
