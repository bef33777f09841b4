import { describe, expect, test } from 'vitest';
import { type EdgeView, readMessage, refusals, rejectMalformed } from './edge.js';
import { MetaKey } from './meta.js';
import type { Side } from './revision.js';
import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
  revisions,
} from './revisions/index.js';

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
  const kinds: [name: string, value: object, kind: object][] = [
    ['an id 0', { ...call, id: 0 }, { kind: 'request', id: 0 }],
    ['an empty id', { ...call, id: '' }, { kind: 'request', id: '' }],
    ['a numeric string as id', { ...call, id: '3' }, { kind: 'request', id: '3' }],
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
  test.each(kinds)('%s', (_, value, kind) => {
    expect(read(value)).toMatchObject(kind);
  });

  const unreadable: [string, object][] = [
    ['result and error together', { result: {}, error: { code: -1, message: 'x' } }],
    ['an error that is a string', { error: 'broken' }],
    ['an error code that is no integer', { error: { code: 1.5, message: 'x' } }],
    ['an error without message', { error: { code: -1 } }],
    ['an id alone', {}],
  ];
  test('a server that is sent an id alone refuses it', () => {
    expect(read({ jsonrpc: '2.0', id: 4 })).toMatchObject({
      kind: 'rejection',
      id: 4,
      error: { message: notAMessage },
    });
  });

  test.each(unreadable)('%s fails the request it answers', (_, members) => {
    const message = read({ jsonrpc: '2.0', id: 1, ...members }, { side: 'client' });
    const flaw = 'a response must have either a result or a well-formed error';
    expect(message).toEqual({ kind: 'response', id: 1, result: undefined, error: undefined, flaw });
  });

  const refused: [string, unknown, [refusal: string, id: unknown, code: number, message: string]][] = [
    ['a string', 'hello', ['not-a-message', undefined, -32_600, 'A message must be a JSON object.']],
    ['null', null, ['not-a-message', undefined, -32_600, 'A message must be a JSON object.']],
    [
      'a list',
      [{ ...call, id: 1 }],
      ['batch', undefined, -32_600, 'A list of messages cannot be taken here; send one message at a time.'],
    ],
    [
      'no jsonrpc',
      { id: 4, method: 'ping' },
      ['not-a-message', 4, -32_600, 'A message must say "jsonrpc": "2.0".'],
    ],
    ['a null id', { ...call, id: null }, ['bad-id', undefined, -32_600, unreadId]],
    ['a fractional id', { ...call, id: 1.5 }, ['bad-id', undefined, -32_600, unreadId]],
    ['an id beyond the safe integers', { ...call, id: 2 ** 53 }, ['bad-id', undefined, -32_600, unreadId]],
    ['an object as id', { ...call, id: {} }, ['bad-id', undefined, -32_600, unreadId]],
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
      { ...call, id: 2, params: [] },
      ['bad-params', 2, -32_602, 'params: expected an object'],
    ],
    [
      'params that are null',
      { ...call, id: 2, params: null },
      ['bad-params', 2, -32_602, 'params: expected an object'],
    ],
  ];
  test.each(refused)('%s is refused', (_, value, [refusal, id, code, message]) => {
    const expected = { kind: 'rejection', refusal, id, error: { code, message }, answerable: true };
    expect(read(value)).toEqual(expected);
    expect(read(value, { side: 'client' })).toEqual(expected);
  });

  const silent: [string, object, unknown][] = [
    ['a response without jsonrpc', { id: 1, result: {} }, 1],
    ['a response with an object as id', { jsonrpc: '2.0', id: {}, result: {} }, undefined],
    ['a notification whose params are a list', { ...call, params: [] }, undefined],
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
  const rows: [string, object, ('dual' | object | undefined | string)[]][] = [
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
    ],
    [
      'a call whose _meta is no object',
      { ...call, id: 1, params: { _meta: 'x' } },
      [
        `${needed}; or send initialize first.`,
        `${needed}.`,
        'There is no session yet; send initialize first.',
        session,
      ],
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
    test.each(rows)(`${server}: %s`, (_, value, outcomes) => {
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

  const broken: [string, object, string][] = [
    [
      'a version that is a number',
      stamped(2026),
      `params._meta["${MetaKey.protocolVersion}"]: expected a string`,
    ],
    [
      'no capabilities',
      stamped('2026-07-28', { [MetaKey.clientCapabilities]: undefined }),
      `params._meta.${MetaKey.clientCapabilities}: is required`,
    ],
    [
      'capabilities that are a list',
      stamped('2026-07-28', { [MetaKey.clientCapabilities]: [] }),
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
    ],
  ];
  test.each(broken)('%s is a bad stamp', (_, value, message) => {
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

test('refusals stand in the order in which they are looked for', () => {
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

describe('the headers of a request of the stateless revision', () => {
  const version = '2026-07-28';
  const named = (name = 'add') => {
    const params = { ...stamped(version).params, name };
    return { ...call, id: 1, params };
  };
  const take = (value: unknown, headers: Readonly<Record<string, string>>, supported = revisions) => {
    const { 'mcp-protocol-version': protocolVersion } = headers;
    const facts = { protocolVersion, header: (name: string) => headers[name] };
    return readMessage(value, facts, view({ revision: undefined, supported }));
  };
  const right = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'add' };

  test('that repeat it are taken', () => {
    expect(take(named(), right)).toMatchObject({ kind: 'request', id: 1, method: 'tools/call' });
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no version', { 'mcp-protocol-version': undefined }, 'MCP-Protocol-Version header is required'],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }, 'header and in params._meta differ'],
    ['no method', { 'mcp-method': undefined }, 'Mcp-Method header is required'],
    ['another method', { 'mcp-method': 'tools/list' }, 'Mcp-Method header and the method differ'],
    ['no name', { 'mcp-name': undefined }, 'Mcp-Name header is required'],
    ['another name', { 'mcp-name': 'sub' }, 'Mcp-Name header and params.name differ'],
  ])('that do not are refused with 400, the id and -32020: %s', (_title, change, message) => {
    expect(take(named(), { ...right, ...change } as Record<string, string>)).toEqual({
      kind: 'rejection',
      refusal: 'header-mismatch',
      id: 1,
      answerable: true,
      error: { code: -32020, message: expect.stringContaining(message) },
    });
    expect(refusals['header-mismatch']).toEqual({ code: -32020, status: 400 });
  });

  test('whose version nobody speaks is told so before anything else is looked at', () => {
    const unknown = { ...right, 'mcp-protocol-version': 'v999.0.0', 'mcp-method': 'x' };
    expect(take(stamped('v999.0.0'), unknown)).toMatchObject({
      refusal: 'unsupported-version',
      error: { code: -32022, data: { requested: 'v999.0.0', supported: revisions.map((one) => one.id) } },
    });
  });

  test('without _meta is refused with 400', () => {
    const bare = { ...call, id: 1, params: { name: 'add' } };
    for (const supported of [revisions, [revision20260728]]) {
      expect(take(bare, right, supported)).toMatchObject({ refusal: 'no-version', error: { code: -32602 } });
    }
    expect(refusals['no-version'].status).toBe(400);
  });

  test('whose version a header alone names is told what is spoken', () => {
    const bare = { ...call, id: 1, params: {} };
    expect(take(bare, { 'mcp-protocol-version': '1999-01-01' }, [revision20260728])).toMatchObject({
      refusal: 'unsupported-version',
      error: { code: -32022, data: { requested: '1999-01-01' } },
    });
  });

  test('are not looked at where the carrier has none', () => {
    expect(readMessage(named(), {}, view({ revision: undefined }))).toMatchObject({ kind: 'request' });
  });

  test('are not asked of messages that are no requests', () => {
    const { id: _, ...notification } = named();
    expect(take(notification, {})).toMatchObject({ kind: 'notification' });
    expect(take({ jsonrpc: '2.0', id: 1, result: {} }, {})).toMatchObject({ kind: 'response' });
  });
});
