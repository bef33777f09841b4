import { once } from 'node:events';
import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import { killChildren, SpawnedPeer } from './spawned.js';
import { batching, oneOfEachKind, type Speech, textOf } from './speech.js';
import { StreamedPeer } from './streamed.js';

let cases = 0;
afterEach(killChildren);

function each(
  name: string,
  revisions: readonly Revision[],
  body: (revision: Revision) => Promise<void>,
): void {
  cases += revisions.length;
  it.each(revisions.map((one) => [one.id, one] as const))(
    `${name} (%s)`,
    { timeout: 20_000 },
    (_id, revision) => body(revision),
  );
}

/** Messages without a response, sent a hundred thousand times. */
const quiet: readonly (readonly [string, (speech: Speech, n: number) => string])[] = [
  ['unknown notifications', (speech, n) => speech.notice(`notifications/${n}`)],
  ['cancellations of nothing', (speech, n) => speech.notice('notifications/cancelled', { requestId: n })],
  [
    'unrequested progress',
    (speech, n) => speech.notice('notifications/progress', { progressToken: n, progress: n }),
  ],
  ['handshakes that are over', (speech) => speech.notice('notifications/initialized')],
  ['changes of roots', (speech) => speech.notice('notifications/roots/list_changed')],
  ['unrequested answers', (_, n) => `{"jsonrpc":"2.0","id":${n},"result":{}}`],
  ['unrequested errors', (_, n) => `{"jsonrpc":"2.0","id":"${n}","error":{"code":${-n},"message":"${n}"}}`],
];

describe('a hundred thousand', () => {
  for (const [name, say] of quiet) {
    each(`${name}: none is answered, and nothing of them stays`, oneOfEachKind, async (revision) => {
      const peer = await new SpawnedPeer(revision).open();
      await peer.isServed();
      const before = await peer.weigh();
      for (let from = 0; from < 100_000; from += 10_000) {
        const lines = Array.from({ length: 10_000 }, (_, n) => say(peer.speech, from + n));
        await peer.pour(`${lines.join('\n')}\n`);
      }
      await peer.isServed();
      expect(peer.frames).toEqual([]);
      expect((await peer.weigh()) - before).toBeLessThan(4 * 2 ** 20);
      expect(await peer.close()).toEqual([0, null]);
    });
  }

  each(
    'lines of garbage: each is answered once, and nothing of them stays',
    oneOfEachKind,
    async (revision) => {
      const peer = await new SpawnedPeer(revision).open();
      await peer.isServed();
      const before = await peer.weigh();
      await peer.pour('?\n'.repeat(100_000));
      await peer.count(100_000);
      peer.frames.length = 0;
      expect((await peer.weigh()) - before).toBeLessThan(4 * 2 ** 20);
      expect(await peer.close()).toEqual([0, null]);
    },
  );
});

