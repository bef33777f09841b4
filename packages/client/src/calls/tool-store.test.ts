import { describe, expect, it } from 'vitest';
import { heaviestTogether, ToolStore } from './tool-store.js';

describe('ToolStore', () => {
  it('drops the oldest tools when there are too many', () => {
    const store = new ToolStore<number>(2);
    for (const name of ['a', 'b', 'a', 'c']) store.set(name, 1, 1);
    expect(['a', 'b', 'c'].filter((name) => store.has(name))).toEqual(['a', 'c']);
  });

  it('drops the oldest tools when their values are too heavy together', () => {
    const store = new ToolStore<string>(100);
    store.set('a', 'one', heaviestTogether - 10);
    store.set('b', 'two', 10);
    expect([store.get('a'), store.get('b')]).toEqual(['one', 'two']);
    store.set('c', 'three', 1);
    expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([undefined, 'two', 'three']);
  });

  it('counts long names, so that names alone cannot fill the memory', () => {
    const store = new ToolStore<number>(10_000);
    const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(1_048_576, 'x'));
    for (const name of names) store.set(name, 1, 1);
    expect(names.filter((name) => store.has(name))).toHaveLength(15);
  });

  it('counts nothing for tools that were deleted, replaced or cleared', () => {
    const store = new ToolStore<number>(10);
    for (let round = 0; round < 3; round++) store.set('a', 1, heaviestTogether - 1);
    store.delete('a');
    store.set('b', 1, heaviestTogether - 1);
    store.clear();
    store.set('c', 1, heaviestTogether - 1);
    store.set('d', 1, 1);
    expect(['a', 'b', 'c', 'd'].filter((name) => store.has(name))).toEqual(['c', 'd']);
  });
});
