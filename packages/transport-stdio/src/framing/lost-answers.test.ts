import { PassThrough } from 'node:stream';
import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { recorder } from '../../test/recorder.js';
import { Sink } from '../../test/sink.js';
import type { FramingOptions } from './framing-options.js';
import { stdioConnection } from './stream-connection.js';

const turns = async () => {
  for (let n = 0; n < 5; n++) await new Promise<void>((resolve) => setImmediate(resolve));
};

function wire(options: FramingOptions) {
  const input = new PassThrough();
  const connection = stdioConnection({ input, output: new Sink(), ...options });
  return Object.assign(recorder(), { input, connection });
}

describe('an answer beyond a limit', () => {
  const long = (id: unknown) => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${'x'.repeat(5000)}"}}\n`;

  it('is reported with the id of its request, in any chunks', async () => {
    for (const size of [1, 3, 100, 10_000]) {
      const { input, connection, receiver, seen, problems, answered } = wire({ maxLineBytes: 4096 });
      connection.start(receiver);
      const text = `${long(7)}{}\n`;
      for (let at = 0; at < text.length; at += size) input.write(text.slice(at, at + size));
      await turns();
      expect(problems).toEqual(['The line is longer than 4096 bytes (maxLineBytes).']);
      expect(answered).toEqual([7]);
      expect(seen).toEqual([{}]);
    }
  });

  it('is reported when it is nested too deeply', async () => {
    const { input, connection, receiver, problems, answered } = wire(otherBounds({ maxNesting: 4 }));
    connection.start(receiver);
    input.write('{"result":{"a":[[[[]]]]},"jsonrpc":"2.0","id":"7"}\n');
    input.write('{"method":"a","params":{"a":[[[[]]]]},"jsonrpc":"2.0","id":8}\n');
    await turns();
    expect(problems).toHaveLength(2);
    expect(answered).toEqual(['7']);
  });

  it('is not a stray line', async () => {
    const stray: string[] = [];
    const { input, connection, receiver, answered } = wire({
      maxLineBytes: 4096,
      onStrayLine: (line) => void stray.push(line.slice(0, 1)),
    });
    connection.start(receiver);
    input.write(`${long(7)}${'y'.repeat(5000)}\n`);
    await turns();
    expect(answered).toEqual([7]);
    expect(stray).toEqual(['y']);
  });
});

describe('a request beyond a limit', () => {
  it('is reported with its id when the id is at its beginning', async () => {
    const { input, connection, receiver, problems, requested, answered } = wire({ maxLineBytes: 4096 });
    connection.start(receiver);
    input.write(`{"jsonrpc":"2.0","id":8,"method":"x","params":{"text":"${'x'.repeat(5000)}"}}\n`);
    await turns();
    expect(problems).toEqual(['The line is longer than 4096 bytes (maxLineBytes).']);
    expect({ requested, answered }).toEqual({ requested: [8], answered: [] });
  });

  it('is reported with its id when it is nested too deeply', async () => {
    const { input, connection, receiver, requested } = wire(otherBounds({ maxNesting: 4 }));
    connection.start(receiver);
    input.write('{"method":"a","params":{"a":[[[[]]]]},"jsonrpc":"2.0","id":8}\n');
    await turns();
    expect(requested).toEqual([8]);
  });
});
