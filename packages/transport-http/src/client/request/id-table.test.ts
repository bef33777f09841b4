import { describe, expect, it } from 'vitest';
import { IdTable } from './id-table.js';

describe('IdTable', () => {
  it('distinguishes ids of the same slot, and ids of different types', () => {
    const table = new IdTable<string>();
    const ids = [1, 257, 513, -255, '1', 'x', 2 ** 40 + 1];
    for (const id of ids) table.set(id, `of ${typeof id} ${id}`);
    for (const id of ids) expect(table.get(id)).toBe(`of ${typeof id} ${id}`);
    expect(table.get(769)).toBeUndefined();
    expect(table.get('257')).toBeUndefined();
  });

  it('deletes one id and keeps the others', () => {
    const table = new IdTable<string>();
    table.set(1, 'first');
    table.set(257, 'second');
    table.delete(1);
    table.delete('257');
    expect([table.get(1), table.get(257)]).toEqual([undefined, 'second']);
    // The slot is free, but the value was stored elsewhere.
    table.set(257, 'third');
    table.delete(257);
    expect(table.get(257)).toBeUndefined();
  });

  it('replaces the value of an id', () => {
    const table = new IdTable<string>();
    for (const id of [1, 257, 'x']) {
      table.set(id, 'before');
      table.set(id, 'after');
      expect(table.get(id)).toBe('after');
    }
  });
});
