import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { recorder } from '../../test/recorder.js';
import { Sink } from '../../test/sink.js';
import { stdioConnection } from './stream-connection.js';

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A connection to a peer that has stopped reading and sends more. */
async function blocked() {
  const input = new PassThrough();
  const output = new Sink();
  const graces: (() => void)[] = [];
  const delay = (_ms: number, run: () => void) => {
    graces.push(run);
    return () => {};
  };
  const connection = stdioConnection({ input, output, delay });
  const { receiver, seen, closed, end } = recorder(() => '"a long answer"'.repeat(10_000));
  output.hold();
  connection.start(receiver);
  input.write('1\n2\n3\n');
  await turns();
  expect(seen.length).toBeLessThan(3);
  return { input, graces, closed, end };
}

it('notices the end of the input while the peer does not read', async () => {
  const { input, graces, closed, end } = await blocked();
  input.end('4\n');
  await turns();
  // endGraceMs for pending answers, then flushWaitMs.
  for (let next = graces.shift(); next !== undefined; next = graces.shift()) {
    next();
    await turns();
  }
  await end;
  expect(closed).toHaveLength(1);
});

it('reads no more than 64 KiB ahead while the peer does not read', async () => {
  const { input } = await blocked();
  for (let kib = 0; kib < 200; kib++) input.write(`${' '.repeat(1_023)}\n`);
  await turns();
  expect(input.isPaused()).toBe(true);
  expect(input.readableLength + input.writableLength).toBeGreaterThan(100 * 1_024);
});
