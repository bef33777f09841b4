import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { Sink } from '../../test/sink.js';
import { FrameWriter } from './frame-writer.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function wire(maxQueued = 1000) {
  const output = new Sink();
  const events: string[] = [];
  const writer = new FrameWriter(
    { output, maxQueued },
    { drained: () => void events.push('drained'), overflowed: () => void events.push('overflowed') },
  );
  return { output, writer, events };
}

describe('FrameWriter', () => {
  it('writes the frames of one turn in one write', async () => {
    shows('2025-03-26/stdio/newlines-delimit');
    const { output, writer } = wire();
    void writer.send('1');
    void Promise.resolve().then(() => writer.send('2'));
    process.nextTick(() => void writer.send('3'));
    await turn();
    void writer.send('4');
    await turn();
    expect(output.writes.map((text) => [...text].sort().join(''))).toEqual(['\n\n\n123', '\n4']);
  });

  it('writes before the end of the turn when a batch is full', () => {
    const { output, writer } = wire();
    void writer.send('x'.repeat(1 << 16));
    expect(output.writes).toHaveLength(1);
  });

  it('returns a promise while the output is blocked, keeps the order, and resolves it', async () => {
    const { output, writer, events } = wire();
    output.hold();
    expect(writer.send('"first, long enough to fill it"')).toBeUndefined();
    await turn();
    expect(writer.blocked).toBe(true);
    const space = writer.send('"second"');
    expect(space).toBeInstanceOf(Promise);
    expect(writer.send('"third"')).toBe(space);
    expect(output.writes).toHaveLength(1);
    expect(events).toEqual([]);
    output.let();
    await space;
    expect(output.lines).toEqual(['"first, long enough to fill it"', '"second"', '"third"']);
    expect(events).toEqual(['drained']);
    expect(writer.send('"fourth"')).toBeUndefined();
  });

  it('does not resolve the promise while the queue fills the output again', async () => {
    const { output, writer, events } = wire();
    output.hold();
    void writer.send('"first, long enough to fill it"');
    await turn();
    let hasSpace = false;
    const space = writer.send('"second, long enough to fill it as well"')?.then(() => {
      hasSpace = true;
    });
    output.letOne();
    await turn();
    expect(output.writes).toHaveLength(2);
    expect({ hasSpace, events, blocked: writer.blocked }).toEqual({
      hasSpace: false,
      events: [],
      blocked: true,
    });
    output.let();
    await space;
    expect(events).toEqual(['drained']);
  });

  it('is not blocked after a large write that has left completely', () => {
    const { output, writer } = wire();
    expect(writer.send('x'.repeat(1 << 16))).toBeUndefined();
    expect(output.writes).toHaveLength(1);
    expect(writer.blocked).toBe(false);
  });

  it('reports an overflow when more is queued than the limit', async () => {
    const { output, writer, events } = wire(20);
    output.hold();
    void writer.send('long enough to fill it');
    await turn();
    void writer.send('x'.repeat(19));
    expect(events).toEqual([]);
    void writer.send('x');
    expect(events).toEqual(['overflowed']);
  });

  it('counts the line break of a queued frame', async () => {
    const { output, writer, events } = wire(20);
    output.hold();
    void writer.send('long enough to fill it');
    await turn();
    void writer.send('x'.repeat(20));
    expect(events).toEqual(['overflowed']);
  });

  it('flushes the queue before it resolves, and accepts nothing afterwards', async () => {
    const { output, writer } = wire();
    output.hold();
    void writer.send('first, long enough to fill it');
    await turn();
    void writer.send('second');
    const flushed = writer.flush();
    expect(writer.send('third')).toBeUndefined();
    let done = false;
    void flushed.then(() => {
      done = true;
    });
    await turn();
    expect(done).toBe(false);
    output.let();
    await flushed;
    expect(output.lines).toEqual(['first, long enough to fill it', 'second']);
  });

  it('resolves waiting promises when it stops', async () => {
    const { output, writer } = wire();
    output.hold();
    void writer.send('first, long enough to fill it');
    await turn();
    const space = writer.send('second');
    writer.stop();
    await expect(space).resolves.toBeUndefined();
    expect(output.listenerCount('drain')).toBe(0);
  });
});
