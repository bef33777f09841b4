import { expect, test } from 'vitest';
import { sipHash } from './sip-hash.js';

/** The published vectors: the key counts from 0 to 15, and the message from 0 to its length less one. */
const vectors = [
  '310e0edd47db6f72',
  'fd67dc93c539f874',
  '5a4fa9d909806c0d',
  '2d7efbd796666785',
  'b7877127e09427cf',
  '8da699cd64557618',
  'cee3fe586e46c9cb',
  '37d1018bf50002ab',
  '6224939a79f5f593',
  'b0e4a90bdf82009e',
  'f3b9dd94c5bb5d7a',
  'a7ad6b22462fb3f4',
  'fbe50e86bc8f1e75',
  '903d84c02756ea14',
  'eef27a8e90ca23f7',
  'e545be4961ca29a1',
];

const counting = (length: number) => Uint8Array.from({ length }, (_, at) => at);
const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

test.each(vectors.map((vector, length) => [length, vector] as const))(
  'a message of %i bytes has its published hash',
  (length, vector) => {
    expect(hex(sipHash(counting(16), counting(length)))).toBe(vector);
  },
);

test('bytes that begin within a buffer count from where they begin', () => {
  const within = (length: number) =>
    counting(length + 3)
      .subarray(3)
      .map((byte) => byte - 3);
  expect(hex(sipHash(within(16), within(15)))).toBe(vectors[15]);
});

test('a key of another length is refused', () => {
  expect(() => sipHash(counting(15), counting(1))).toThrow(RangeError);
});
