import { Buffer } from 'node:buffer';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { tailOf } from './stderr-tail.js';

async function tail(chunks: (string | Buffer)[], maxLines = 3, maxLineLength = 10) {
  const stream = new PassThrough();
  const forwarded: string[] = [];
  const kept = tailOf(stream, { maxLines, maxLineLength }, (lines) => void forwarded.push(...lines));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await kept.ended;
  return { lines: kept.lines(), forwarded };
}

describe('tailOf', () => {
  it('keeps the last lines without blank ones, and a last line without a newline', async () => {
    shows('2024-11-05/basic/transports/client-stderr');
    const { lines, forwarded } = await tail(['1\r\n2\n\n', '  \n3\n', '4\n5']);
    expect(lines).toEqual(['3', '4', '5']);
    expect(forwarded).toEqual(['1', '2', '3', '4', '5']);
  });

  it('keeps characters whole across chunks', async () => {
    const bytes = Buffer.from('é🙂\n');
    expect((await tail(Array.from(bytes, (byte) => Buffer.from([byte])))).lines).toEqual(['é🙂']);
  });

  it('keeps the beginning of an endless line', async () => {
    const { lines } = await tail([...Array.from({ length: 1000 }, () => 'abcdefg'), '\nnext\n']);
    expect(lines).toEqual(['abcdefgabc', 'next']);
  });
});
