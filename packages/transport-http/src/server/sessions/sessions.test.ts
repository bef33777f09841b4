import { otherBounds } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, result } from '../../../test/fake-application.js';
import { FakeService, opening, postHeaders, request } from '../../../test/fake-service.js';
import { httpBoundsOf } from '../call/http-limits.js';
import { MemoryEventStore } from '../streams/memory-event-store.js';
import { Sessions } from './sessions.js';

const ada: Principal = { id: 'ada' };
const eve: Principal = { id: 'eve' };
const nobody = { principal: undefined, remoteAddress: undefined };
const ping = request(1, 'ping');

function sessionsOf(application: FakeApplication): Sessions {
  const { clock, onError } = application;
  const events = new MemoryEventStore();
  const settings = { application, limits: httpBoundsOf(), clock, events, onError };
  return new Sessions({ ...settings, jsonOnly: false });
}

describe('a session', () => {
  it('keeps its times in whole milliseconds, which take no extra memory', async () => {
    const application = new FakeApplication();
    const sessions = sessionsOf(application);
    application.clock.stall(1_234.567);
    const session = sessions.open(nobody);
    void sessions.keep(session);
    application.clock.stall(1_000.5);
    expect(await sessions.find(session.id, undefined, nobody)).toBe(session);
    const { openedAt, usedAt, touchedAt } = session;
    expect({ openedAt, usedAt, touchedAt }).toEqual({ openedAt: 1_234, usedAt: 2_235, touchedAt: 1_234 });
  });

  it('is rejected if the application does not start it', () => {
    const application = new FakeApplication();
    const end = { inFlight: 0, close: async () => {} };
    application.accept = () => end as ReturnType<FakeApplication['accept']>;
    expect(() => sessionsOf(application).open(nobody)).toThrow(/must call connection\.start/);
  });
});

describe('the limit of sessions', () => {
  it('answers 503 with Retry-After, and frees a slot when a session ends', async () => {
    const host = new FakeService({ limits: { sessions: 2 } });
    const first = host.open();
    host.open();
    const refused = host.post(opening());
    expect(refused).toMatchObject({ status: 503, json: { id: 0, error: { code: -31001 } } });
    expect(refused.sent).toMatchObject({ 'retry-after': '1' });
    expect(refused.sent).not.toHaveProperty('mcp-session-id');
    host.delete(first);
    await settled();
    expect(host.post(opening()).status).toBe(200);
  });

  it('counts sessions by principal', async () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 1 } });
    const mine = host.open('2025-11-25', ada);
    expect(host.post(opening(), {}, ada)).toMatchObject({ status: 503, json: { error: { code: -31001 } } });
    expect(host.post(opening(), {}, eve).status).toBe(200);
    host.open();
    expect(host.post(opening()).status).toBe(200);
    host.delete(mine, ada);
    await settled();
    expect(host.post(opening(), {}, ada).status).toBe(200);
  });

  it('counts unfinished handshakes of a principal', async () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 2 } });
    let go = () => {};
    const wait = new Promise<void>((resolve) => (go = resolve));
    host.application.handshake = () => wait;
    const calls = [1, 2, 3].map(() => host.post(opening(), {}, ada));
    go();
    await settled();
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
  });

  it('frees the slot of a failed handshake', async () => {
    const host = new FakeService({ limits: { sessions: 1, sessionsPerPrincipal: 1 } });
    for (let time = 0; time < 3; time++) host.post(opening('1999-01-01'), {}, ada);
    await settled();
    expect(host.post(opening(), {}, ada).status).toBe(200);
  });
});

describe('the limit of sessions for one address', () => {
  const here = '203.0.113.7';
  const elsewhere = '203.0.113.8';
  const from = (host: FakeService, remoteAddress: string, principal?: Principal) =>
    host.call({ text: JSON.stringify(opening()), headers: postHeaders, remoteAddress }, principal);
  const openFrom = (host: FakeService, address: string) => {
    const { sent } = from(host, address);
    return { 'mcp-session-id': sent['mcp-session-id'] as string };
  };

  it('does not affect other callers, however many sessions one address opens', async () => {
    const host = new FakeService({ limits: { sessions: 5, sessionsPerPrincipal: 3 } });
    for (let time = 0; time < 1_000; time++) expect(from(host, here).status).toBe(200);
    await settled();
    expect(host.service.sessions).toBe(3);
    expect(from(host, elsewhere).status).toBe(200);
    // Authenticated callers do not count for the address.
    expect(from(host, here, ada).status).toBe(200);
  });

  it('ends the session that waited longest for its first message, and none that was used', async () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 3 } });
    const [used, older, newer] = [1, 2, 3].map(() => openFrom(host, here));
    const other = openFrom(host, elsewhere);
    expect(host.post(ping, used).status).toBe(200);
    expect(from(host, here).status).toBe(200);
    await settled();
    expect(host.post(ping, older).status).toBe(404);
    expect([used, newer, other].map((headers) => host.post(ping, headers).status)).toEqual([200, 200, 200]);
  });

  it('answers 503 if all are in use, and frees a slot when a session ends', async () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 2 } });
    const sessions = [openFrom(host, here), openFrom(host, here)];
    for (const session of sessions) host.post(ping, session);
    const refused = from(host, here);
    expect(refused).toMatchObject({ status: 503, sent: { 'retry-after': '1' } });
    expect(refused.json.error).toMatchObject({
      code: -31001,
      message: 'Your address holds 2 sessions already; end one with DELETE, or try again later.',
    });
    host.delete(sessions[0] ?? {});
    await settled();
    expect(from(host, here).status).toBe(200);
  });

  it('ends an unused session of the same address if the server is full, and none of another address', async () => {
    const host = new FakeService({ limits: { sessions: 2 } });
    openFrom(host, here);
    const other = openFrom(host, elsewhere);
    expect(from(host, '203.0.113.9').status).toBe(503);
    expect(from(host, here).status).toBe(200);
    await settled();
    expect(host.service.sessions).toBe(2);
    expect(host.post(ping, other).status).toBe(200);
  });

  it('ends no unfinished handshake', async () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 2 } });
    let go = () => {};
    const wait = new Promise<void>((resolve) => (go = resolve));
    host.application.handshake = () => wait;
    const calls = [1, 2, 3].map(() => from(host, here));
    go();
    await settled();
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(host.service.sessions).toBe(2);
  });

  it('does not apply if no address is known', () => {
    const host = new FakeService({ limits: { sessionsPerPrincipal: 1 } });
    for (let time = 0; time < 3; time++) expect(host.post(opening()).status).toBe(200);
    expect(host.service.sessions).toBe(3);
  });
});

