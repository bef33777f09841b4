import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { everyRevision, handshakeRevisions, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

/** Waits until settled promises have run their callbacks. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const never = () => new Promise<never>(() => undefined);

function make(limits: { handlerTime?: number; resultSize?: number } = { handlerTime: 2_000 }) {
  const clock = new FakeClock();
  const reported: string[] = [];
  const signals: AbortSignal[] = [];
  const onError = (error: unknown, where: string) => reported.push(`${where}: ${(error as Error).message}`);
  const server = createServer({ name: 'test', version: '1' }, { limits, clock, onError })
    .tool('slow', {}, (_, ctx) => {
      signals.push(ctx.signal);
      return never();
    })
    .tool('short', { timeout: 500 }, never)
    .tool('long', { timeout: 10_000 }, never)
    .tool('large', {}, () => 'x'.repeat(5_000))
    .tool('structured', { output: z.object({ list: z.array(z.number()) }) }, () => ({
      list: Array.from({ length: 2_000 }, (_, index) => index),
    }))
    .tool('ask', {}, async (_, ctx) => {
      await ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
      return 'thanks';
    })
    .resource('note://slow', { name: 'slow' }, never)
    .resource('note://large', { name: 'large' }, () => 'x'.repeat(5_000))
    .prompt('slow', {}, never) as unknown as Server;
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      await settled();
      await clock.advance(50);
    }
    await settled();
  };
  return { server, clock, reported, signals, pass };
}

const stopped = (name: string, seconds: number) => ({
  content: [{ type: 'text', text: `Tool ${name} was stopped: it took longer than ${seconds} s.` }],
  isError: true,
});

describe.each(everyRevision)('in $id', (revision) => {
  test('aborts the signal of a slow tool and reports the timeout to the model', async () => {
    const { server, reported, signals, pass } = make();
    const peer = await WirePeer.open(server, revision);
    const answer = peer.request('tools/call', { name: 'slow' });
    await pass(1_900);
    expect(signals[0]?.aborted).toBe(false);
    await pass(300);
    expect((await answer).result).toMatchObject(stopped('slow', 2));
    expect(signals[0]?.reason).toMatchObject({
      reason: 'timeout',
      message: 'Tool slow was stopped: it took longer than 2 s.',
    });
    expect(reported).toEqual(['tools/call: Tool slow was stopped: it took longer than 2 s.']);
  });

  test('a tool may set a shorter or longer timeout', async () => {
    const { server, pass } = make();
    const peer = await WirePeer.open(server, revision);
    const [short, long] = ['short', 'long'].map((name) => peer.request('tools/call', { name }));
    await pass(550);
    expect((await short)?.result).toMatchObject(stopped('short', 0.5));
    await pass(9_000);
    expect(peer.received.some(({ id }) => id === 3)).toBe(false);
    await pass(1_000);
    expect((await long)?.result).toMatchObject(stopped('long', 10));
  });

  test.each([
    ['resources/read', { uri: 'note://slow' }],
    ['prompts/get', { name: 'slow' }],
  ])('answers a slow %s with an error', async (method, params) => {
    const { server, pass } = make();
    const peer = await WirePeer.open(server, revision);
    const answer = peer.request(method, params);
    await pass(2_200);
    const message = `${method} was stopped: it took longer than 2 s.`;
    expect((await answer).error).toEqual({ code: -32603, message });
  });

  test.each(['large', 'structured'])(
    'replaces a result that is too large, of %s, with an error for the model',
    async (name) => {
      const { server, reported } = make({ resultSize: 4_000 });
      const peer = await WirePeer.open(server, revision);
      const { result } = await peer.request('tools/call', { name });
      expect(result?.isError).toBe(true);
      expect(result?.structuredContent).toBeUndefined();
      const text = result?.content?.[0]?.text as unknown as string;
      expect(text).toMatch(
        /gave a result of \d{4,5} characters, and at most 4000 can be sent: ask for less of it\.$/,
      );
      expect(reported).toEqual([`tools/call: ${text}`]);
    },
  );

  test('another result too large is an error', async () => {
    const peer = await WirePeer.open(make({ resultSize: 4_000 }).server, revision);
    const { error } = await peer.request('resources/read', { uri: 'note://large' });
    expect(error?.code).toBe(-32603);
    expect(error?.message).toContain('resources/read gave a result of 5');
  });
});

test.each(handshakeRevisions.filter((one) => one.rules.inputFeatures.elicit))(
  'the time people take to answer does not count in $id',
  async (revision) => {
    const { server, pass } = make();
    const peer = await WirePeer.open(server, revision, { elicitation: {} });
    const answer = peer.request('tools/call', { name: 'ask' });
    const question = await peer.heard('elicitation/create');
    await pass(60_000);
    peer.answer(question.id, { action: 'accept', content: { name: 'Ann' } });
    expect((await answer).result?.content?.[0]?.text).toBe('thanks');
  },
);

test('a listen stream is not stopped', async () => {
  const { server, pass } = make();
  const peer = await WirePeer.open(server, latestStateless);
  const id = peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.heard('notifications/subscriptions/acknowledged');
  await pass(10_000);
  expect(peer.received.some((one) => one.id === id)).toBe(false);
});

test.each([0, -1, Number.NaN, '5'])('rejects %j as the timeout of a tool', (timeout) => {
  const server = createServer({ name: 'test', version: '1' });
  expect(() => server.tool('x', { timeout: timeout as number }, () => '')).toThrow(
    `Tool "x": timeout must be a positive number of milliseconds, not ${timeout}.`,
  );
});
