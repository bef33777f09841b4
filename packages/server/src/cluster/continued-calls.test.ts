import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { defaultLimits } from '@tenon/mcp-session';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { settled } from '../../../testing/src/fake-clock.js';
import { TestCluster } from '../../test/cluster.js';
import { HttpPeer, messagesFrom, messagesOf } from '../../test/http-peer.js';
import type { WireMessage } from '../../test/wire-peer.js';
import type { Server } from '../definition/server.js';
import { type FetchHandler, toFetchHandler } from '../fetch.js';

const names = ['first', 'second', 'third'] as const;

/** Three processes with the same server, and a client that a test sends to one of them. */
async function processes(define: (server: Server, name: string) => void) {
  const cluster = new TestCluster();
  const started: { readonly server: Server; readonly handler: FetchHandler }[] = [];
  const slow = slowState(cluster);
  for (const name of names) {
    const server = await cluster.server(name === 'first' ? { state: slow.state } : {});
    define(server, name);
    started.push({ server, handler: toFetchHandler(server) });
  }
  let target = 0;
  const route: typeof fetch = (input, init) =>
    started[target]?.handler.serve(new Request(input, init), {}) ?? Promise.reject(new Error('No process.'));
  const capabilities = { elicitation: {} };
  const peer = await HttpPeer.open('http://localhost/mcp', {
    revision: revision20251125,
    capabilities,
    fetch: route,
  });
  return {
    cluster,
    peer,
    /** Delays the messages to the first process. Returns a function that delivers them. */
    delay: slow.delay,
    /** Ends the process that the client sends to without a word, and sends to the next one. */
    async kill() {
      await started[target++]?.server.cluster?.close();
    },
    /** Drains the process that the client sends to, and sends to the next one. */
    drain() {
      return started[target++]?.handler.drain();
    },
    send(to: (typeof names)[number]) {
      target = names.indexOf(to);
    },
    /** Waits until a message to the process that has ended is given up. */
    async patience() {
      await cluster.clock.armed(2_000);
      await cluster.clock.advance(2_000);
      await settled();
    },
  };
}

/** The state of a process that other processes reach with a delay. */
function slowState(cluster: TestCluster) {
  const state = cluster.memory.open();
  const subscribe = state.bus.subscribe.bind(state.bus);
  let delayed: (() => void)[] | undefined;
  vi.spyOn(state.bus, 'subscribe').mockImplementation((topic, subscriber) =>
    subscribe(topic, {
      gap: () => subscriber.gap(),
      message(text) {
        if (delayed === undefined) return subscriber.message(text);
        delayed.push(() => void subscriber.message(text));
      },
    }),
  );
  return {
    state,
    delay() {
      const messages: (() => void)[] = [];
      delayed = messages;
      return async () => {
        delayed = undefined;
        for (const deliver of messages) deliver();
        await settled();
      };
    },
  };
}

/** Reads a stream until the first message, and returns it with the id of its event. */
async function first(response: Response): Promise<{ message: WireMessage; id: string }> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const found = /id: (\S+)\ndata: (\{.*\})\n\n/.exec(text);
    if (found !== null) return { id: found[1] as string, message: JSON.parse(found[2] as string) };
  }
  throw new Error('The stream has no message.');
}

const schema = z.object({ city: z.string() });

function defineTrip(steps: string[]) {
  return (server: Server, name: string) =>
    void server.tool('trip', {}, async (_, ctx) => {
      const planned = await ctx.once('plan', () => {
        steps.push(`planned by ${name}`);
        return name;
      });
      const from = await ctx.elicit('from', { message: 'From?', schema });
      const to = await ctx.elicit('to', { message: 'To?', schema });
      steps.push(`finished by ${name}`);
      const city = (answer: typeof from) => (answer.action === 'accept' ? answer.content.city : 'nowhere');
      return `${planned}: ${city(from)} to ${city(to)}`;
    });
}

const accept = (id: unknown, city: string) => ({
  jsonrpc: '2.0',
  id,
  result: { action: 'accept', content: { city } },
});

/** Starts a trip, ends its process, and has the next one continue it with the first answer. */
async function continued({ peer, kill, patience }: Awaited<ReturnType<typeof processes>>) {
  const from = await first(await peer.send('tools/call', { name: 'trip' }));
  await settled();
  await kill();
  const answered = peer.post(accept(from.message.id, 'Oslo'));
  await patience();
  expect((await answered).status).toBe(202);
  const resumed = peer.get({ 'last-event-id': from.id });
  await patience();
  return { from, resumed: await resumed };
}

