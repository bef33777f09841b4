import { describe, expect, it } from 'vitest';
import { httpClientBoundsOf } from '../request/http-limits.js';
import { EventReader } from './event-reader.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function reading(limits: Partial<ReturnType<typeof httpClientBoundsOf>> = {}) {
  const events: string[] = [];
  const reader = new EventReader(
    { ...httpClientBoundsOf(), ...limits },
    { event: ({ data }) => void events.push(data), retry: () => {} },
  );
  return { reader, events };
}

describe('EventReader', () => {
  it.each(['\n', '\r\n', '\r'])('reads single bytes like whole chunks, with lines ended by %j', (end) => {
    const { reader, events } = reading();
    const text = `\ufeffid: 1${end}data: a 世界 b${end}${end}: quiet${end}data: x${end}data: y${end}${end}: end${end}`;
    for (const byte of bytes(text)) expect(reader.push(Uint8Array.of(byte))).toBeUndefined();
    expect(events).toEqual(['a 世界 b', 'x\ny']);
  });

  it('takes little more memory for single bytes than for one chunk', () => {
    const { reader } = reading();
    const size = 4 << 20;
    const before = process.memoryUsage();
    reader.push(bytes('data: '));
    const pieces = [...bytes('世')].map((byte) => Uint8Array.of(byte));
    for (let count = 0; count < size / 4; count++) for (const piece of pieces) reader.push(piece);
    global.gc?.();
    const after = process.memoryUsage();
    const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(reader.push(bytes('\n\n'))).toBeUndefined();
    expect(grown).toBeLessThan(6 * size);
  });

  it.each([
    ['at once', 1_000],
    ['in pieces', 7],
    ['in single bytes', 1],
  ])('rejects a line that exceeds the limit: %s', (_, size) => {
    const { reader, events } = reading({ maxEventChars: 100 });
    let problem: string | undefined;
    const text = bytes(`data: ${'x'.repeat(400)}`);
    for (let at = 0; at < text.length && problem === undefined; at += size) {
      problem = reader.push(text.subarray(at, at + size));
    }
    expect(problem).toContain('limit maxEventChars');
    expect(reader.push(bytes('\n\n'))).toBe(problem);
    expect(events).toEqual([]);
  });

  it('rejects a stream that is not UTF-8', () => {
    const { reader } = reading();
    expect(reader.push(Uint8Array.of(0x64, 0xff, 0x0a))).toBe('The stream is not UTF-8.');
  });

  it.each(['\n', '\r'].flatMap((end) => [1, 2, 3, 5, 8, 27, 28, 1_000].map((size) => [end, size] as const)))(
    'reads a stream up to the first line that is not UTF-8, with lines ended by %j, in chunks of %i',
    (end, size) => {
      const { reader, events } = reading();
      const broken = [...bytes(`\ufeffdata: a${end}${end}data: 世界𐍈${end}${end}'`), 0xff, ...bytes('\n\n')];
      let problem: string | undefined;
      for (let at = 0; at < broken.length && problem === undefined; at += size) {
        problem = reader.push(Uint8Array.from(broken.slice(at, at + size)));
      }
      expect(problem).toBe('The stream is not UTF-8.');
      expect(events).toEqual(['a', '世界𐍈']);
    },
  );

  it('rejects invalid UTF-8 after half a byte order mark', () => {
    const { reader, events } = reading();
    const rest = [...bytes('\ufeffdata: a\n\ndata: '), 0xff].slice(1);
    expect(reader.push(Uint8Array.of(0xef))).toBeUndefined();
    expect(reader.push(Uint8Array.from(rest))).toBe('The stream is not UTF-8.');
    expect(events).toEqual(['a']);
  });
});
