import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bytePair } from './byte-pair.js';

test('delivers bytes to the other end, in pieces up to the given size', async () => {
  const [left, right] = bytePair({ split: 3, seed: 7 });
  const pieces: Buffer[] = [];
  right.on('data', (piece: Buffer) => pieces.push(piece));
  left.end('naïve text that is cut anywhere');
  await once(right, 'end');
  expect(Buffer.concat(pieces).toString()).toBe('naïve text that is cut anywhere');
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(3);
  expect(Math.min(...pieces.map(({ length }) => length))).toBe(1);
});

test('holds up the writer if the reader stops', async () => {
  const [left, right] = bytePair();
  const piece = 'x'.repeat(200_000);
  expect(left.write(piece)).toBe(false);
  expect(left.writableNeedDrain).toBe(true);
  const drained = once(left, 'drain');
  const read = text(right);
  await drained;
  left.end();
  expect(await read).toHaveLength(200_000);
});

test('ends the other end when one is destroyed, and rejects writes to the destroyed one', async () => {
  const [left, right] = bytePair();
  left.destroy();
  right.resume();
  await once(right, 'end');
  const failed = once(right, 'error');
  right.write('more');
  expect(await failed).toMatchObject([{ code: 'EPIPE' }]);
});

test.each([0, 1.5])('rejects %s as the size of a piece', (split) => {
  expect(() => bytePair({ split })).toThrow('split is the most bytes of a piece');
});
