import { defaultLimits } from '@tenon/mcp-session';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { messagesFrom, messagesOf } from '../../test/http-peer.js';
import { accept, first, openProcesses, schema } from '../../test/open-processes.js';
import type { WireMessage } from '../../test/wire-peer.js';
import { defineExtension } from '../extensions/define-extension.js';
import type { Server } from '../server.js';

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

/** Starts a trip, ends its process, and has the next one continue it with the first answer. */
async function continued({ peer, kill, patience }: Awaited<ReturnType<typeof openProcesses>>) {
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
    const { peer, kill, patience } = await openProcesses(defineTrip(steps));
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

  it('has the answers that an extension settled', async () => {
    const settledKeys: unknown[] = [];
    const extension = defineExtension({
      id: 'com.example/answers',
      clientDeclares: false,
      interceptInput({ params }, next) {
        if (params.message !== 'From?') return next();
        settledKeys.push(params.message);
        return { action: 'accept', content: { city: 'Oslo' } };
      },
    });
    const steps: string[] = [];
    const { peer, kill, patience } = await openProcesses(defineTrip(steps), { extensions: [extension] });
    const to = await first(await peer.send('tools/call', { name: 'trip' }));
    expect(to.message.params?.message).toBe('To?');
    await settled();
    await kill();
    const answered = peer.post(accept(to.message.id, 'Rome'));
    await patience();
    expect((await answered).status).toBe(202);
    const resumed = peer.get({ 'last-event-id': to.id });
    await patience();
    expect((await messagesFrom(await resumed).next()).value).toMatchObject({
      id: 2,
      result: { content: [{ text: 'first: Oslo to Rome' }] },
    });
    expect(settledKeys).toEqual(['From?']);
  });

  it('is continued once when the answer is sent twice', async () => {
    const steps: string[] = [];
    const { peer, kill, patience } = await openProcesses(defineTrip(steps));
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
    const parts = await openProcesses(defineTrip(steps));
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
    const { peer, kill, patience } = await openProcesses((server) => {
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
    const { processes, peer, delay, send, patience } = await openProcesses((server, name) => {
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
    return { processes, peer, send, steps, stream, id, deliver };
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
    const { processes, steps, stream } = await taken();
    await processes.clock.advance(defaultLimits.requestTotal);
    expect((await stream.next()).done).toBe(true);
    expect(steps).toEqual(['finished by second']);
  });
});

describe('a process that other processes take for gone', () => {
  it('does not go on with a call that another process continues', async () => {
    const steps: string[] = [];
    const parts = await openProcesses(defineTrip(steps));
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
    const { peer, drain } = await openProcesses(defineTrip(steps));
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
    const { peer, drain } = await openProcesses((server) => {
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
    const { peer, send } = await openProcesses(defineTrip(steps));
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
    const parts = await openProcesses((server, name) => {
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

  it('runs again with the answers that it had, if its tool may run again', async () => {
    const runs: string[] = [];
    const { peer, kill, patience } = await openProcesses((server, name) => {
      server.tool('trip', { annotations: { idempotentHint: true } }, async (_, ctx) => {
        const planned = await ctx.once('plan', () => name);
        const answer = await ctx.elicit('from', { message: 'From?', schema });
        runs.push(name);
        if (name === 'first') await new Promise(() => {});
        return `${planned}: ${answer.action}`;
      });
    });
    const from = await first(await peer.send('tools/call', { name: 'trip' }));
    await settled();
    expect((await peer.post(accept(from.message.id, 'Oslo'))).status).toBe(202);
    await settled();
    await kill();
    const resumed = peer.get({ 'last-event-id': from.id });
    await patience();
    expect(await messagesOf(await resumed)).toMatchObject([
      { id: 2, result: { content: [{ text: 'first: accept' }] } },
    ]);
    expect(runs).toEqual(['first', 'second']);
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

it('is answered with an error when the state has lost its session', async () => {
  const { processes, peer } = await openProcesses((server) => {
    server.tool('wait', {}, async (_, ctx) => {
      await ctx.progress(1);
      await new Promise(() => {});
      return 'never';
    });
  });
  const _meta = { progressToken: 1 };
  const stream = messagesFrom(await peer.send('tools/call', { name: 'wait', _meta }));
  await stream.next();
  await processes.state.kv.delete(`session/${peer.headers['mcp-session-id']}/record`);
  processes.memory.interrupt();
  processes.memory.restore();
  expect((await stream.next()).value).toMatchObject({
    id: 2,
    error: { code: -32603, message: expect.stringContaining('The session has ended') },
  });
  expect((await stream.next()).done).toBe(true);
  expect((await peer.send('tools/list')).status).toBe(404);
});
