import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../../terminal/terminal.js';
import { lineReader } from './line-reader.js';

const { signal } = new AbortController();

function readerOf({ isTTY }: { readonly isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
  const error = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  let screen = '';
  error.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
  });
  const terminal = new Terminal({ input, output: error, error, env: {}, cwd: '/' });
  const reader = lineReader(terminal, ['/tools', '/allow']);
  return { input, reader, terminal, screen: () => stripVTControlCharacters(screen) };
}

/** Writes to a stream in a turn of its own. */
async function type(input: PassThrough, ...chunks: readonly string[]): Promise<void> {
  for (const chunk of chunks) {
    await new Promise(setImmediate);
    input.write(chunk);
  }
}

describe('lineReader at a terminal', () => {
  it('reads a line, brings earlier ones back and completes commands', async () => {
    const { input, reader } = readerOf({ isTTY: true });
    const first = reader.next(signal);
    await type(input, 'hello', '\r');
    expect(await first).toEqual({ text: 'hello' });
    const second = reader.next(signal);
    await type(input, '\u001b[A', ' you', '\r');
    expect(await second).toEqual({ text: 'hello you' });
    const third = reader.next(signal);
    await type(input, '/t', '\t');
    await type(input, '\r');
    expect(await third).toEqual({ text: '/tools' });
  });

  it('reads pasted lines as one text', async () => {
    const { input, reader } = readerOf({ isTTY: true });
    const next = reader.next(signal);
    await type(input, 'one\rtwo\rthree');
    expect(await next).toEqual({ text: 'one\ntwo\nthree' });
  });

  it('clears the line with Ctrl+C, and reports Ctrl+C on an empty one and the end', async () => {
    const { input, reader } = readerOf({ isTTY: true });
    const next = reader.next(signal);
    await type(input, 'x', '\u0003', '\u0003');
    expect(await next).toBe('interrupt');
    const last = reader.next(signal);
    await type(input, '\u0004');
    expect(await last).toBe('end');
  });

  it('prints above the line that is being written', async () => {
    const { input, reader, terminal, screen } = readerOf({ isTTY: true });
    const next = reader.next(signal);
    await type(input, 'half');
    await new Promise(setImmediate);
    reader.aside(() => terminal.note('Something changed.'));
    expect(screen()).toMatch(/> half.*Something changed\.\r?\n> half/s);
    await type(input, ' done', '\r');
    expect(await next).toEqual({ text: 'half done' });
  });
});

describe('lineReader of another stream', () => {
  it('reads lines until the end', async () => {
    const { input, reader } = readerOf({ isTTY: false });
    input.end('one\r\n\ntwo');
    const read = [await reader.next(signal), await reader.next(signal), await reader.next(signal)];
    expect(read).toEqual([{ text: 'one' }, { text: '' }, { text: 'two' }]);
    expect(await reader.next(signal)).toBe('end');
  });
});
