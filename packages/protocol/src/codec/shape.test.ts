import { describe, expect, test } from 'vitest';
import { string, type WireCheck } from '../json-rpc/check.js';
import { notification, request } from './rows.js';
import {
  aString,
  define,
  grow,
  lazily,
  listOf,
  mapping,
  message,
  same,
  union,
  type WireShape,
} from './shape.js';

/** A shape that counts how often it is created. */
function counted(): { shape: WireShape; made: () => number } {
  let made = 0;
  const check = (): WireCheck => {
    made++;
    return string;
  };
  return { shape: lazily({ check, write: () => same }), made: () => made };
}

describe('a wire shape', () => {
  test.each<[string, (inner: WireShape) => WireShape]>([
    ['an object', (inner) => define({ inner })],
    ['a message', (inner) => message([], {}, { inner })],
    ['a grown object', (inner) => grow(define({ inner }), { optional: { outer: aString } })],
    ['a list', (inner) => listOf(inner)],
    ['a map', (inner) => mapping(inner)],
    ['a union', (inner) => union('type', { inner })],
  ])('%s is made when it is first looked at, and once', (_, around) => {
    const { shape, made } = counted();
    const outer = around(shape);
    expect(made()).toBe(0);
    outer.check({});
    outer.check([]);
    expect(outer.check).toBe(outer.check);
    expect(made()).toBe(1);
  });

  test('is not looked at by the rows it is in', () => {
    const { shape, made } = counted();
    const rows = [request(define({ shape }), shape), notification(shape)];
    expect(made()).toBe(0);
    expect(rows.map((row) => row.params(1)?.message)).toEqual(['expected an object', 'expected a string']);
  });
});

describe('a row', () => {
  test('has no transform where nothing is written otherwise', () => {
    const row = request(message([], { name: aString }), message(['late'], {}));
    expect(row.encodeParams).toBeUndefined();
    expect(row.encodeResult?.({ late: 1, other: 2 })).toEqual({ other: 2 });
  });
});
