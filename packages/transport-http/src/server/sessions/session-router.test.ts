import { type Principal, revisions } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication } from '../../../test/fake-application.js';
import { FakeService, opening, request, stateless } from '../../../test/fake-service.js';

const ada: Principal = { id: 'ada', issuer: 'https://a.example' };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('opening a session', () => {
  it('returns an id that cannot be guessed', () => {
    const host = new FakeService();
    const ids = [host.open(), host.open()].map((headers) => headers['mcp-session-id'] as string);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(ids).size).toBe(2);
    expect(host.service.sessions).toBe(2);
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('answers %s with JSON', (revision) => {
    const call = new FakeService().post(opening(revision));
    expect(call).toMatchObject({ status: 200, streaming: false });
    expect(call.json.result).toEqual({ protocolVersion: revision });
  });

  it('leaves nothing behind if the handshake fails', async () => {
    const host = new FakeService();
    const call = host.post(opening('1999-01-01'));
    expect(call.json.error?.code).toBe(-32602);
    expect(call.sent).not.toHaveProperty('mcp-session-id');
    await settled();
    expect({ sessions: host.service.sessions, closes: host.application.last.closes }).toEqual({
      sessions: 0,
      closes: 1,
    });
    expect(host.clock.waiting).toEqual([]);
  });

  it.each([{}, { sessions: false as const }])(
    'is rejected with 400 inside another session: %j',
    async (options) => {
      const host = new FakeService(options);
      const inside = await host.post(opening(), { 'mcp-session-id': 'ab'.repeat(24) }).done();
      expect(inside).toMatchObject({
        status: 400,
        json: {
          id: 0,
          error: { code: -32600, message: expect.stringContaining('without the Mcp-Session-Id header') },
        },
      });
      expect(inside.sent).not.toHaveProperty('mcp-session-id');
      expect(host.service.sessions).toBe(0);
      expect(host.application.ends).toEqual([]);
    },
  );

  it('leaves nothing behind if it is a notification', async () => {
    const host = new FakeService();
    const call = host.post({ jsonrpc: '2.0', method: 'initialize', params: {} });
    expect(call).toMatchObject({ status: 202, text: '' });
    await settled();
    expect(host.service.sessions).toBe(0);
  });

  it('counts unfinished handshakes', async () => {
    const host = new FakeService({ limits: { sessions: 1 } });
    let go = () => {};
    host.application.handshake = () => new Promise((resolve) => (go = resolve));
    const first = host.post(opening());
    expect(host.post(opening()).status).toBe(503);
    go();
    await first.done();
    expect(first.sent['mcp-session-id']).toBeDefined();
    expect(host.post(opening()).status).toBe(503);
  });

  it('opens no session for a batch', () => {
    const host = new FakeService();
    expect(host.post([opening()]).status).toBe(400);
    expect(host.service.sessions).toBe(0);
  });
});

describe('a message of a session', () => {
  it('is answered with JSON, with an event stream, or with 202', async () => {
    const host = new FakeService();
    const session = host.open();
    expect(host.post(initialized, session)).toMatchObject({ status: 202, text: '', sent: {} });
    expect(host.post({ jsonrpc: '2.0', id: 1, result: {} }, session)).toMatchObject({ status: 200 });
    const call = host.post(request(1, 'tools/list'), session);
    expect(call).toMatchObject({ status: 200, sent: { 'content-type': 'application/json' } });
    expect(call.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('is rejected with the status of the application if it cannot be accepted', () => {
    const host = new FakeService();
    const session = host.open();
    host.application.play = (_value, exchange) => {
      exchange.refused?.(400);
      return undefined;
    };
    expect(host.post({ jsonrpc: '2.0', id: null, error: 5 }, session)).toMatchObject({
      status: 400,
      text: '',
    });
  });

  it('reaches only that session', () => {
    const host = new FakeService();
    const [first, second] = [host.open(), host.open()];
    host.post(request(1, 'a'), first);
    host.post(request(1, 'b'), second);
    const seen = host.application.ends.map((end) =>
      end.values.slice(1).map((value) => (value as { method: string }).method),
    );
    expect(seen).toEqual([['a'], ['b']]);
  });

  it.each(['POST', 'GET', 'DELETE'])('%s without an id is 400, with an unknown one 404', (method) => {
    const host = new FakeService();
    host.open();
    const text = JSON.stringify(request(1, 'tools/list'));
    const base = { 'content-type': 'application/json' };
    expect(host.call({ method, text, headers: base })).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('Mcp-Session-Id') } },
    });
    for (const id of ['', 'x', '0'.repeat(48), '__proto__', 'é', 'x'.repeat(10_000), 'a, b']) {
      expect(host.call({ method, text, headers: { ...base, 'mcp-session-id': id } })).toMatchObject({
        status: 404,
        json: { error: { message: expect.stringContaining('initialize') } },
      });
    }
  });

  it('has the principal of its own request, because scopes change', () => {
    const host = new FakeService();
    const session = host.open('2025-11-25', { ...ada, scopes: ['read', 'write'] });
    host.post(request(1, 'tools/list'), session, { ...ada, scopes: ['read'] });
    expect(host.application.last.exchanges.at(-1)?.facts.principal?.scopes).toEqual(['read']);
  });
});