describe('a call that waits for input when its process ends', () => {
  it('goes on at the process that receives the answer, without repeating its steps', async () => {
    const steps: string[] = [];
    const { peer, kill, patience } = await processes(defineTrip(steps));
    const call = await peer.send('tools/call', { name: 'trip' });
    const from = await first(call);
    expect(from.message.method).toBe('elicitation/create');
    await settled();
    await kill();
    const answered = peer.post(accept(from.message.id, 'Oslo'));
    await patience();
    expect((await answered).status).toBe(202);
    const resumed = peer.get({ 'last-event-id': from.id });
    await patience();
    const stream = messagesFrom(await resumed);
    const to = (await stream.next()).value as WireMessage;
    expect(to).toMatchObject({ method: 'elicitation/create', params: { message: 'To?' } });
    expect((await peer.post(accept(to.id, 'Rome'))).status).toBe(202);
    const result = (await stream.next()).value as WireMessage;
    expect(result).toMatchObject({ id: 2, result: { content: [{ text: 'first: Oslo to Rome' }] } });
    expect((await stream.next()).done).toBe(true);
    expect(steps).toEqual(['planned by first', 'finished by second']);
  });

  it('is continued once when the answer is sent twice', async () => {
    const steps: string[] = [];
    const { peer, kill, patience } = await processes(defineTrip(steps));
    const from = await first(await peer.send('tools/call', { name: 'trip' }));
    await settled();
    await kill();
    const answers = [1, 2].map(() => peer.post(accept(from.message.id, 'Oslo')));
    await patience();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 400]);
  });

  it.each(['dies', 'drains'] as const)('goes on at a third process when the second one %s', async (end) => {
    const steps: string[] = [];
    const parts = await processes(defineTrip(steps));
    const { peer, kill, drain, patience } = parts;
    const { resumed } = await continued(parts);
    const to = await first(resumed);
    await settled();
    await (end === 'dies' ? kill() : drain());
    const again = peer.post(accept(to.message.id, 'Rome'));
    if (end === 'dies') await patience();
    expect((await again).status).toBe(202);
    const rest = peer.get({ 'last-event-id': to.id });
    await patience();
    expect((await messagesFrom(await rest).next()).value).toMatchObject({
      id: 2,
      result: { content: [{ text: 'first: Oslo to Rome' }] },
    });
    expect(steps).toEqual(['planned by first', 'finished by third']);
  });

  it('receives an error that the client answered with', async () => {
    const caught: unknown[] = [];
    const { peer, kill, patience } = await processes((server) => {
      server.tool('trip', {}, async (_, ctx) => {
        const answer = await ctx.elicit('from', { message: 'From?', schema }).catch((error: Error) => {
          caught.push(error.name);
          return 'refused';
        });
        return String(answer);
      });
    });
    const from = await first(await peer.send('tools/call', { name: 'trip' }));
    await settled();
    await kill();
    const error = { code: -1, message: 'Nobody is here.' };
    const answered = peer.post({ jsonrpc: '2.0', id: from.message.id, error });
    await patience();
    expect((await answered).status).toBe(202);
    await settled();
    expect(caught).toEqual(['RemoteError']);
  });
});

describe('a call that waits for input when its process is slow', () => {
  /** Starts a call at the first process, and has the second one continue it, without a word to the first. */
  async function taken() {
    const steps: string[] = [];
    const { cluster, peer, delay, send, patience } = await processes((server, name) => {
      server.tool('trip', {}, async (_, ctx) => {
        const answer = await ctx.elicit('from', { message: 'From?', schema }).catch((error: unknown) => {
          ctx.signal.throwIfAborted();
          return { action: String(error) };
        });
        steps.push(`finished by ${name}`);
        return `${answer.action} by ${name}`;
      });
    });
    const stream = messagesFrom(await peer.send('tools/call', { name: 'trip' }));
    const { id } = (await stream.next()).value as WireMessage;
    await settled();
    const deliver = delay();
    send('second');
    const answered = peer.post(accept(id, 'Oslo'));
    await patience();
    expect((await answered).status).toBe(202);
    await settled();
    return { cluster, peer, send, steps, stream, id, deliver };
  }

  it('is answered once, by the process that has continued it', async () => {
    const { peer, send, steps, stream, id, deliver } = await taken();
    await deliver();
    // The connection ends without an answer, and the client resumes the stream.
    expect((await stream.next()).done).toBe(true);
    const lastEventId = `${String(id).split('-')[0]}.1.2`;
    for (const process of ['first', 'second'] as const) {
      send(process);
      const resumed = await messagesOf(await peer.get({ 'last-event-id': lastEventId }));
      expect(resumed).toMatchObject([{ id: 2, result: { content: [{ text: 'accept by second' }] } }]);
    }
    expect(steps).toEqual(['finished by second']);
  });

  it('does not go on when its input request times out', async () => {
    const { cluster, steps, stream } = await taken();
    await cluster.clock.advance(defaultLimits.requestTotal);
    expect((await stream.next()).done).toBe(true);
    expect(steps).toEqual(['finished by second']);
  });
});

