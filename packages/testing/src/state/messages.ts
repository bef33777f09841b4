import type { State } from '@tenon/mcp-state';
import { stateLimits } from '@tenon/mcp-state';
import { expect, vi } from 'vitest';
import { failureOf, type StateTest, until } from './backend.js';

/** Subscribes, and collects what arrives. A gap is `GAP`. */
async function collector(state: State, topic: string) {
  const received: string[] = [];
  const end = await state.bus.subscribe(topic, {
    message: (text) => {
      received.push(text);
    },
    gap: () => {
      received.push('GAP');
    },
  });
  return { received, end };
}

export const messageTests: readonly StateTest[] = [
  [
    'delivers messages to all processes in the order of their publication',
    async ({ one, other, name }) => {
      const first = await collector(one, name('topic'));
      const second = await collector(other, name('topic'));
      for (let index = 0; index < 100; index++) await one.bus.publish(name('topic'), `${index}`);
      await until(() => first.received.length >= 100 && second.received.length >= 100, 'all messages');
      const expected = Array.from({ length: 100 }, (_, index) => `${index}`);
      expect(first.received).toEqual(expected);
      expect(second.received).toEqual(expected);
      await Promise.all([first.end(), second.end()]);
    },
  ],
  [
    'delivers nothing of other topics, nothing from before, and nothing after the end',
    async ({ one, other, name }) => {
      await other.bus.publish(name('a'), 'before');
      const a = await collector(one, name('a'));
      const b = await collector(one, name('a/b'));
      await other.bus.publish(name('a'), 'in a');
      await other.bus.publish(name('a/b'), 'in b');
      await until(() => a.received.length > 0 && b.received.length > 0, 'both messages');
      await a.end();
      await other.bus.publish(name('a'), 'after');
      await other.bus.publish(name('a/b'), 'last');
      await until(() => b.received.length > 1, 'the last message');
      expect([a.received, b.received]).toEqual([['in a'], ['in b', 'last']]);
      await b.end();
    },
  ],
  [
    'delivers to each of several subscribers of one process, also after one of them ended',
    async ({ one, other, name }) => {
      const first = await collector(one, name('twice'));
      const second = await collector(one, name('twice'));
      await first.end();
      await other.bus.publish(name('twice'), 'a');
      await until(() => second.received.length > 0, 'the message');
      expect([first.received, second.received]).toEqual([[], ['a']]);
      await second.end();
    },
  ],
  [
    'keeps texts and 1 MB messages as they are',
    async ({ one, other, name }) => {
      const { received, end } = await collector(other, name('texts'));
      const texts = ['', '\u0000', '漢 🙂 "\\', "it's", 'x'.repeat(1_000_000)];
      for (const text of texts) await one.bus.publish(name('texts'), text);
      await until(() => received.length >= texts.length, 'all texts');
      expect(received).toEqual(texts);
      expect(await failureOf(one.bus.publish(name('texts'), 'x'.repeat(stateLimits.valueBytes + 1)))).toBe(
        'too-large',
      );
      await end();
    },
  ],
  [
    'calls a slow subscriber for one message at a time',
    async ({ one, other, name }) => {
      let running = 0;
      let most = 0;
      let done = 0;
      const end = await other.bus.subscribe(name('slow'), {
        message: async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          done += 1;
        },
        gap: () => {},
      });
      await Promise.all(Array.from({ length: 20 }, () => one.bus.publish(name('slow'), 'x')));
      await until(() => done === 20, 'all messages');
      expect(most).toBe(1);
      await end();
    },
  ],
  [
    'drops messages of a subscriber that is too slow and reports a gap, while others receive all',
    async ({ one, other, name }) => {
      let release = () => {};
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      const received: string[] = [];
      const endSlow = await other.bus.subscribe(name('stuck'), {
        message: (text) => {
          received.push(text);
          return blocked;
        },
        gap: () => {
          received.push('GAP');
        },
      });
      const quick = await collector(other, name('stuck'));
      const count = stateLimits.queuedMessages + 10;
      for (let index = 0; index < count; index++) await one.bus.publish(name('stuck'), `${index}`);
      await until(() => quick.received.length === count, 'all messages at the quick subscriber');
      release();
      await until(() => received.includes('GAP'), 'the gap');
      await one.bus.publish(name('stuck'), 'later');
      await until(() => received.includes('later'), 'a message after the gap');
      expect(received.slice(0, 2)).toEqual(['0', 'GAP']);
      await Promise.all([endSlow(), quick.end()]);
    },
  ],
  [
    'goes on after a subscriber that throws',
    async ({ one, other, name }) => {
      const received: string[] = [];
      const end = await other.bus.subscribe(name('throws'), {
        message: (text) => {
          received.push(text);
          throw new Error('of the subscriber');
        },
        gap: () => {},
      });
      await one.bus.publish(name('throws'), 'a');
      await one.bus.publish(name('throws'), 'b');
      await until(() => received.length === 2, 'both messages');
      await end();
    },
  ],
];

export const reconnectTests: readonly StateTest[] = [
  [
    'subscribes again after a lost connection, and reports a gap',
    async ({ backend, one, other, name }) => {
      const { received, end } = await collector(other, name('lost'));
      await backend.interrupt?.();
      await until(() => received.includes('GAP'), 'the gap');
      await until(() => one.status === 'ready' && other.status === 'ready', 'new connections');
      await one.bus.publish(name('lost'), 'after');
      await until(() => received.includes('after'), 'a message after the gap');
      await end();
    },
  ],
  [
    'answers again after a lost connection, and tells listeners of its status',
    async ({ backend, one, name }) => {
      await one.kv.put(name('kept'), 'a');
      const seen: string[] = [];
      const remove = one.onStatus((status) => {
        seen.push(status);
      });
      await backend.interrupt?.();
      await until(() => seen.includes('ready'), 'the status ready');
      expect(seen[0]).toBe('unavailable');
      // One of several connections may be lost a moment later.
      await vi.waitFor(async () => expect((await one.kv.get(name('kept')))?.value).toBe('a'), 10_000);
      remove();
    },
  ],
];
