import { type Principal, revisions } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeApplication } from '../../../test/fake-application.js';
import { FakeService, opening, request, stateless } from '../../../test/fake-service.js';
import { settled } from '../../../test/manual-clock.js';

const ada: Principal = { id: 'ada', issuer: 'https://a.example' };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('opening a session', () => {
  it('gives an id that nobody guesses', () => {
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

  it('leaves nothing behind where the handshake fails', async () => {
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
    'is refused with 400 inside another session: %j',
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

  it('leaves nothing behind where it is a notification', async () => {
    const host = new FakeService();
    const call = host.post({ jsonrpc: '2.0', method: 'initialize', params: {} });
    expect(call).toMatchObject({ status: 202, text: '' });
    await settled();
    expect(host.service.sessions).toBe(0);
  });

  it('counts handshakes that are still going on', async () => {
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

  it('gives no session to a list of messages', () => {
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

  it('that cannot be accepted is refused with the status the application gives', () => {
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

  it('reaches that session and no other', () => {
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

  it('has the principal of its own request: scopes change', () => {
    const host = new FakeService();
    const session = host.open('2025-11-25', { ...ada, scopes: ['read', 'write'] });
    host.post(request(1, 'tools/list'), session, { ...ada, scopes: ['read'] });
    expect(host.application.last.exchanges.at(-1)?.facts.principal?.scopes).toEqual(['read']);
  });
});

describe('a session of somebody', () => {
  it.each<[string, Principal | undefined, Principal | undefined]>([
    ['another caller', ada, { ...ada, id: 'eve' }],
    ['the same id of another issuer', ada, { ...ada, issuer: 'https://b.example' }],
    ['nobody', ada, undefined],
    ['somebody, where it is nobody’s', undefined, ada],
    ['ids that run together', { id: 'b', issuer: 'a' }, { id: 'a","b', issuer: '' }],
  ])('is not found by %s', async (_title, owner, other) => {
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

  it('tells what runs that nobody waits for it any more', async () => {
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
  ])('%s in a session is answered with %s', (version, status) => {
    const host = new FakeService();
    const session = host.open();
    const headers = { ...session, ...(version !== undefined && { 'mcp-protocol-version': version }) };
    expect(host.post(request(5, 'tools/list'), headers).status).toBe(status);
    expect(host.get(headers).status).toBe(status);
  });

  it('that is wrong leaves the session as it is', () => {
    const host = new FakeService();
    const session = host.open();
    const wrong = { ...session, 'mcp-protocol-version': '1999-01-01' };
    const call = host.post(request(5, 'tools/list'), wrong);
    expect(call.json).toMatchObject({ id: 5, error: { code: -32022, data: { requested: '1999-01-01' } } });
    expect(host.delete(wrong).status).toBe(400);
    expect(host.post(request(6, 'tools/list'), session).status).toBe(200);
  });

  it('does not claim the stateless lifecycle where the server has none', () => {
    const spoken = revisions.filter((one) => one.lifecycle === 'handshake');
    const host = new FakeService({}, new FakeApplication(undefined, spoken));
    const session = host.open();
    const call = host.post(request(5, 'x'), { ...session, 'mcp-protocol-version': '2026-07-28' });
    expect(call).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
  });
});

describe('a message of the stateless revision', () => {
  it('needs no session, and ignores one', () => {
    const host = new FakeService();
    const session = host.open();
    const [value, headers] = stateless(1);
    expect(host.post(value, { ...headers, ...session }).status).toBe(200);
    expect(host.application.values).toHaveLength(1);
    expect(host.application.last.values).toHaveLength(1);
  });
});

describe('a server of the stateless revision alone', () => {
  it('takes POST, and knows no sessions', () => {
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
