import { otherBounds } from '@tenon/foundation';
import { type Principal, revisions } from '@tenon/mcp-protocol';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import { FakeProcesses } from '../../../test/fake-processes.js';
import { opening, request } from '../../../test/fake-service.js';
import type { HttpOptions } from '../http-options.js';

const ada: Principal = { id: 'ada', issuer: 'https://a.example', scopes: ['read'] };
const ping = request(1, 'ping');

/** Two processes that share state. */
async function pair(options: HttpOptions = {}) {
  const processes = new FakeProcesses();
  return { processes, first: await processes.process(options), second: await processes.process(options) };
}

describe('a session in shared state', () => {
  it('is served by another endpoint, with the result of its handshake', async () => {
    const { first, second } = await pair();
    const session = await first.opened('2025-06-18', ada);
    const call = await second.post(ping, session, ada).done();
    expect(call).toMatchObject({ status: 200, json: { id: 1 } });
    expect(second.application.last.session).toMatchObject({
      revision: { id: '2025-06-18' },
      peer: { clientInfo: { name: 'test', version: '1' } },
    });
    expect(second.application.last.connection.facts.principal).toEqual(ada);
    expect(second.service.sessions).toBe(1);
  });

  it('is kept as JSON: revision, client info, owner, age', async () => {
    const { processes, first } = await pair();
    const session = await first.opened('2025-11-25', ada);
    expect(await processes.record(session)).toEqual({
      revision: '2025-11-25',
      peer: { clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } },
      owner: expect.stringContaining('ada'),
      openedAt: expect.any(Number),
    });
  });

  it.each<[string, Principal | undefined]>([
    ['another principal', { ...ada, id: 'eve' }],
    ['an anonymous caller', undefined],
  ])('is not found by %s', async (_title, principal) => {
    const { first, second } = await pair();
    const session = await first.opened('2025-11-25', ada);
    const call = await second.post(ping, session, principal).done();
    expect(call.status).toBe(404);
    expect(second.application.ends).toEqual([]);
  });

  it('is found by its owner after an attempt of another principal', async () => {
    const { first, second } = await pair();
    const session = await first.opened('2025-11-25', ada);
    const calls = [second.post(ping, session, { id: 'eve' }), second.post(ping, session, ada)];
    await Promise.all(calls.map((call) => call.done()));
    expect(calls.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('is restored once by concurrent requests', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    const calls = [1, 2, 3].map((id) => second.post(request(id, 'ping'), session));
    await Promise.all(calls.map((call) => call.done()));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(second.application.ends).toHaveLength(1);
  });

  const clientCapabilities = {};
  it.each<[string, string, unknown]>([
    ['revision', 'of a year without one', '1999-01-01'],
    ['revision', 'without sessions', '2026-07-28'],
    ['revision', 'without a name', ''],
    ['revision', 'that is a number', 7],
    ['revision', 'that is missing', undefined],
    ['owner', 'that is a number', 7],
    ['owner', 'that is null', null],
    ['owner', 'that is too long', 'x'.repeat(16_385)],
    ['openedAt', 'that is missing', undefined],
    ['openedAt', 'that is a text', '2026'],
    ['openedAt', 'before 1970', -1],
    ['openedAt', 'of tomorrow', Date.now() + 86_400_000],
    ['peer', 'that is missing', undefined],
    ['peer', 'that is null', null],
    ['peer', 'that is a list', []],
    ['peer', 'without capabilities', {}],
    ['peer', 'with a text for capabilities', { clientCapabilities: 'all' }],
    ['peer', 'with a capability that is not an object', { clientCapabilities: { sampling: true } }],
    ['peer', 'with a setting of the wrong type', { clientCapabilities: { roots: { listChanged: 'yes' } } }],
    ['peer', 'that is too long', { clientCapabilities: { experimental: { x: { y: 'z'.repeat(30_000) } } } }],
    ['peer', 'with a text for its info', { clientCapabilities, clientInfo: 'me' }],
    ['peer', 'whose name is a number', { clientCapabilities, clientInfo: { name: 7, version: '1' } }],
    ['peer', 'without a version', { clientCapabilities, clientInfo: { name: 'me' } }],
    ['settings', 'that are null', null],
    ['settings', 'without a count', { logLevel: 'info' }],
    ['settings', 'with an unknown level', { count: 1, logLevel: 'loud' }],
    ['settings', 'with a number among the URIs', { count: 1, subscriptions: [7] }],
  ])('does not exist if its record has a %s %s', async (member, _title, value) => {
    const { processes, first, second } = await pair({ limits: { bodyBytes: 20_000 } });
    const session = await first.opened();
    await processes.write(session, { ...(await processes.record(session)), [member]: value });
    expect((await second.post(ping, session).done()).status).toBe(404);
    expect(second.application.ends).toEqual([]);
    expect(second.errors).toMatchObject([
      { where: 'state', error: { message: expect.stringContaining(`"${member}"`) } },
    ]);
    expect(String(second.errors[0]?.error)).not.toContain(session['mcp-session-id']);
  });

  it.each([[7], ['text'], [[]], [true]])('does not exist if its record is %j', async (record) => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    await processes.write(session, record);
    expect((await second.post(ping, session).done()).status).toBe(404);
    expect(second.errors).toHaveLength(1);
  });

  it('is unknown if the server no longer supports its revision', async () => {
    const { processes, first } = await pair();
    const session = await first.opened('2025-03-26');
    const spoken = revisions.filter((one) => one.id !== '2025-03-26');
    const narrow = await processes.process({}, new FakeApplication(undefined, spoken));
    expect((await narrow.post(ping, session).done()).status).toBe(404);
  });

  it('ends everywhere with DELETE at any endpoint', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    expect((await second.delete(session).done()).status).toBe(204);
    await settled();
    expect(await processes.record(session)).toBeUndefined();
    expect((await second.post(ping, session).done()).status).toBe(404);
  });

  it('outlives a drain', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    await first.service.drain();
    const refused = await first.post(ping, session).done();
    expect(refused).toMatchObject({ status: 503, sent: { connection: 'close' } });
    expect(await processes.record(session)).toBeDefined();
    expect((await second.post(ping, session).done()).status).toBe(200);
  });

  it('is not reported as lost by a full endpoint', async () => {
    const { processes, first } = await pair();
    const full = await processes.process({ limits: { sessions: 1 } });
    const other = await full.opened();
    const session = await first.opened();
    expect(await full.post(ping, session).done()).toMatchObject({
      status: 503,
      sent: { 'retry-after': '1' },
    });
    full.delete(other);
    await settled();
    expect((await full.post(ping, session).done()).status).toBe(200);
  });
});

