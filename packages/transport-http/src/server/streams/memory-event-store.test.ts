import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from './memory-event-store.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const key = (session: string, stream = 1) => ({ session, stream });

function fill(store: MemoryEventStore, session: string, frames: readonly string[]): void {
  frames.forEach((frame, index) => {
    store.append(key(session), { sequence: index + 1, frame });
  });
}

const rest = (store: MemoryEventStore, session: string, sequence: number) =>
  store.after(key(session), sequence)?.map((event) => event.frame);

describe('stored events', () => {
  it('are returned after any position, oldest first', () => {
    const store = new MemoryEventStore();
    fill(store, 's', ['a', 'b', 'c']);
    expect([0, 1, 2, 3, 4].map((sequence) => rest(store, 's', sequence))).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
      ['c'],
      [],
      [],
    ]);
  });

  it('are separate for each session and stream', () => {
    const store = new MemoryEventStore();
    store.append(key('s', 1), { sequence: 1, frame: 'a' });
    store.append(key('s', 2), { sequence: 1, frame: 'b' });
    store.append(key('t', 1), { sequence: 1, frame: 'c' });
    expect(rest(store, 's', 0)).toEqual(['a']);
    expect(store.after(key('s', 2), 0)?.map(({ frame }) => frame)).toEqual(['b']);
    expect(store.after(key('s', 3), 0)).toBeUndefined();
    expect(store.after(key('__proto__'), 0)).toBeUndefined();
  });

  it('are deleted with their session', () => {
    const store = new MemoryEventStore({ characters: 10 });
    fill(store, 's', ['aaaaa', 'bbbbb']);
    store.forget('s');
    store.forget('s');
    fill(store, 't', ['ccccc', 'ddddd']);
    expect(rest(store, 's', 0)).toBeUndefined();
    expect(rest(store, 't', 0)).toEqual(['ccccc', 'ddddd']);
  });
});

describe('limits', () => {
  it('of events of one session drop the oldest, and the rest is not returned as complete', () => {
    const store = new MemoryEventStore({ perSession: 3 });
    fill(store, 's', ['a', 'b', 'c', 'd', 'e']);
    expect(rest(store, 's', 0)).toBeUndefined();
    expect(rest(store, 's', 1)).toBeUndefined();
    expect(rest(store, 's', 2)).toEqual(['c', 'd', 'e']);
  });

  it('of characters drop events of the session that has had its size longest, among similar sizes', () => {
    const store = new MemoryEventStore({ characters: 10 });
    fill(store, 'old', ['aaa', 'bbb']);
    fill(store, 'new', ['cccc']);
    store.append(key('new'), { sequence: 2, frame: 'd' });
    expect(rest(store, 'old', 1)).toEqual(['bbb']);
    expect(rest(store, 'old', 0)).toBeUndefined();
    expect(rest(store, 'new', 0)).toEqual(['cccc', 'd']);
  });

  it('of characters drop no events of other sessions when one sends much', () => {
    const store = new MemoryEventStore({ characters: 10_000 });
    for (let index = 0; index < 50; index++) fill(store, `quiet ${index}`, ['a'.repeat(50), 'b'.repeat(50)]);
    for (let sequence = 1; sequence <= 500; sequence++) {
      store.append(key('noisy'), { sequence, frame: 'x'.repeat(100) });
    }
    for (let index = 0; index < 50; index++) expect(rest(store, `quiet ${index}`, 0)).toHaveLength(2);
    expect(rest(store, 'noisy', 450)).toHaveLength(50);
    expect(rest(store, 'noisy', 449)).toBeUndefined();
  });

  it('free the characters of ended sessions', () => {
    const store = new MemoryEventStore({ characters: 1_000, perSession: 5 });
    const sessions = Array.from({ length: 31 }, (_, index) => `${index}`);
    for (let round = 0; round < 2_000; round++) {
      const session = sessions[(round * 7) % 31] as string;
      store.append(key(session), { sequence: round, frame: 'x'.repeat((round * 13) % 97) });
      if (round % 11 === 0) store.forget(`${round % 31}`);
    }
    for (const session of sessions) store.forget(session);
    fill(
      store,
      's',
      Array.from({ length: 5 }, () => 'y'.repeat(200)),
    );
    expect(rest(store, 's', 0)).toHaveLength(5);
  });

  it('hold for one event that is larger than all of them', () => {
    const store = new MemoryEventStore({ characters: 10 });
    fill(store, 's', ['a', 'b'.repeat(11)]);
    expect(rest(store, 's', 0)).toBeUndefined();
    fill(store, 't', ['c']);
    expect(rest(store, 't', 0)).toEqual(['c']);
  });

  it('hold over very many events', () => {
    const store = new MemoryEventStore({ perSession: 100 });
    for (let sequence = 1; sequence <= 10_000; sequence++) {
      store.append(key('s'), { sequence, frame: `${sequence}` });
    }
    expect(rest(store, 's', 9_900)).toHaveLength(100);
    expect(rest(store, 's', 9_899)).toBeUndefined();
  });
});

it('releases dropped events from memory', () => {
  const size = 1_000_000;
  const store = new MemoryEventStore({ characters: 2 * size });
  const held = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  for (let sequence = 1; sequence <= 60; sequence++)
    store.append(key('s'), { sequence, frame: Buffer.alloc(size, sequence).toString('latin1') });
  expect((held() - before) / size).toBeLessThan(12);
  expect(rest(store, 's', 58)).toHaveLength(2);
});
