import { PassThrough } from 'node:stream';
import type { Answer } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { recorder } from '../../test/recorder.js';
import { Sink } from '../../test/sink.js';
import { stdioConnection } from './stream-connection.js';

const turns = async () => {
  for (let n = 0; n < 5; n++) await new Promise<void>((resolve) => setImmediate(resolve));
};
const tooLong = new RangeError('Invalid string length');

/** Fails request 1 in the given way; answers others. */
function wire(fail: () => Answer) {
  const input = new PassThrough();
  const output = new Sink();
  const errors: unknown[] = [];
  const noted = recorder((value) => ((value as { id: number }).id === 1 ? fail() : '"fine"'));
  const receiver = { ...noted.receiver, onError: (...reported: unknown[]) => errors.push(reported) };
  stdioConnection({ input, output }).start(receiver);
  const { closed, end } = noted;
  return { closed, end, input, output, errors };
}

it.each<[string, () => Answer]>([
  [
    'throws',
    () => {
      throw tooLong;
    },
  ],
  ['rejects', () => Promise.reject(tooLong)],
])('answers a request with an internal error when its receiver %s', async (_title, fail) => {
  const { input, output, errors, closed } = wire(fail);
  input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
  await turns();
  expect(new Set(output.lines)).toEqual(
    new Set(['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}', '"fine"']),
  );
  expect(errors).toEqual([[tooLong, 'stdio']]);
  expect(closed).toEqual([]);
});

it('sends no answer to a notification when the receiver throws', async () => {
  const { input, output, errors } = wire(() => undefined);
  input.write('{"jsonrpc":"2.0","method":"a"}\nnull\n');
  await turns();
  expect(output.lines).toEqual(['"fine"']);
  expect(errors).toMatchObject([[expect.any(TypeError), 'stdio']]);
});

it('ends the connection after an answer that never arrived', async () => {
  const { input, end } = wire(() => Promise.reject(tooLong));
  input.end('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
  await end;
});
