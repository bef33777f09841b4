import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { HttpPeer, messagesOf } from '../../test/http-peer.js';
import { everyRevision } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer } from '../server.js';

const overHttp = everyRevision.filter((one) => one.lifecycle === 'stateless' || one.rules.resumable);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe.each(overHttp)('in $id', (revision) => {
  test.each([
    ['with sessions', {}],
    ['without sessions', { sessions: false as const }],
  ])('a handler that takes too long has its POST answered %s', async (_, options) => {
    const clock = new FakeClock();
    let begun = (_: AbortSignal) => {};
    const begin = new Promise<AbortSignal>((resolve) => {
      begun = resolve;
    });
    const server = createServer({ name: 'test', version: '1' }, { clock, onError: () => undefined }).tool(
      'slow',
      { timeout: 2_000 },
      (_, ctx) => {
        begun(ctx.signal);
        return new Promise<never>(() => undefined);
      },
    );
    const serving = await serveHttp(server, options);
    onTestFinished(() => serving.close());
    const peer = await HttpPeer.open(serving.url, { revision });
    const answer = peer.send('tools/call', { name: 'slow' });
    const signal = await begin;
    await settled();
    for (let passed = 0; passed < 2_200; passed += 100) await clock.advance(100);
    const response = await answer;
    expect(response.status).toBe(200);
    expect((await messagesOf(response))[0]?.result).toMatchObject({
      content: [{ type: 'text', text: 'Tool slow was stopped: it took longer than 2 s.' }],
      isError: true,
    });
    expect(signal.aborted).toBe(true);
  });
});

describe.each(everyRevision.filter(({ lifecycle }) => lifecycle === 'stateless'))('in $id', (revision) => {
  test('a handler that works on after it was stopped counts until it ends', async () => {
    const clock = new FakeClock();
    const ends: (() => void)[] = [];
    let begun = () => {};
    const server = createServer({ name: 'test', version: '1' }, { clock, onError: () => undefined })
      .tool('stubborn', { timeout: 2_000 }, () => {
        begun();
        return new Promise<string>((resolve) => ends.push(() => resolve('too late')));
      })
      .tool('other', {}, async () => 'fine');
    const serving = await serveHttp(server, { limits: { exchangesPerPrincipal: 2 } });
    onTestFinished(() => serving.close());
    const peer = await HttpPeer.open(serving.url, { revision });
    for (const _ of [1, 2]) {
      const begin = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const answer = peer.request('tools/call', { name: 'stubborn' });
      await begin;
      await settled();
      for (let passed = 0; passed < 2_200; passed += 100) await clock.advance(100);
      expect((await answer).result?.isError).toBe(true);
    }
    const refused = await peer.send('tools/call', { name: 'other' });
    expect(refused.status).toBe(503);
    expect((await messagesOf(refused))[0]?.error).toMatchObject({
      code: -31_001,
      message: '2 requests of yours are still worked on, those that were stopped included. Try again later.',
    });
    ends[0]?.();
    await settled();
    expect((await peer.request('tools/call', { name: 'other' })).result?.content).toMatchObject([
      { text: 'fine' },
    ]);
  });
});