describe('a session that several processes serve', () => {
  const limits = { keepAlive: 1_000, sessionIdle: 10_000, ...otherBounds({ sessionUnused: 3_000 }) };

  it.each([
    ['nothing follows the handshake', 0, 4_000],
    ['it is idle', 1, 12_000],
  ])('continues elsewhere when here %s', async (_title, calls, idle) => {
    const { processes, first, second } = await pair({ limits });
    const session = await first.opened();
    for (let count = 0; count < calls; count++) await first.post(ping, session).done();
    await first.clock.advance(idle);
    expect(first.service.sessions).toBe(0);
    expect(first.application.last.isClosed).toBe(true);
    expect(await processes.record(session)).toBeDefined();
    expect((await second.post(ping, session).done()).status).toBe(200);
  });

  it('ends everywhere after its lifetime', async () => {
    const { processes, first, second } = await pair({ limits: { ...limits, sessionLifetime: 60_000 } });
    const session = await first.opened();
    first.get(session);
    await first.clock.advance(61_000);
    expect(await processes.record(session)).toBeUndefined();
    expect((await second.post(ping, session).done()).status).toBe(404);
  });

  it('ends at once at every process that serves it', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    expect((await second.post(ping, session).done()).status).toBe(200);
    expect((await first.delete(session).done()).status).toBe(204);
    await settled();
    expect([first.service.sessions, second.service.sessions]).toEqual([0, 0]);
    expect(second.application.last.isClosed).toBe(true);
  });

  it('skips a request if its client disconnected during the lookup, but handles a notification', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    const values: unknown[] = [];
    second.application.play = (value) => {
      values.push(value.method);
      return 'id' in value ? result(value) : undefined;
    };
    for (const message of [request(1, 'tools/call'), { jsonrpc: '2.0', method: 'notifications/x' }])
      second.post(message, session).leave();
    await settled();
    expect(values).toEqual(['notifications/x']);
  });

  it('has all settings that its client makes anywhere', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    await second.post(ping, session).done();
    const save = (host: typeof first, more: object) =>
      host.application.last.connection.shared?.saveSettings((earlier) => ({ ...earlier, ...more }));
    await save(first, { logLevel: 'error' });
    await save(second, { subscriptions: ['a:b'] });
    await settled();
    const settings = { logLevel: 'error', subscriptions: ['a:b'], count: 2 };
    for (const { application } of [first, second])
      expect(application.last.adopted).toEqual([{ logLevel: 'error', count: 1 }, settings]);
    expect((await processes.record(session))?.settings).toEqual(settings);
    const third = await processes.process();
    await third.post(ping, session).done();
    expect(third.application.last.session?.settings).toEqual(settings);
  });

  it('has settings that its client makes while another process restores the session', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    const { kv } = processes.state;
    const get = kv.get.bind(kv);
    let release = () => {};
    vi.spyOn(kv, 'get').mockImplementationOnce(async (key) => {
      const found = await get(key);
      await new Promise<void>((resolve) => (release = resolve));
      return found;
    });
    const call = second.post(ping, session);
    await settled();
    await first.application.last.connection.shared?.saveSettings(() => ({ logLevel: 'error' }));
    await settled();
    release();
    await call.done();
    const { session: restored, adopted } = second.application.last;
    expect(restored?.settings).toBeUndefined();
    expect(adopted).toEqual([{ logLevel: 'error', count: 1 }]);
  });

  it('has an earlier change of another process that is announced late', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    await second.post(ping, session).done();
    await processes.write(session, {
      ...(await processes.record(session)),
      settings: { count: 1, logLevel: 'error' },
    });
    await second.application.last.connection.shared?.saveSettings((earlier) => ({
      ...earlier,
      subscriptions: ['a:b'],
    }));
    expect(second.application.last.adopted).toEqual([
      { logLevel: 'error', subscriptions: ['a:b'], count: 2 },
    ]);
  });

  it('keeps both settings when two processes change them at once', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    await second.post(ping, session).done();
    const uris = Array.from({ length: 5 }, (_, index) => `a:${index}`);
    await Promise.all(
      uris.map((uri, index) =>
        [first, second][index % 2]?.application.last.connection.shared?.saveSettings(
          ({ subscriptions = [] }) => ({
            subscriptions: [...subscriptions, uri],
          }),
        ),
      ),
    );
    const record = await processes.record(session);
    expect(record).toMatchObject({ settings: { count: 5, subscriptions: expect.arrayContaining(uris) } });
  });

  it('stores nothing when a change of settings throws', async () => {
    const { processes, first } = await pair();
    const session = await first.opened();
    const change = first.application.last.connection.shared?.saveSettings(() => {
      throw new RangeError('Too many.');
    });
    await expect(change).rejects.toThrow('Too many.');
    expect(await processes.record(session)).not.toHaveProperty('settings');
  });
});