describe('expiry', () => {
  const limits = { keepAlive: 1_000, sessionIdle: 10_000, sessionLifetime: 60_000 };

  it('ends an idle session', async () => {
    shows('2025-03-26/sessions/terminated');
    const host = new FakeService({ limits });
    const session = host.open();
    await host.clock.advance(9_000);
    expect(host.post(ping, session).status).toBe(200);
    await host.clock.advance(9_000);
    expect(host.service.sessions).toBe(1);
    await host.clock.advance(1_500);
    expect(host.service.sessions).toBe(0);
    expect(host.application.last.isClosed).toBe(true);
    expect(host.post(ping, session).status).toBe(404);
    expect(host.clock.waiting).toEqual([]);
  });

  it('ends a session early if it is not used after its handshake', async () => {
    const host = new FakeService({ limits: { ...limits, ...otherBounds({ sessionUnused: 3_000 }) } });
    const used = host.open();
    host.open();
    host.post(ping, used);
    await host.clock.advance(4_000);
    expect(host.service.sessions).toBe(1);
    expect(host.post(ping, used).status).toBe(200);
  });

  it('does not end a busy session', async () => {
    const host = new FakeService({ limits });
    const session = host.open();
    let finish = () => {};
    host.application.play = (value) => new Promise((resolve) => (finish = () => resolve(result(value))));
    const call = host.post(request(1, 'tools/call'), session);
    await host.clock.advance(30_000);
    expect(host.service.sessions).toBe(1);
    finish();
    await call.done();
    await host.clock.advance(9_000);
    expect(host.service.sessions).toBe(1);
    await host.clock.advance(2_000);
    expect(host.service.sessions).toBe(0);
  });

  it('does not end a session with an open stream', async () => {
    const host = new FakeService({ limits });
    const session = host.open();
    const stream = host.get(session);
    await host.clock.advance(30_000);
    expect(host.service.sessions).toBe(1);
    stream.leave();
    await host.clock.advance(11_000);
    expect(host.service.sessions).toBe(0);
  });

  it('ends any session after its lifetime', async () => {
    const host = new FakeService({ limits });
    const session = host.open();
    const stream = host.get(session);
    await host.clock.advance(59_000);
    expect(host.service.sessions).toBe(1);
    await host.clock.advance(1_500);
    expect(host.service.sessions).toBe(0);
    expect(stream.closed).toBe(true);
    expect(host.get(session).status).toBe(404);
  });

  it('uses one timer for all sessions', () => {
    const host = new FakeService();
    for (let count = 0; count < 100; count++) host.open();
    expect(host.clock.waiting).toHaveLength(1);
  });
});

describe('drain', () => {
  it('opens no session, lets running requests finish, then ends the sessions', async () => {
    const host = new FakeService();
    const session = host.open();
    let finish = () => {};
    host.application.play = (value) =>
      'id' in value && value.method === 'tools/call'
        ? new Promise((resolve) => (finish = () => resolve(result(value))))
        : undefined;
    const call = host.post(request(1, 'tools/call'), session);
    const stream = host.get(session);
    const drained = host.service.drain();
    const refused = host.post(opening());
    expect(refused).toMatchObject({ status: 503, json: { error: { code: -31002 } } });
    const answer = { jsonrpc: '2.0', id: 'asked', result: {} };
    expect(host.post(answer, session).status).toBe(202);
    finish();
    await drained;
    expect(call.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(stream.closed).toBe(true);
    expect(host.service.sessions).toBe(0);
  });

  it('opens no session after an unfinished handshake', async () => {
    const host = new FakeService();
    let go = () => {};
    host.application.handshake = () => new Promise((resolve) => (go = resolve));
    const call = host.post(opening());
    const drained = host.service.drain();
    go();
    await call.done();
    await drained;
    await settled();
    expect(host.service.sessions).toBe(0);
    expect(host.application.last.isClosed).toBe(true);
    expect(call).toMatchObject({ status: 503, json: { error: { code: -31002 } } });
  });
});
