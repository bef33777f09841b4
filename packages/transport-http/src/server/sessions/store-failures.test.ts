import { describe, expect, it } from 'vitest';
import { FakeService, opening, request } from '../../../test/fake-service.js';
import { BrokenEventStore, LoggingSessionStore } from '../../../test/fake-stores.js';
import { settled } from '../../../test/manual-clock.js';
import type { HttpOptions } from '../endpoint/http-options.js';
import { MemoryEventStore } from '../streams/memory-event-store.js';

const ping = request(1, 'ping');

/** Two endpoints with one store. */
function pair(options: HttpOptions = {}) {
  const store = new LoggingSessionStore();
  const make = () => new FakeService({ ...options, sessions: { store } });
  return { store, first: make(), second: make() };
}

describe('a store that fails', () => {
  it('when it should keep a session: there is none', async () => {
    const { store, first } = pair();
    store.broken = 'put';
    const call = await first.post(opening()).done();
    await settled();
    expect(call).toMatchObject({ status: 500, json: { error: { message: 'Internal error' } } });
    expect(call.sent).not.toHaveProperty('mcp-session-id');
    expect(first.service.sessions).toBe(0);
    expect(first.application.last.isClosed).toBe(true);
    expect(first.errors).toMatchObject([{ where: 'session store' }]);
  });

  it('when it should give one: the request may be sent again', async () => {
    const { store, first, second } = pair();
    const session = await first.opened();
    store.broken = 'get';
    expect((await second.post(ping, session).done()).status).toBe(500);
    store.broken = undefined;
    expect((await second.post(ping, session).done()).status).toBe(200);
  });

  it('when it should forget one: 500, and the session ends here all the same', async () => {
    const { store, first } = pair();
    const session = await first.opened();
    const stream = first.get(session);
    store.broken = 'delete';
    expect(await first.delete(session).done()).toMatchObject({
      status: 500,
      json: { error: { code: -32603, message: 'Internal error' } },
    });
    expect(stream.closed).toBe(true);
    expect(first.application.last.isClosed).toBe(true);
    expect(first.errors).toMatchObject([{ where: 'session store' }]);
    store.broken = undefined;
    expect((await first.delete(session).done()).status).toBe(204);
    expect(store.records.size).toBe(0);
  });

  it('when it is told of a use: the request is served', async () => {
    const { store, first } = pair({ limits: { sessionIdle: 10_000, keepAlive: 8_000 } });
    const session = await first.opened();
    store.broken = 'touch';
    await first.clock.advance(3_000);
    expect(first.get(session).status).toBe(200);
    expect(first.post(ping, session).status).toBe(200);
    await settled();
    expect(first.errors.length).toBeGreaterThan(0);
  });

  it.each([true, false])('of events, when it should forget: the session ends (later: %s)', async (later) => {
    const host = new FakeService({ sessions: { events: new BrokenEventStore('forget', later) } });
    const session = host.open();
    expect(host.delete(session).status).toBe(204);
    await settled();
    expect(host.service.sessions).toBe(0);
    expect(host.errors.length).toBe(1);
  });

  it.each<[string, unknown]>([
    ['no list', 'events'],
    ['a number', [7]],
    ['an event without a message', [{ sequence: 2 }]],
    ['a message that is no text', [{ sequence: 2, frame: { id: 1 } }]],
    ['a message with a line break', [{ sequence: 2, frame: '{}\n\ndata: {"forged":1}' }]],
    ['events that begin later', [{ sequence: 3, frame: '{}' }]],
    ['events that were seen', [{ sequence: 1, frame: '{}' }]],
    [
      'events with a gap',
      [
        { sequence: 2, frame: '{}' },
        { sequence: 4, frame: '{}' },
      ],
    ],
  ])('of events, when it gives %s: 500, and nothing of it is sent', async (_title, given) => {
    const events = Object.assign(new MemoryEventStore(), { after: () => given as never });
    const host = new FakeService({ sessions: { events } });
    const session = host.open();
    const call = await host.get({ ...session, 'last-event-id': '5.1' }).done();
    expect(call).toMatchObject({ status: 500, json: { error: { message: 'Internal error' } } });
    expect(host.errors).toMatchObject([{ where: 'event store', error: { name: 'TypeError' } }]);
  });

  it.each([true, false])('of events, when it should replay: 500, and no crash (later: %s)', async (later) => {
    const host = new FakeService({ sessions: { events: new BrokenEventStore('after', later) } });
    const session = host.open();
    const call = await host.get({ ...session, 'last-event-id': '4.1' }).done();
    expect(call.status).toBe(500);
    expect(host.errors).toHaveLength(1);
  });
});