describe('messages of clients', () => {
  it('reach the process that sent the request', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    expect(first.application.last.connection.shared?.idPrefix).toBe(`${first.id}-`);
    const answer = { jsonrpc: '2.0', id: `${first.id}-1`, result: {} };
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: `${first.id}-1`, progress: 1 },
    };
    expect((await second.post(progress, session).done()).status).toBe(202);
    expect((await second.post(answer, session).done()).status).toBe(202);
    await settled();
    expect(first.application.last.values.slice(-2)).toEqual([progress, answer]);
    expect(second.application.last.values).toEqual([]);
  });

  it('are rejected when the process that they answer is gone', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    await first.kill();
    const call = second.post({ jsonrpc: '2.0', id: `${first.id}-1`, result: {} }, session);
    await second.clock.armed(2_000);
    await second.clock.advance(2_000);
    expect((await call.done()).status).toBe(400);
  });

  it('cancel a request at every process', async () => {
    const { first, second } = await pair();
    const session = await first.opened();
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await second.post(cancelled, session).done()).status).toBe(202);
    await settled();
    expect(first.application.last.values.at(-1)).toEqual(cancelled);
    expect(second.application.last.values.at(-1)).toEqual(cancelled);
  });

  it('are sorted in a batch', async () => {
    const { first, second } = await pair();
    const session = await first.opened('2025-03-26');
    const answer = { jsonrpc: '2.0', id: `${first.id}-1`, result: {} };
    await second.post([answer, ping], session).done();
    await settled();
    expect(first.application.last.values.at(-1)).toEqual(answer);
    expect(second.application.last.values).toEqual([[ping]]);
  });

  it('of another session are not delivered', async () => {
    const { first, second } = await pair();
    await first.opened();
    const mine = await second.opened();
    const call = second.post({ jsonrpc: '2.0', id: `${first.id}-1`, result: {} }, mine);
    expect((await call.done()).status).toBe(400);
    expect(first.application.last.values).toHaveLength(1);
  });
});

describe('without the shared state', () => {
  it('no session is opened, and the answer says to try again', async () => {
    const { processes, first } = await pair();
    processes.memory.interrupt();
    const call = await first.post(opening()).done();
    await settled();
    expect(call).toMatchObject({ status: 503, sent: { 'retry-after': '2' } });
    expect(call.sent).not.toHaveProperty('mcp-session-id');
    expect(first.service.sessions).toBe(0);
    expect(first.application.last.isClosed).toBe(true);
    expect(first.errors).toMatchObject([{ where: 'state' }]);
  });

  it('a session of another process is not reported as lost', async () => {
    const { processes, first, second } = await pair();
    const session = await first.opened();
    processes.memory.interrupt();
    expect((await second.post(ping, session).done()).status).toBe(503);
    processes.memory.restore();
    expect((await second.post(ping, session).done()).status).toBe(200);
  });

  it('a session is ended here, and DELETE can be repeated', async () => {
    const { processes, first } = await pair();
    const session = await first.opened();
    const stream = first.get(session);
    await settled();
    processes.memory.interrupt();
    expect((await first.delete(session).done()).status).toBe(503);
    expect(stream.closed).toBe(true);
    expect(first.application.last.isClosed).toBe(true);
    processes.memory.restore();
    expect((await first.delete(session).done()).status).toBe(204);
    expect(await processes.record(session)).toBeUndefined();
  });

  it('requests of known sessions are served', async () => {
    const { processes, first } = await pair({ limits: { sessionIdle: 10_000, keepAlive: 8_000 } });
    const session = await first.opened();
    processes.memory.interrupt();
    await first.clock.advance(3_000);
    expect((await first.post(ping, session).done()).status).toBe(200);
  });
});
