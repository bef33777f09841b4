import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Revision } from '../codec/revision.js';
import { MetaKey } from '../json-rpc/meta.js';
import { revision20241105, revision20250618, revision20260728, revisions } from '../revisions/index.js';
import { readMessage } from './edge.js';
import { type Route, Routing } from './routing.js';

const handshakes = revisions.filter((one) => one.lifecycle === 'handshake');
const every = new Routing(revisions);
const sessionsOnly = new Routing(handshakes);
const newest = new Routing([revision20260728]);
const stated = (version: unknown) => ({
  method: 'x',
  params: { _meta: { [MetaKey.protocolVersion]: version } },
});

describe('to what a message belongs', () => {
  it.each<[string, unknown, string | undefined, Route['kind'], ...string[]]>([
    [
      'states its revision',
      stated('2026-07-28'),
      undefined,
      'stateless',
      '2026-07-28/basic/versioning/dual-server-by-meta',
    ],
    ['states an unknown revision', stated('1999-01-01'), undefined, 'stateless'],
    ['states nonsense', stated(5), undefined, 'stateless'],
    [
      'states it beside initialize',
      { ...stated('2026-07-28'), method: 'initialize' },
      undefined,
      'stateless',
    ],
    ['has the header of the stateless revision', { method: 'x' }, '2026-07-28', 'stateless'],
    ['has that header and is a list', [], '2026-07-28', 'stateless'],
    [
      'opens a session',
      { method: 'initialize' },
      undefined,
      'opening',
      '2026-07-28/basic/versioning/dual-server-by-initialize',
    ],
    ['opens one with a header of its revision', { method: 'initialize' }, '2025-11-25', 'opening'],
    ['opens one with params', { method: 'initialize', params: { _meta: {} } }, undefined, 'opening'],
    ['has the header of a session', { method: 'x' }, '2025-06-18', 'session'],
    ['has a header with an unknown revision', { method: 'x' }, '1999-01-01', 'session'],
    ['has neither', { method: 'tools/list', id: 1 }, undefined, 'session'],
    ['is an answer', { id: 1, result: {} }, undefined, 'session'],
    ['is a list that would open a session', [{ method: 'initialize' }], undefined, 'session'],
    ['is null', null, undefined, 'session'],
    ['is a number', 5, undefined, 'session'],
    ['has params that are none', { method: 'x', params: 5 }, undefined, 'session'],
    ['has a _meta that is none', { method: 'x', params: { _meta: [] } }, undefined, 'session'],
  ])('one that %s', (...[, value, protocolVersion, route, ...ids]) => {
    shows(...ids);
    expect(every.routeOf(value, protocolVersion).kind).toBe(route);
  });

  it('to itself, where the server has no sessions', () => {
    for (const value of [{ method: 'initialize' }, {}, null, [], stated('2025-11-25')]) {
      expect(newest.routeOf(value, undefined).kind).toBe('stateless');
    }
  });

  it('to a session, where the server has nothing else', () => {
    expect(sessionsOnly.routeOf(stated('2026-07-28'), '2026-07-28').kind).toBe('session');
  });
});

describe('the version header of a session', () => {
  it.each([undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    '%s is fine',
    (protocolVersion) => {
      expect(every.versionProblem(protocolVersion)).toBeUndefined();
    },
  );

  it.each(['2026-07-28', '1999-01-01', '', 'latest', '2025-11-25 '])('%j is not', (protocolVersion) => {
    expect(every.versionProblem(protocolVersion)).toMatchObject({
      code: -32022,
      data: { requested: protocolVersion, supported: revisions.map((one) => one.id) },
    });
    expect(sessionsOnly.versionProblem(protocolVersion)).toMatchObject({ code: -32600 });
  });
});

describe('the revision of a route', () => {
  const message = { method: 'tools/list' };

  it('is the one that the header names', () => {
    expect(every.routeOf(message, '2025-11-25').revision?.id).toBe('2025-11-25');
    expect(every.routeOf(message, '2026-07-28').revision?.id).toBe('2026-07-28');
    expect(newest.routeOf(message, '2026-07-28').revision?.id).toBe('2026-07-28');
  });

  it('is undefined when the header names none that is spoken, or the message opens a session', () => {
    expect(every.routeOf(message, 'x')).toMatchObject({ revision: undefined, error: { code: -32022 } });
    expect(every.routeOf({ method: 'initialize' }, '2025-11-25')).toEqual({
      kind: 'opening',
      revision: undefined,
    });
    expect(every.routeOf(stated('2026-07-28'), undefined).revision).toBeUndefined();
  });

  it('is the last one without such a header where a message has none', () => {
    shows('2026-07-28/basic/transports/streamable-http/version-header-absent-legacy');
    expect(every.routeOf(message, undefined).revision?.id).toBe('2025-03-26');
  });

  it('is the oldest the server speaks where that is newer', () => {
    const spoken = revisions.filter((one) => one.id > '2025-03-26');
    expect(new Routing(spoken).routeOf(message, undefined).revision?.id).toBe('2025-06-18');
    expect(new Routing([revision20241105]).routeOf(message, undefined).revision?.id).toBe('2024-11-05');
    expect(newest.routeOf(message, undefined).revision).toBeUndefined();
  });
});

describe('a message with a known route', () => {
  const view = { side: 'server', revision: undefined, supported: revisions } as const;
  const read = (value: object, revision: Revision, protocolVersion = revision.id) =>
    readMessage({ jsonrpc: '2.0', id: 1, ...value }, { revision, protocolVersion }, view);
  const stamp = {
    method: 'x',
    params: {
      _meta: { [MetaKey.protocolVersion]: revision20260728.id, [MetaKey.clientCapabilities]: {} },
    },
  };

  it('is one of the handshake revision that its route has, whatever its _meta states', () => {
    for (const value of [stamp, { method: 'x' }]) {
      expect(read(value, revision20250618)).toMatchObject({
        kind: 'request',
        revision: revision20250618,
        stamp: undefined,
      });
    }
  });

  it('must state the stateless revision that its route has', () => {
    expect(read(stamp, revision20260728)).toMatchObject({ kind: 'request', revision: revision20260728 });
    expect(read(stated('1999-01-01'), revision20260728)).toMatchObject({ refusal: 'header-mismatch' });
    expect(read({ method: 'x' }, revision20260728)).toMatchObject({ refusal: 'no-version' });
  });
});