describe('a process that other processes take for gone', () => {
  it('does not go on with a call that another process continues', async () => {
    const steps: string[] = [];
    const parts = await processes(defineTrip(steps));
    const { peer, send } = parts;
    const { from, resumed } = await continued(parts);
    const stream = messagesFrom(resumed);
    const to = (await stream.next()).value as WireMessage;
    // The first process receives the answer as well: its handler would go on and ask again.
    send('first');
    expect((await peer.post(accept(from.message.id, 'Bergen'))).status).toBe(202);
    await settled();
    send('second');
    expect((await peer.post(accept(to.id, 'Rome'))).status).toBe(202);
    const messages: WireMessage[] = [];
    for await (const message of stream) messages.push(message);
    expect(messages).toMatchObject([{ id: 2, result: { content: [{ text: 'first: Oslo to Rome' }] } }]);
    expect(steps).toEqual(['planned by first', 'finished by second']);
  });
});

describe('a call that waits for input when its process drains', () => {
  it('is left to another process at once', async () => {
    const steps: string[] = [];
    const { peer, drain } = await processes(defineTrip(steps));
    const call = await peer.send('tools/call', { name: 'trip' });
    const from = await first(call);
    await settled();
    await drain();
    const stream = messagesFrom(await peer.get({ 'last-event-id': from.id }));
    expect((await peer.post(accept(from.message.id, 'Oslo'))).status).toBe(202);
    const to = (await stream.next()).value as WireMessage;
    expect(to).toMatchObject({ method: 'elicitation/create', params: { message: 'To?' } });
    expect((await peer.post(accept(to.id, 'Rome'))).status).toBe(202);
    expect((await stream.next()).value).toMatchObject({
      id: 2,
      result: { content: [{ text: 'first: Oslo to Rome' }] },
    });
    expect(steps).toEqual(['planned by first', 'finished by second']);
  });

  it('is left when it begins to wait while its process drains', async () => {
    let start = () => {};
    const begun = new Promise<void>((resolve) => (start = resolve));
    const { peer, drain } = await processes((server) => {
      server.tool('trip', {}, async (_, ctx) => {
        await ctx.progress(1);
        await ctx.once('begin', () => begun);
        const answer = await ctx.elicit('from', { message: 'From?', schema });
        return answer.action;
      });
    });
    const call = await peer.send('tools/call', { name: 'trip', _meta: { progressToken: 1 } });
    const progress = await first(call);
    const drained = drain();
    const stream = messagesFrom(await peer.get({ 'last-event-id': progress.id }));
    start();
    const from = (await stream.next()).value as WireMessage;
    expect(from).toMatchObject({ method: 'elicitation/create' });
    await drained;
    expect((await peer.post(accept(from.id, 'Oslo'))).status).toBe(202);
    // The handler reports its progress again when it runs again.
    expect((await stream.next()).value).toMatchObject({ method: 'notifications/progress' });
    expect((await stream.next()).value).toMatchObject({ id: 2, result: { content: [{ text: 'accept' }] } });
  });
});

describe('an answer that arrives at another process', () => {
  it('reaches the call, which goes on where it runs', async () => {
    const steps: string[] = [];
    const { peer, send } = await processes(defineTrip(steps));
    const stream = messagesFrom(await peer.send('tools/call', { name: 'trip' }));
    for (const city of ['Oslo', 'Rome']) {
      const { value } = await stream.next();
      send('second');
      expect((await peer.post(accept((value as WireMessage).id, city))).status).toBe(202);
    }
    expect((await stream.next()).value).toMatchObject({
      result: { content: [{ text: 'first: Oslo to Rome' }] },
    });
    expect(steps).toEqual(['planned by first', 'finished by first']);
  });
});

describe('a call that runs when its process ends', () => {
  /** Starts a call that reports progress and does not end. */
  async function running(annotations: object) {
    const runs: string[] = [];
    const parts = await processes((server, name) => {
      server.tool('work', { annotations }, async (_, ctx) => {
        runs.push(name);
        await ctx.progress(1);
        if (name === 'first') await new Promise(() => {});
        return `done by ${name}`;
      });
    });
    const call = await parts.peer.send('tools/call', { name: 'work', _meta: { progressToken: 1 } });
    const progress = await first(call);
    await settled();
    await parts.kill();
    const resumed = parts.peer.get({ 'last-event-id': progress.id });
    await parts.patience();
    return { runs, stream: messagesFrom(await resumed) };
  }

  it('is answered with an error', async () => {
    const { runs, stream } = await running({});
    expect((await stream.next()).value).toMatchObject({
      id: 2,
      error: { code: -32603, message: expect.stringContaining('has ended') },
    });
    expect(runs).toEqual(['first']);
  });

  it.each([{ readOnlyHint: true }, { idempotentHint: true }])(
    'runs again if its tool has %j',
    async (annotations) => {
      const { runs, stream } = await running(annotations);
      const messages: WireMessage[] = [];
      for await (const message of stream) messages.push(message);
      expect(messages.at(-1)).toMatchObject({ id: 2, result: { content: [{ text: 'done by second' }] } });
      expect(runs).toEqual(['first', 'second']);
    },
  );
});
