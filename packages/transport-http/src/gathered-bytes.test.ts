import { describe, expect, it } from 'vitest';
import { GatheredBytes } from './gathered-bytes.js';

const encoder = new TextEncoder();

describe('GatheredBytes', () => {
  it.each([
    ['none', []],
    ['one', ['whole']],
    ['some', ['in ', 'three ', 'pieces']],
    ['an empty one first', ['', 'then ', '', 'more']],
    ['single bytes', [...'one by one by one']],
  ])('%s', (_title, pieces) => {
    const gathered = new GatheredBytes();
    for (const piece of pieces) gathered.add(encoder.encode(piece));
    expect(new TextDecoder().decode(gathered.bytes)).toBe(pieces.join(''));
    expect(gathered.size).toBe(pieces.join('').length);
  });

  it('does not modify the chunks', () => {
    const first = encoder.encode('first piece').subarray(0, 5);
    const gathered = new GatheredBytes();
    for (const piece of [first, encoder.encode(' and another')]) gathered.add(piece);
    expect(new TextDecoder().decode(first.buffer)).toBe('first piece');
  });

  it('takes little more memory than the bytes, however small the chunks are', () => {
    const gathered = new GatheredBytes();
    const one = encoder.encode('x');
    for (let count = 0; count < 1_000_000; count++) gathered.add(one);
    expect(gathered.bytes.buffer.byteLength).toBeLessThanOrEqual(2_000_000);
  });

  it('reserves no memory for announced bytes, and no extra memory when they have all arrived', () => {
    const gathered = new GatheredBytes(1_000_000);
    const piece = new Uint8Array(62_500);
    for (let count = 1; count <= 16; count++) {
      gathered.add(piece);
      expect(gathered.capacity).toBeLessThanOrEqual(2 * gathered.size);
    }
    expect(gathered.capacity).toBe(1_000_000);
  });

  it.each([1_000_000, Number.NaN, -1])(
    'takes little memory for fewer bytes than announced (%s)',
    (announced) => {
      const gathered = new GatheredBytes(announced);
      for (const letter of 'two') gathered.add(encoder.encode(letter));
      expect(gathered.bytes.buffer.byteLength).toBeLessThanOrEqual(24);
      expect(new TextDecoder().decode(gathered.bytes)).toBe('two');
    },
  );
});
