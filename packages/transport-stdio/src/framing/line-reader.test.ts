import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { LineReader } from './line-reader.js';

function read(reader: LineReader): string[] {
  const lines: string[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    lines.push(typeof line === 'string' ? line.trimEnd() : `! ${line.problem}`);
  }
  return lines;
}

function linesOf(chunks: Iterable<Buffer>, maxLineBytes = 1 << 20): string[] {
  const reader = new LineReader(maxLineBytes);
  const lines: string[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    lines.push(...read(reader));
  }
  reader.end();
  return [...lines, ...read(reader)];
}

const transcript = Buffer.from('\ufeff{"a":"é"}\r\n\n \t\r\n{"b":"日本"}\n{"c":"🙂"}\r\n{"d":1}');
const messages = ['{"a":"é"}', '{"b":"日本"}', '{"c":"🙂"}', '{"d":1}'];

/** A small generator with a fixed seed, so that a failure can be reproduced. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % sides;
  };
}

describe('splitting', () => {
  it('returns the same lines for every way to split the input into three chunks', () => {
    shows('2025-03-26/stdio/newlines-delimit');
    for (let first = 0; first <= transcript.length; first++) {
      for (let second = first; second <= transcript.length; second++) {
        const chunks = [
          transcript.subarray(0, first),
          transcript.subarray(first, second),
          transcript.subarray(second),
        ];
        expect(linesOf(chunks)).toEqual(messages);
      }
    }
  });

  it('returns the same lines byte by byte', () => {
    expect(linesOf(Array.from(transcript, (byte) => Buffer.from([byte])))).toEqual(messages);
  });

  it('returns the same lines for random messages in random chunks', () => {
    const roll = dice(20261120);
    const alphabet = ['a', '"', '\\n', 'é', '日', '🙂', '{', ' '];
    for (let round = 0; round < 200; round++) {
      const expected = Array.from(
        { length: roll(20) },
        () => `x${Array.from({ length: roll(600) }, () => alphabet[roll(alphabet.length)]).join('')}y`,
      );
      const bytes = Buffer.from(expected.map((line) => line + (roll(2) ? '\r\n' : '\n')).join(''));
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + roll(roll(3) === 0 ? 2000 : 7);
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(linesOf(chunks)).toEqual(expected);
    }
  });

  it('returns lines in order when several chunks are queued', () => {
    const reader = new LineReader(100);
    for (const text of ['a\nb', 'c\nd\n', 'e']) reader.push(Buffer.from(text));
    expect(read(reader)).toEqual(['a', 'bc', 'd']);
    reader.end();
    expect(read(reader)).toEqual(['e']);
  });

  it('keeps a replacement character that the peer sent', () => {
    expect(linesOf([Buffer.from('"\ufffd"\n')])).toEqual(['"\ufffd"']);
  });

  it('keeps a byte order mark except at the beginning', () => {
    expect(linesOf([Buffer.from('1\n\ufeff2\n')])).toEqual(['1', '\ufeff2']);
  });
});

describe('broken lines', () => {
  const broken = '! The line is not UTF-8.';

  it('reports only the line with bytes that are not UTF-8', () => {
    shows('2026-07-28/basic/transports/index/utf-8');
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80]]) {
      const bytes = Buffer.concat([Buffer.from('é1\n"'), Buffer.from(bad), Buffer.from('"\nü2\n')]);
      expect(linesOf([bytes])).toEqual(['é1', broken, 'ü2']);
      expect(linesOf(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['é1', broken, 'ü2']);
    }
  });

  it('accepts a line as long as the limit and rejects one byte more, in one chunk or many', () => {
    const long = '! The line is longer than 8 bytes (maxLineBytes).';
    const bytes = Buffer.from('12345678\n123456789\nab\n1234567\n');
    expect(linesOf([bytes], 8)).toEqual(['12345678', long, 'ab', '1234567']);
    for (let cut = 0; cut < bytes.length; cut++) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(linesOf(chunks, 8)).toEqual(['12345678', long, 'ab', '1234567']);
    }
    expect(
      linesOf(
        Array.from(bytes, (byte) => Buffer.from([byte])),
        8,
      ),
    ).toEqual(['12345678', long, 'ab', '1234567']);
  });

  it('counts bytes, not characters', () => {
    expect(linesOf([Buffer.from('ééé\néééé\n')], 6)).toEqual([
      'ééé',
      '! The line is longer than 6 bytes (maxLineBytes).',
    ]);
  });

  it('reports an endless line once, at the limit, and keeps nothing of it', () => {
    const reader = new LineReader(1 << 20);
    const chunk = Buffer.alloc(1 << 16, 'x');
    const lines: string[] = [];
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 4096; n++) {
      // A copy each time, like a stream would emit.
      reader.push(Buffer.from(chunk));
      lines.push(...read(reader));
      if (n === 17) expect(lines).toHaveLength(1);
    }
    reader.push(Buffer.from('\n"after"\n'));
    expect([...lines, ...read(reader)]).toEqual([
      '! The line is longer than 1048576 bytes (maxLineBytes).',
      '"after"',
    ]);
    // 256 MiB were read; some may wait for the garbage collector, but none is held.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 << 20);
  });

  it('needs memory of about its size for a long line that arrives byte by byte', () => {
    const reader = new LineReader(1 << 20);
    const heapBefore = process.memoryUsage().heapUsed;
    for (let n = 0; n < 1 << 20; n++) reader.push(Buffer.from('x'));
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(64 << 20);
    reader.push(Buffer.from('\n'));
    expect(read(reader)[0]).toHaveLength(1 << 20);
  });

  it('returns the beginning of a broken line', () => {
    const reader = new LineReader(2000);
    const line = Buffer.from(`${'ab'.repeat(1500)}\n`);
    const broken = { problem: expect.any(String), text: 'ab'.repeat(512), tooLong: true };
    reader.push(line);
    expect(reader.next()).toEqual(broken);
    for (const byte of line) reader.push(Buffer.from([byte]));
    expect(reader.next()).toEqual(broken);
  });
});