describe('a session with an owner', () => {
  it.each<[string, Principal | undefined, Principal | undefined, ...string[]]>([
    [
      'another caller',
      ada,
      { ...ada, id: 'eve' },
      '2026-07-28/basic/index/names-no-security',
      '2026-07-28/client/elicitation/user-verified',
    ],
    ['the same id of another issuer', ada, { ...ada, issuer: 'https://b.example' }],
    ['an anonymous caller', ada, undefined],
    ['a principal, if the session has no owner', undefined, ada],
    ['ids that run together', { id: 'b', issuer: 'a' }, { id: 'a","b', issuer: '' }],
  ])('is not found by %s', async (...[, owner, other, ...ids]) => {
    shows(...ids);
    const host = new FakeService();
    const session = host.open('2025-11-25', owner);
    const calls = [
      host.post(request(1, 'tools/list'), session, other),
      host.get(session, other),
      host.delete(session, other),
    ];
    await settled();
    expect(calls.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(host.post(request(1, 'tools/list'), session, owner).status).toBe(200);
  });
});

describe('DELETE', () => {
  it('ends the session', async () => {
    const host = new FakeService();
    const session = host.open();
    const stream = host.get(session);
    expect(host.delete(session)).toMatchObject({ status: 204, text: '' });
    await settled();
    expect(stream.closed).toBe(true);
    expect(host.application.last).toMatchObject({ isClosed: true });
    expect(host.post(initialized, session).status).toBe(404);
    expect(host.delete(session).status).toBe(404);
    expect(host.service.sessions).toBe(0);
  });

  it('cancels running requests, because their answers cannot be received', async () => {
    const host = new FakeService();
    const session = host.open();
    host.application.play = () => new Promise(() => {});
    const call = host.post(request(1, 'tools/call'), session);
    host.delete(session);
    expect(host.application.last.isClosed).toBe(true);
    expect(host.post(request(2, 'tools/call'), session).status).toBe(404);
    expect(call.status).toBeUndefined();
  });
});

describe('the version header', () => {
  it.each([
    [undefined, 200],
    ['2025-11-25', 200],
    ['2025-06-18', 200],
    ['2024-11-05', 200],
    ['1999-01-01', 400],
    ['', 400],
    ['2025-11-25, 2025-11-25', 400],
    ['__proto__', 400],
  ])('is answered in a session: %s with status %s', (version, status) => {
    const host = new FakeService();
    const session = host.open();
    const headers = { ...session, ...(version !== undefined && { 'mcp-protocol-version': version }) };
    expect(host.post(request(5, 'tools/list'), headers).status).toBe(status);
    expect(host.get(headers).status).toBe(status);
  });

  it('leaves the session unchanged if it is wrong', () => {
    const host = new FakeService();
    const session = host.open();
    const wrong = { ...session, 'mcp-protocol-version': '1999-01-01' };
    const call = host.post(request(5, 'tools/list'), wrong);
    expect(call.json).toMatchObject({ id: 5, error: { code: -32022, data: { requested: '1999-01-01' } } });
    expect(host.delete(wrong).status).toBe(400);
    expect(host.post(request(6, 'tools/list'), session).status).toBe(200);
  });

  it('does not mention the stateless lifecycle if the server does not have it', () => {
    const spoken = revisions.filter((one) => one.lifecycle === 'handshake');
    const host = new FakeService({}, new FakeApplication(undefined, spoken));
    const session = host.open();
    const call = host.post(request(5, 'x'), { ...session, 'mcp-protocol-version': '2026-07-28' });
    expect(call).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
  });
});

describe('a message of the stateless revision', () => {
  it('needs no session, and ignores a session id', () => {
    shows('2026-07-28/basic/versioning/dual-concurrent');
    const host = new FakeService();
    const session = host.open();
    const [value, headers] = stateless(1);
    expect(host.post(value, { ...headers, ...session }).status).toBe(200);
    expect(host.application.values).toHaveLength(1);
    expect(host.application.last.values).toHaveLength(1);
  });
});

describe('a server with only the stateless revision', () => {
  it('accepts POST, and has no sessions', () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/one-endpoint',
      '2026-07-28/basic/transports/streamable-http/get-delete-405',
    );
    const application = new FakeApplication(undefined, [revision20260728]);
    const host = new FakeService({}, application);
    for (const call of [host.get({}), host.delete({})]) {
      expect(call).toMatchObject({ status: 405, sent: { allow: 'POST' } });
    }
    const call = host.post(opening());
    expect(call.sent).not.toHaveProperty('mcp-session-id');
    expect(application.ends).toEqual([]);
    expect(application.values).toHaveLength(1);
  });
});
