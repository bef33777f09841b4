import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { MetaKey } from '../json-rpc/meta.js';
import { revision20251125, revision20260728, revisions } from '../revisions/index.js';
import { type EdgeView, readMessage, refusals } from './edge.js';

function view(more: Partial<EdgeView> = {}): EdgeView {
  return { side: 'server', revision: revision20251125, supported: revisions, ...more };
}

const call = { jsonrpc: '2.0', method: 'tools/call' };
const stamped = (version: unknown, more: object = {}) => ({
  ...call,
  id: 1,
  params: { _meta: { [MetaKey.protocolVersion]: version, [MetaKey.clientCapabilities]: {}, ...more } },
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
    shows('2026-07-28/basic/transports/streamable-http/version-header-matches');
    expect(take(named(), right)).toMatchObject({ kind: 'request', id: 1, method: 'tools/call' });
  });

  test.each<[string, Record<string, string | undefined>, string, ...string[]]>([
    ['no version', { 'mcp-protocol-version': undefined }, 'MCP-Protocol-Version header is required'],
    [
      'another version',
      { 'mcp-protocol-version': '2025-11-25' },
      'header and in params._meta differ',
      '2026-07-28/basic/transports/streamable-http/version-header-differs',
    ],
    [
      'no method',
      { 'mcp-method': undefined },
      'Mcp-Method header is required',
      '2026-07-28/basic/transports/streamable-http/mcp-method',
    ],
    ['another method', { 'mcp-method': 'tools/list' }, 'Mcp-Method header and the method differ'],
    ['no name', { 'mcp-name': undefined }, 'Mcp-Name header is required'],
    ['another name', { 'mcp-name': 'sub' }, 'Mcp-Name header and params.name differ'],
  ])('that do not are refused with 400, the id and -32020: %s', (...[, change, message, ...ids]) => {
    shows(
      '2026-07-28/basic/index/defined-codes-meaning',
      '2026-07-28/basic/transports/index/body-is-truth',
      '2026-07-28/basic/transports/streamable-http/headers-match-body',
      ...ids,
    );
    expect(take(named(), { ...right, ...change } as Record<string, string>)).toEqual({
      kind: 'rejection',
      refusal: 'header-mismatch',
      id: 1,
      answerable: true,
      error: { code: -32020, message: expect.stringContaining(message) },
    });
    expect(refusals['header-mismatch']).toEqual({ code: -32020, status: 400 });
  });

  test('with an unknown version are refused with -32022 before any other check', () => {
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

  test('with a version only in the header are refused with the supported versions', () => {
    const bare = { ...call, id: 1, params: {} };
    expect(take(bare, { 'mcp-protocol-version': '1999-01-01' }, [revision20260728])).toMatchObject({
      refusal: 'unsupported-version',
      error: { code: -32022, data: { requested: '1999-01-01' } },
    });
  });

  test('are not checked on a transport without headers', () => {
    shows('2026-07-28/basic/transports/stdio/metadata-inline');
    expect(readMessage(named(), {}, view({ revision: undefined }))).toMatchObject({ kind: 'request' });
  });

  test('are not asked of messages that are not requests', () => {
    const { id: _, ...notification } = named();
    expect(take(notification, {})).toMatchObject({ kind: 'notification' });
    expect(take({ jsonrpc: '2.0', id: 1, result: {} }, {})).toMatchObject({ kind: 'response' });
  });
});