describe('ten thousand waiting calls', () => {
  each('are bounded: the rest is refused at once, and all are answered', oneOfEachKind, async (revision) => {
    const peer = await new SpawnedPeer(revision).open();
    await peer.isServed();
    const before = await peer.weigh();
    const lines = Array.from({ length: 10_000 }, (_, id) => peer.speech.call(id, 'hold'));
    await peer.pour(`${lines.join('\n')}\n`);
    const refused = (await peer.count(10_000 - 1_024)).slice();
    expect(new Set(refused.map(({ error }) => error?.code))).toEqual(new Set([-31001]));
    expect(refused.map(({ id }) => id)).toEqual(Array.from({ length: 8_976 }, (_, n) => 1_024 + n));
    peer.frames.length = 0;
    // A cancelled handler frees a slot for a call that releases the others.
    peer.write(peer.speech.notice('notifications/cancelled', { requestId: 5 }));
    let count: string | undefined;
    while (count === undefined) count = await peer.call('let-go');
    expect(count).toBe('1024');
    const answered = await peer.count(1_023);
    expect(new Set(answered.map(textOf))).toEqual(new Set(['let go']));
    expect(new Set(answered.map(({ id }) => id)).size).toBe(1_023);
    peer.frames.length = 0;
    expect((await peer.weigh()) - before).toBeLessThan(6 * 2 ** 20);
    expect(await peer.close()).toEqual([0, null]);
  });

  each('of one peer leave room for another', oneOfEachKind, async (revision) => {
    const server = createSubject();
    const peer = await (await StreamedPeer.connect(server, revision)).open();
    const neighbour = await (await StreamedPeer.connect(server, revision)).open();
    const lines = Array.from({ length: 10_000 }, (_, id) => peer.speech.call(id, 'hold'));
    await peer.pour(`${lines.join('\n')}\n`);
    await peer.count(10_000 - 1_024);
    expect(await neighbour.call('let-go')).toBe('1024');
    await peer.count(10_000);
    await Promise.all([peer.close(), neighbour.close()]);
  });

  each('that are cancelled at once give their room back', oneOfEachKind, async (revision) => {
    const peer = await (await StreamedPeer.connect(createSubject({ rates: false }), revision)).open();
    for (let id = 0; id < 10_000; id++) {
      const lines = [
        peer.speech.call(id, 'hold'),
        peer.speech.notice('notifications/cancelled', { requestId: id }),
      ];
      await peer.pour(`${lines.join('\n')}\n`);
      // Handlers are notified in a turn of their own.
      if (id % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
    }
    await peer.isServed();
    expect(peer.frames).toEqual([]);
    await peer.close();
  });

  each('in batches of a hundred are bounded in the same way', batching, async (revision) => {
    const peer = await (await StreamedPeer.connect(createSubject(), revision)).open();
    const neighbour = await StreamedPeer.connect(createSubject(), revision);
    for (let batch = 0; batch < 100; batch++) {
      const calls = Array.from({ length: 100 }, (_, n) => peer.speech.call(batch * 100 + n, 'hold'));
      await peer.pour(`[${calls.join()}]\n`);
    }
    // Batches 0 to 10 contain a call that waits; later ones are rejected completely.
    await peer.count(100 - 11);
    const codes = peer.frames.flatMap((frame) =>
      (frame as readonly { error?: { code: number } }[]).map(({ error }) => error?.code),
    );
    expect(new Set(codes)).toEqual(new Set([-31001]));
    expect(codes).toHaveLength(8_900);
    await Promise.all([peer.close(), neighbour.close()]);
  });
});

describe('calls beyond the rate', () => {
  each('are refused with the wait, and others are served', oneOfEachKind, async (revision) => {
    const rates = { calls: { perSecond: 0.001, burst: 100 } };
    const server = createSubject({ rates });
    const peer = await (await StreamedPeer.connect(server, revision)).open();
    const neighbour = await (await StreamedPeer.connect(server, revision)).open();
    const lines = Array.from({ length: 10_000 }, (_, id) => peer.speech.call(id, 'nothing'));
    await peer.pour(`${lines.join('\n')}\n`);
    const frames = await peer.count(10_000);
    expect(frames.filter(({ result }) => result !== undefined)).toHaveLength(100);
    expect(frames.at(-1)).toMatchObject({
      error: { code: -31004, data: { retryAfterMs: expect.any(Number) } },
    });
    await neighbour.isServed();
    await Promise.all([peer.close(), neighbour.close()]);
  });
});

describe('a reader that stops', () => {
  const text = 'x'.repeat(10_000);

  each(
    'is not read from either, and gets everything once it reads again',
    oneOfEachKind,
    async (revision) => {
      const server = createSubject();
      const peer = await (await StreamedPeer.connect(server, revision)).open();
      const neighbour = await (await StreamedPeer.connect(server, revision)).open();
      peer.output.pause();
      for (let id = 0; id < 2_000; id++) peer.write(peer.speech.call(id, 'echo', { text }));
      for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
      // 20 MB were sent; most of it is still in the sender's buffer.
      expect(peer.input.writableLength).toBeGreaterThan(15_000_000);
      await neighbour.isServed();
      peer.output.resume();
      await peer.count(2_000);
      expect(peer.frames.map(({ id }) => id)).toEqual(Array.from({ length: 2_000 }, (_, id) => id));
      await Promise.all([peer.close(), neighbour.close()]);
    },
  );

  each('and then ends its input does not keep the process', oneOfEachKind, async (revision) => {
    const peer = await new SpawnedPeer(revision).open();
    peer.output.pause();
    for (let id = 0; id < 100; id++) peer.write(peer.speech.call(id, 'long', { length: 1_000_000 }));
    peer.input.end();
    expect(await peer.exited).toEqual([0, null]);
    peer.output.destroy();
  });

  each('and goes away ends the process', oneOfEachKind, async (revision) => {
    const peer = await new SpawnedPeer(revision).open();
    peer.output.pause();
    for (let id = 0; id < 100; id++) peer.write(peer.speech.call(id, 'long', { length: 1_000_000 }));
    await once(peer.output, 'readable');
    peer.output.destroy();
    expect(await peer.exited).toEqual([0, null]);
    expect(peer.complaints).toBe('');
  });
});

counted('floods, and readers that stop', () => cases);
