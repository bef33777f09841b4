import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { Sink } from '../test/sink.js';
import { FrameWriter } from './frame-writer.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function wire(maxQueued = 1000) {
  const output = new Sink();
  const told: string[] = [];
  const writer = new FrameWriter(
    { output, maxQueued },
    { drained: () => void told.push('drained'), overflowed: () => void told.push('overflowed') },
  );
  return { output, writer, told };
}

describe('a frame writer', () => {
  it('puts the frames of one turn in one write', async () => {
    const { output, writer } = wire();
    void writer.send('1');
    void Promise.resolve().then(() => writer.send('2'));
    process.nextTick(() => void writer.send('3'));
    await turn();
    void writer.send('4');
    await turn();
    expect(output.writes.map((text) => [...text].sort().join(''))).toEqual(['\n\n\n123', '\n4']);
  });

  it('does not hold back more than a batch until the turn ends', () => {
    const { output, writer } = wire();
    void writer.send('x'.repeat(1 << 16));
    expect(output.writes).toHaveLength(1);
  });

  it('promises room while the output is blocked, keeps the order, and tells of the room', async () => {
    const { output, writer, told } = wire();
    output.hold();
    expect(writer.send('"first, long enough to fill it"')).toBeUndefined();
    await turn();
    expect(writer.blocked).toBe(true);
    const room = writer.send('"second"');
    expect(room).toBeInstanceOf(Promise);
    expect(writer.send('"third"')).toBe(room);
    expect(output.writes).toHaveLength(1);
    expect(told).toEqual([]);
    output.let();
    await room;
    expect(output.lines).toEqual(['"first, long enough to fill it"', '"second"', '"third"']);
    expect(told).toEqual(['drained']);
    expect(writer.send('"fourth"')).toBeUndefined();
  });

  it('promises no room while what waited fills the output again', async () => {
    const { output, writer, told } = wire();
    output.hold();
    void writer.send('"first, long enough to fill it"');
    await turn();
    let isRoom = false;
    const room = writer.send('"second, long enough to fill it as well"')?.then(() => {
      isRoom = true;
    });
    output.letOne();
    await turn();
    expect(output.writes).toHaveLength(2);
    expect({ isRoom, told, blocked: writer.blocked }).toEqual({ isRoom: false, told: [], blocked: true });
    output.let();
    await room;
    expect(told).toEqual(['drained']);
  });

  it('does not take a large write for a blocked output when all of it has left', () => {
    const { output, writer } = wire();
    expect(writer.send('x'.repeat(1 << 16))).toBeUndefined();
    expect(output.writes).toHaveLength(1);
    expect(writer.blocked).toBe(false);
  });

  it('tells when more waits than the bound allows', async () => {
    const { output, writer, told } = wire(20);
    output.hold();
    void writer.send('long enough to fill it');
    await turn();
    void writer.send('x'.repeat(19));
    expect(told).toEqual([]);
    void writer.send('x');
    expect(told).toEqual(['overflowed']);
  });

  it('counts the line break of a frame among what waits', async () => {
    const { output, writer, told } = wire(20);
    output.hold();
    void writer.send('long enough to fill it');
    await turn();
    void writer.send('x'.repeat(20));
    expect(told).toEqual(['overflowed']);
  });

  it('flushes what is held before it resolves, and takes nothing after', async () => {
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

  it('releases who waits for room when it stops', async () => {
    const { output, writer } = wire();
    output.hold();
    void writer.send('first, long enough to fill it');
    await turn();
    const room = writer.send('second');
    writer.stop();
    await expect(room).resolves.toBeUndefined();
    expect(output.listenerCount('drain')).toBe(0);
  });
});
