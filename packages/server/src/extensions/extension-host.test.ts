import { otherBounds } from '@tenon/foundation';
import { defineMethod, defineNotification, serverPort } from '@tenon/mcp-protocol';
import { memoryState } from '@tenon/mcp-state';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { TestProcesses } from '../../test/processes.js';
import { SharedSession } from '../../test/shared-session.js';
import { handshakeRevisions, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../index.js';
import { createServer, type Server } from '../server.js';
import { defineExtension, serve } from './define-extension.js';
import type { ExtensionHost, ServerContributions } from './extension.js';
import type { ServerExtension } from './installation.js';
import type { ListenCaller } from './offered.js';

const info = { name: 'test', version: '1' };
const changed = defineNotification('notifications/jobs/changed');
const id = 'com.example/jobs';

/** An extension that shows its host, and the sessions that called a tool. */
class Probe {
  readonly sessions: (string | undefined)[] = [];
  readonly extension: ServerExtension;
  #host: ExtensionHost | undefined;

  constructor(more: Partial<ServerContributions> = {}) {
    this.extension = defineExtension({
      id,
      clientDeclares: false,
      interceptToolCall: (call) => {
        this.sessions.push(call.session);
        return { content: [] };
      },
      start: (host) => {
        this.#host = host;
      },
      ...more,
    });
  }

  get host(): ExtensionHost {
    return this.#host as ExtensionHost;
  }

  server(options: ServerOptions = {}): Server {
    const server = createServer(info, { ...options, extensions: [this.extension] }) as unknown as Server;
    onTestFinished(() => server.close());
    return server.tool('job', {}, () => '') as never;
  }
}

describe('the state of an extension', () => {
  it('is that of the server', async () => {
    const state = memoryState();
    const probe = new Probe();
    await WirePeer.open(probe.server({ state }));
    expect(probe.host.state).toBe(state);
    expect(probe.host.processes).toBeUndefined();
  });

  it('is undefined without one', async () => {
    const probe = new Probe();
    await WirePeer.open(probe.server());
    expect(probe.host.state).toBeUndefined();
    expect(probe.host.processes).toBeUndefined();
  });

  it('is shared if other processes can join', async () => {
    const probe = new Probe();
    const server = await new TestProcesses().server({ extensions: [probe.extension] });
    await WirePeer.open(server);
    expect(probe.host.processes).toBeDefined();
  });
});

it('names a caller by its issuer and id', async () => {
  const probe = new Probe();
  await WirePeer.open(probe.server());
  const name = (principal?: { id: string; issuer?: string }) => probe.host.callerOf({ principal });
  const names = await Promise.all([
    name({ id: 'ada' }),
    name({ id: 'ada', issuer: 'https://a.example' }),
    name({ id: 'eve' }),
  ]);
  expect(new Set(names).size).toBe(3);
  for (const one of names) expect(one).toMatch(/^[\w-]{43}$/);
  expect(await name({ id: 'ada' })).toBe(names[0]);
  expect(await name()).toBeUndefined();
});

describe('a notification to one session', () => {
  const told = (peer: { readonly received: readonly { readonly method?: string }[] }) =>
    peer.received.filter(({ method }) => method === changed.name).length;

  it.each(handshakeRevisions)('reaches no other session in $id', async (revision) => {
    const probe = new Probe();
    const server = probe.server();
    const [one, other] = [await WirePeer.open(server, revision), await WirePeer.open(server, revision)];
    await one?.request('tools/call', { name: 'job' });
    const [session] = probe.sessions as string[];
    await probe.host.publish(changed, {}, { session: session as string });
    await settled();
    expect([told(one), told(other)]).toEqual([1, 0]);
    await probe.host.publish(changed, {});
    await settled();
    expect([told(one), told(other)]).toEqual([2, 1]);
  });

  it('reaches no listen stream, unless the filter matches too', async () => {
    const probe = new Probe({ filters: { jobs: { check: () => undefined } } });
    const peer = await WirePeer.open(probe.server(), latestStateless);
    peer.send('subscriptions/listen', { notifications: { jobs: ['a'] } });
    await peer.heard('notifications/subscriptions/acknowledged');
    await probe.host.publish(changed, {}, { session: 'x' });
    await settled();
    expect(told(peer)).toBe(0);
    await probe.host.publish(changed, {}, { session: 'x', filter: 'jobs' });
    await settled();
    expect(told(peer)).toBe(1);
  });

  it('is sent by the process that serves the session', async () => {
    const probes = [new Probe(), new Probe()];
    const processes = new TestProcesses();
    const servers = await Promise.all(
      probes.map(({ extension }) => processes.server({ extensions: [extension] })),
    );
    const sessions = servers.map((server) => new SharedSession(server));
    for (const session of sessions) session.session = 'shared';
    const [home, other] = sessions as [SharedSession, SharedSession];
    other.isServedElsewhere = true;
    for (const { host } of probes) await host.publish(changed, {}, { session: 'shared' });
    await settled();
    expect([told(home), told(other)]).toEqual([1, 0]);
  });
});

describe('the filter of an extension', () => {
  const listening = async (
    accept: (value: unknown, caller: ListenCaller) => unknown,
    options?: ServerOptions,
  ) => {
    const probe = new Probe({ filters: { jobs: { check: () => undefined, accept } } });
    const server = probe.server(options);
    const peer = await WirePeer.open(server, latestStateless, { roots: {} });
    return { probe, peer, server };
  };
  const acknowledged = 'notifications/subscriptions/acknowledged';

  it('accepts a part of the value, which the client receives and publish matches', async () => {
    const callers: ListenCaller[] = [];
    const { peer, probe } = await listening(async (value, caller) => {
      callers.push(caller);
      return (value as string[]).filter((one) => one !== 'foreign');
    });
    peer.send('subscriptions/listen', { notifications: { jobs: ['own', 'foreign'] } });
    expect((await peer.heard(acknowledged)).params?.notifications).toEqual({ jobs: ['own'] });
    expect(callers).toEqual([
      expect.objectContaining({ principal: undefined, clientCapabilities: { roots: {} } }),
    ]);
    expect(callers[0]?.revision.lifecycle).toBe('stateless');
    const publish = (job: string) =>
      probe.host.publish(
        changed,
        { job },
        { filter: 'jobs', matches: (jobs) => (jobs as string[]).includes(job) },
      );
    await publish('foreign');
    await publish('own');
    await settled();
    const told = peer.received.filter(({ method }) => method === changed.name);
    expect(told.map(({ params }) => params?.job)).toEqual(['own']);
  });

  it('is left out if it accepts nothing', async () => {
    const { peer, probe } = await listening(() => undefined);
    peer.send('subscriptions/listen', { notifications: { jobs: ['a'] } });
    expect((await peer.heard(acknowledged)).params?.notifications).toEqual({});
    await probe.host.publish(changed, {}, { filter: 'jobs' });
    await settled();
    expect(peer.received.some(({ method }) => method === changed.name)).toBe(false);
  });

  it('gives up its share and its place when it throws', async () => {
    let fails = true;
    const { peer } = await listening(
      async (value) => {
        if (fails) throw new Error('down');
        return value;
      },
      { limits: otherBounds({ listenStreams: 1 }), onError: () => {} },
    );
    const params = { notifications: { jobs: [] } };
    expect((await peer.request('subscriptions/listen', params)).error?.code).toBe(-32603);
    fails = false;
    peer.send('subscriptions/listen', params);
    await peer.heard(acknowledged);
  });

  it('counts a stream that is not accepted yet', async () => {
    let accept = (_value: unknown) => {};
    const { peer } = await listening(
      () =>
        new Promise((resolve) => {
          accept = resolve;
        }),
      { limits: otherBounds({ listenStreams: 1 }) },
    );
    const params = { notifications: { jobs: [] } };
    peer.send('subscriptions/listen', params);
    await settled();
    expect((await peer.request('subscriptions/listen', params)).error?.message).toContain('1 listen streams');
    accept([]);
    await peer.heard(acknowledged);
  });

  it('opens no stream that was cancelled while it waited', async () => {
    const waiting: ((value: unknown) => void)[] = [];
    const { peer } = await listening(() => new Promise((resolve) => waiting.push(resolve)), {
      limits: otherBounds({ listenStreams: 1 }),
    });
    const params = { notifications: { jobs: [] } };
    const requestId = peer.send('subscriptions/listen', params);
    await settled();
    peer.notify('notifications/cancelled', { requestId });
    await settled();
    waiting[0]?.([]);
    await settled();
    expect(peer.received.some(({ method }) => method === acknowledged)).toBe(false);
    peer.send('subscriptions/listen', params);
    await settled();
    waiting[1]?.([]);
    await peer.heard(acknowledged);
  });

  it('opens no stream after the server has begun to close', async () => {
    let accept = (_value: unknown) => {};
    const { peer, server } = await listening(
      () =>
        new Promise((resolve) => {
          accept = resolve;
        }),
    );
    const answer = peer.request('subscriptions/listen', { notifications: { jobs: [] } });
    await settled();
    const closed = server.close();
    accept([]);
    expect((await answer).result).toBeDefined();
    expect(peer.received.some(({ method }) => method === acknowledged)).toBe(false);
    await closed;
  });
});

describe('drain', () => {
  it('is called once, before connections end, and the server waits for it', async () => {
    const order: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const probe = new Probe({
      drain: async () => {
        order.push('drain');
        await released;
        order.push('drained');
      },
      stop: () => {
        order.push('stop');
      },
    });
    const server = probe.server();
    const peer = await WirePeer.open(server);
    void peer.gone.then(() => order.push('gone'));
    const left = server[serverPort].leaving();
    const closed = server.close();
    await settled();
    expect(order).toEqual(['drain', 'gone']);
    release();
    await Promise.all([left, closed]);
    expect(order).toEqual(['drain', 'gone', 'drained', 'stop']);
  });

  it('is not called before the start', async () => {
    let drained = 0;
    const probe = new Probe({
      drain: () => {
        drained++;
      },
    });
    const server = probe.server();
    await server[serverPort].leaving();
    expect(drained).toBe(0);
    await WirePeer.open(server);
    await server[serverPort].leaving();
    expect(drained).toBe(1);
  });

  it('reports its error', async () => {
    const errors: unknown[] = [];
    const probe = new Probe({
      drain: () => {
        throw new Error('no lease');
      },
    });
    const server = probe.server({ onError: (error) => errors.push(error) });
    await WirePeer.open(server);
    await server.close();
    expect(errors).toEqual([new Error('no lease')]);
  });
});

describe('an input request of a method', () => {
  const ask = defineMethod('jobs/ask', { requestsInput: true });
  const params = {
    mode: 'form',
    message: 'Name?',
    requestedSchema: { type: 'object', properties: {} },
  } as const;
  const request = {
    method: 'elicitation/create',
    params: { ...params, _meta: { 'com.example/job': 'a' } },
  } as const;

  const asking = (one: object = request, errors: unknown[] = []) =>
    new Probe({
      methods: [
        serve(ask, async (_params, ctx) => {
          try {
            return { response: await ctx.requestInput('name', one as never) };
          } catch (error) {
            errors.push(error);
            return { refused: true };
          }
        }),
      ],
    }).server();

  it.each(handshakeRevisions)('is sent with its metadata in $id', async (revision) => {
    const errors: unknown[] = [];
    const peer = await WirePeer.open(asking(request, errors), revision, { elicitation: {} });
    const answer = peer.request('jobs/ask');
    if (!revision.rules.inputFeatures.elicit) {
      expect((await answer).result).toEqual({ refused: true });
      expect(errors).toMatchObject([{ reason: 'capability-missing' }]);
      return;
    }
    const sent = await peer.heard('elicitation/create');
    expect(sent.params).toMatchObject({ message: 'Name?', _meta: { 'com.example/job': 'a' } });
    peer.answer(sent.id, { action: 'decline' });
    expect((await answer).result).toEqual({ response: { action: 'decline' } });
  });

  it('is rejected if the client lacks the capability', async () => {
    const errors: unknown[] = [];
    const peer = await WirePeer.open(asking(request, errors), latestHandshake, {});
    await peer.request('jobs/ask');
    expect(errors).toMatchObject([{ reason: 'capability-missing', required: { elicitation: { form: {} } } }]);
  });

  it('is rejected in revisions without live input requests', async () => {
    const errors: unknown[] = [];
    const peer = await WirePeer.open(asking(request, errors), latestStateless, { elicitation: { form: {} } });
    expect((await peer.request('jobs/ask')).result).toMatchObject({ refused: true });
    expect(errors).toMatchObject([{ reason: 'not-in-revision' }]);
  });

  it('is rejected if its method is not that of an input request', async () => {
    const errors: unknown[] = [];
    const peer = await WirePeer.open(asking({ method: 'ping' }, errors), latestHandshake, { roots: {} });
    await peer.request('jobs/ask');
    expect(errors).toMatchObject([{ message: expect.stringContaining('ping is not an input request') }]);
  });
});
