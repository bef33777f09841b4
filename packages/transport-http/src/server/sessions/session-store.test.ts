import { type Principal, revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeApplication, result } from '../../../test/fake-application.js';
import { FakeService, request } from '../../../test/fake-service.js';
import { LoggingSessionStore, SlowEventStore } from '../../../test/fake-stores.js';
import { settled } from '../../../test/manual-clock.js';
import type { HttpOptions } from '../endpoint/http-options.js';
import { MemoryEventStore } from '../streams/memory-event-store.js';

const ada: Principal = { id: 'ada', issuer: 'https://a.example', scopes: ['read'] };
const ping = request(1, 'ping');

/** Two endpoints with one store. */
function pair(options: HttpOptions = {}) {
  const store = new LoggingSessionStore();
  const make = () => new FakeService({ ...options, sessions: { store } });
  return { store, first: make(), second: make() };
}

describe('a session in a store', () => {
  it('is served by another endpoint, with what its handshake settled', async () => {
    const { first, second } = pair();
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

  it('is kept as JSON: its revision, its client, its owner, its age', async () => {
    const { store, first } = pair();
    await first.opened('2025-11-25', ada);
    const [record] = store.records.values();
    expect(record).toEqual({
      revision: '2025-11-25',
      peer: { clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } },
      owner: expect.stringContaining('ada'),
      openedAt: expect.any(Number),
    });
  });

  it('gives streams there whose ids are new', async () => {
    const { first, second } = pair();
    const session = await first.opened();
    const here = first.get(session);
    const there = second.get(session);
    await settled();
    second.application.last.tell('changed');
    expect(there.events.at(-1)?.id).not.toBe(here.events[0]?.id);
    expect(there.messages).toHaveLength(1);
  });

  it.each<[string, Principal | undefined]>([
    ['somebody else', { ...ada, id: 'eve' }],
    ['nobody', undefined],
  ])('is not taken up for %s', async (_title, principal) => {
    const { first, second } = pair();
    const session = await first.opened('2025-11-25', ada);
    const call = await second.post(ping, session, principal).done();
    expect(call.status).toBe(404);
    expect(second.application.ends).toEqual([]);
  });

  it('is not kept from its owner by somebody who asks first', async () => {
    const { store, first, second } = pair();
    const session = await first.opened('2025-11-25', ada);
    let open = () => {};
    store.gate = new Promise((resolve) => (open = resolve));
    const calls = [second.post(ping, session, { id: 'eve' }), second.post(ping, session, ada)];
    open();
    await Promise.all(calls.map((call) => call.done()));
    expect(calls.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('is taken up once by requests that come together', async () => {
    const { store, first, second } = pair();
    const session = await first.opened();
    let open = () => {};
    store.gate = new Promise((resolve) => (open = resolve));
    const calls = [1, 2, 3].map((id) => second.post(request(id, 'ping'), session));
    open();
    await Promise.all(calls.map((call) => call.done()));
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(second.application.ends).toHaveLength(1);
    expect(store.log.filter((entry) => entry === 'get')).toHaveLength(1);
  });

  const clientCapabilities = {};
  const endless = { ...clientCapabilities } as Record<string, unknown>;
  endless.experimental = endless;
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
    ['openedAt', 'that is no number', Number.NaN],
    ['openedAt', 'before 1970', -1],
    ['openedAt', 'of tomorrow', Date.now() + 86_400_000],
    ['peer', 'that is missing', undefined],
    ['peer', 'that is null', null],
    ['peer', 'that is a list', []],
    ['peer', 'without capabilities', {}],
    ['peer', 'with a text for capabilities', { clientCapabilities: 'all' }],
    ['peer', 'with a capability that is no object', { clientCapabilities: { sampling: true } }],
    ['peer', 'with a setting of the wrong type', { clientCapabilities: { roots: { listChanged: 'yes' } } }],
    ['peer', 'that holds itself', { clientCapabilities: endless }],
    [
      'peer',
      'that is too long',
      { clientCapabilities: { experimental: { x: { y: 'z'.repeat(4_200_000) } } } },
    ],
    ['peer', 'with a text for its info', { clientCapabilities, clientInfo: 'me' }],
    ['peer', 'whose name is a number', { clientCapabilities, clientInfo: { name: 7, version: '1' } }],
    ['peer', 'without a version', { clientCapabilities, clientInfo: { name: 'me' } }],
  ])('does not exist where its record has a %s %s', async (member, _title, value) => {
    const { store, first, second } = pair();
    const session = await first.opened();
    const [[id, record]] = [...store.records] as [[string, never]];
    store.records.set(id, { ...(record as object), [member]: value } as never);
    expect((await second.post(ping, session).done()).status).toBe(404);
    expect(second.application.ends).toEqual([]);
    expect(second.errors).toMatchObject([
      { where: 'session store', error: { message: expect.stringContaining(`"${member}"`) } },
    ]);
    expect(String(second.errors[0]?.error)).not.toContain(id);
  });

  it.each([[7], ['text'], [[]], [true]])('does not exist where its record is %j', async (record) => {
    const { store, first, second } = pair();
    const session = await first.opened();
    for (const id of store.records.keys()) store.records.set(id, record as never);
    expect((await second.post(ping, session).done()).status).toBe(404);
    expect(second.errors).toHaveLength(1);
  });

  it('does not exist where a store gives null, which is no error', async () => {
    const { store, first, second } = pair();
    const session = await first.opened();
    for (const id of store.records.keys()) store.records.set(id, null as never);
    expect((await second.post(ping, session).done()).status).toBe(404);
    expect(second.errors).toEqual([]);
  });

  it('is unknown where the server does not speak its revision any more', async () => {
    const { store, first } = pair();
    const session = await first.opened('2025-03-26');
    const spoken = revisions.filter((one) => one.id !== '2025-03-26');
    const narrow = new FakeService({ sessions: { store } }, new FakeApplication(undefined, spoken));
    expect((await narrow.post(ping, session).done()).status).toBe(404);
  });

  it('ends everywhere with DELETE, wherever that comes', async () => {
    const { store, first, second } = pair();
    const session = await first.opened();
    expect((await second.delete(session).done()).status).toBe(204);
    await settled();
    expect(store.records.size).toBe(0);
    expect((await second.post(ping, session).done()).status).toBe(404);
  });

  it('outlives a drain', async () => {
    const { store, first, second } = pair();
    const session = await first.opened();
    await first.service.drain();
    const refused = await first.post(ping, session).done();
    expect(refused).toMatchObject({ status: 503, sent: { connection: 'close' } });
    expect(store.records.size).toBe(1);
    expect((await second.post(ping, session).done()).status).toBe(200);
  });

  it('is not lost because an endpoint is full', async () => {
    const { store, first } = pair();
    const full = new FakeService({ sessions: { store }, limits: { sessions: 1 } });
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

  it('is not asked for with an id that is none of ours', async () => {
    const { store, second } = pair();
    expect(second.post(ping, { 'mcp-session-id': 'x'.repeat(129) }).status).toBe(404);
    expect(store.log).toEqual([]);
  });
});

describe('a session spread over processes', () => {
  const limits = { keepAlive: 1_000, sessionUnused: 3_000, sessionIdle: 10_000, sessionLifetime: 60_000 };

  /** Endpoints with one store of sessions and one of events. */
  function several(count: number) {
    const store = new LoggingSessionStore();
    const events = new MemoryEventStore();
    const hosts = Array.from(
      { length: count },
      () => new FakeService({ limits, sessions: { store, events } }),
    );
    return { store, events, hosts: hosts as [FakeService, FakeService, ...FakeService[]] };
  }

  it.each([
    ['nothing follows the handshake', 0, 4_000],
    ['it lies idle', 1, 12_000],
  ])('goes on elsewhere when here %s', async (_title, calls, idle) => {
    const { store, hosts } = several(3);
    const [here, there, third] = hosts;
    const session = await here.opened();
    for (let count = 0; count < calls; count++) await here.post(ping, session).done();
    const stream = there.get(session);
    await settled();
    there.application.last.tell('changed');
    await here.clock.advance(idle);
    expect(here.service.sessions).toBe(0);
    expect(here.application.last.isClosed).toBe(true);
    expect(store.records.size).toBe(1);
    expect((await third?.post(ping, session).done())?.status).toBe(200);
    stream.leave();
    const resumed = there.get({ ...session, 'last-event-id': stream.events[0]?.id as string });
    await settled();
    expect(resumed.messages).toHaveLength(1);
  });

  it('ends everywhere when its time is over', async () => {
    const { store, hosts } = several(2);
    const [here, there] = hosts;
    const session = await here.opened();
    here.get(session);
    await here.clock.advance(61_000);
    expect(store.records.size).toBe(0);
    expect((await there.post(ping, session).done()).status).toBe(404);
  });

  it('names each stream once, whoever takes it up at the same moment', async () => {
    const { hosts } = several(3);
    const [here, ...others] = hosts;
    const session = await here.opened();
    for (const { application } of others) {
      application.play = (value, exchange) => {
        void exchange.send('{"n":1}');
        return Promise.resolve(result(value));
      };
    }
    const tools = [1, 2, 3, 4].map((id) => request(id, 'tools/call'));
    const calls = others.flatMap((host) => tools.map((tool) => host.post(tool, session)));
    await Promise.all(calls.map((call) => call.done()));
    const ids = calls.flatMap((call) => call.events.map(({ id }) => id));
    expect(ids).toHaveLength(24);
    expect(new Set(ids).size).toBe(24);
  });

  it('does not begin a request whose client has gone while the session was looked up, but takes a notification', async () => {
    const { hosts } = several(2);
    const [here, there] = hosts;
    const session = await here.opened();
    const values: unknown[] = [];
    there.application.play = (value) => {
      values.push(value.method);
      return 'id' in value ? result(value) : undefined;
    };
    for (const message of [request(1, 'tools/call'), { jsonrpc: '2.0', method: 'notifications/x' }])
      there.post(message, session).leave();
    await settled();
    expect(values).toEqual(['notifications/x']);
  });

  it('has its stream back at the process where it began', async () => {
    const { hosts } = several(2);
    const [here, there] = hosts;
    const session = await here.opened();
    const away = there.get(session);
    await settled();
    there.application.last.tell('there', { n: 1 });
    there.application.last.tell('there', { n: 2 });
    const [, first] = away.events;
    const back = here.get({ ...session, 'last-event-id': first?.id as string });
    await settled();
    here.application.last.tell('here', { n: 3 });
    expect(back.closed).toBe(false);
    expect(back.messages.map(({ params }) => params?.n)).toEqual([2, 3]);
  });

  it('is not taken up again while its end is under way', async () => {
    const { store, hosts } = several(2);
    const [here] = hosts;
    const session = await here.opened();
    let deleted = () => {};
    store.delete = (id) =>
      new Promise<void>((resolve) => (deleted = resolve)).then(() => void store.records.delete(id)) as never;
    const ending = here.delete(session);
    expect((await here.post(ping, session).done()).status).toBe(404);
    expect(ending.status).toBeUndefined();
    deleted();
    await settled();
    expect(ending.status).toBe(204);
    expect(here.service.sessions).toBe(0);
    expect(store.records.size).toBe(0);
  });

  it('is over where another process had taken it up, too', async () => {
    const { store, hosts } = several(2);
    const [here, there] = hosts;
    const session = await here.opened();
    expect((await there.post(ping, session).done()).status).toBe(200);
    await here.delete(session).done();
    await there.clock.advance(1_000);
    await there.post(ping, session).done();
    await settled();
    expect(store.records.size).toBe(0);
    expect(there.service.sessions).toBe(0);
    expect((await there.post(ping, session).done()).status).toBe(404);
  });

  it('that ends while its events are looked for is told so', async () => {
    const store = new LoggingSessionStore();
    const events = new SlowEventStore();
    const host = new FakeService({ sessions: { store, events } });
    const session = await host.opened();
    const call = host.get({ ...session, 'last-event-id': `${2 ** 41}.1` });
    host.delete(session);
    await settled();
    await events.run();
    expect(await call.done()).toMatchObject({ status: 404 });
  });
});

describe('a store is told that a session is used', () => {
  const limits = { keepAlive: 1_000, sessionIdle: 100_000 };

  it('now and then, not at every request', async () => {
    const { store, first } = pair({ limits });
    const session = await first.opened();
    for (let count = 0; count < 21; count++) {
      first.post(ping, session);
      await first.clock.advance(100);
    }
    expect(store.log).toEqual(['put 100000', 'touch 100000', 'touch 100000']);
  });

  it('as often as `touch` says', async () => {
    const { store, first } = pair({ limits: { ...limits, touch: 500 } });
    const session = await first.opened();
    for (let count = 0; count < 21; count++) {
      first.post(ping, session);
      await first.clock.advance(100);
    }
    expect(store.log).toEqual(['put 100000', ...Array(4).fill('touch 100000')]);
  });

  it('while all it has is an open stream', async () => {
    const { store, first } = pair({ limits });
    const session = await first.opened();
    first.get(session);
    await first.clock.advance(95_000);
    first.post(ping, session);
    expect(store.log.filter((entry) => entry.startsWith('touch')).length).toBeGreaterThanOrEqual(8);
  });
});
