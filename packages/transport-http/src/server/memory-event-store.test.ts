import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from './memory-event-store.js';

const key = (session: string, stream = 1) => ({ session, stream });

function fill(store: MemoryEventStore, session: string, frames: readonly string[]): void {
  frames.forEach((frame, index) => {
    store.append(key(session), { sequence: index + 1, frame });
  });
}

const rest = (store: MemoryEventStore, session: string, sequence: number) =>
  store.after(key(session), sequence)?.map((event) => event.frame);

describe('what is kept', () => {
  it('is given from any place, oldest first', () => {
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

  it('is told apart by session and stream', () => {
    const store = new MemoryEventStore();
    store.append(key('s', 1), { sequence: 1, frame: 'a' });
    store.append(key('s', 2), { sequence: 1, frame: 'b' });
    store.append(key('t', 1), { sequence: 1, frame: 'c' });
    expect(rest(store, 's', 0)).toEqual(['a']);
    expect(store.after(key('s', 2), 0)?.map(({ frame }) => frame)).toEqual(['b']);
    expect(store.after(key('s', 3), 0)).toBeUndefined();
    expect(store.after(key('__proto__'), 0)).toBeUndefined();
  });

  it('is forgotten with its session', () => {
    const store = new MemoryEventStore({ characters: 10 });
    fill(store, 's', ['aaaaa', 'bbbbb']);
    store.forget('s');
    store.forget('s');
    fill(store, 't', ['ccccc', 'ddddd']);
    expect(rest(store, 's', 0)).toBeUndefined();
    expect(rest(store, 't', 0)).toEqual(['ccccc', 'ddddd']);
  });
});

describe('bounds', () => {
  it('of events of one session: the oldest go, and nobody takes the rest for all', () => {
    const store = new MemoryEventStore({ perSession: 3 });
    fill(store, 's', ['a', 'b', 'c', 'd', 'e']);
    expect(rest(store, 's', 0)).toBeUndefined();
    expect(rest(store, 's', 1)).toBeUndefined();
    expect(rest(store, 's', 2)).toEqual(['c', 'd', 'e']);
  });

  it('of characters: the session that sent nothing for longest loses first', () => {
    const store = new MemoryEventStore({ characters: 10 });
    fill(store, 'old', ['aaa', 'bbb']);
    fill(store, 'new', ['cccc']);
    store.append(key('new'), { sequence: 2, frame: 'd' });
    expect(rest(store, 'old', 1)).toEqual(['bbb']);
    expect(rest(store, 'old', 0)).toBeUndefined();
    store.append(key('new'), { sequence: 3, frame: 'eeee' });
    expect(rest(store, 'old', 1)).toBeUndefined();
    expect(rest(store, 'new', 0)).toEqual(['cccc', 'd', 'eeee']);
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
