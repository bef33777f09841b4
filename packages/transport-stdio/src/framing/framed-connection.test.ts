import { Buffer } from 'node:buffer';
import { PassThrough } from 'node:stream';
import { otherBounds } from '@tenon/foundation';
import { type Answer, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { recorder } from '../../test/recorder.js';
import { Sink } from '../../test/sink.js';
import { FramedConnection } from './framed-connection.js';
import { type FramingOptions, framingOf } from './framing-options.js';
import { stdioConnection } from './stream-connection.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const turns = async (count = 5) => {
  for (let n = 0; n < count; n++) await turn();
};
/** A clock that moves only when a test says so. */
function stillClock() {
  const waiting = new Map<() => void, number>();
  return {
    delay(ms: number, run: () => void) {
      waiting.set(run, ms);
      return () => void waiting.delete(run);
    },
    waits: () => [...waiting.values()],
    strike() {
      for (const run of [...waiting.keys()]) {
        waiting.delete(run);
        run();
      }
    },
  };
}

function wire(options: FramingOptions = {}, answer?: (value: unknown) => Answer) {
  const input = new PassThrough();
  const output = new Sink();
  const connection = stdioConnection({ input, output, ...options });
  return Object.assign(recorder(answer), { input, output, connection });
}

describe('reading', () => {
  it('delivers messages with the connection as their exchange and the name of the transport as its facts', async () => {
    const { input, connection, receiver, seen } = wire();
    const exchanges: unknown[] = [];
    connection.start({
      ...receiver,
      receive: (value, exchange) => {
        exchanges.push(exchange);
        return receiver.receive(value, exchange);
      },
    });
    input.write('{"a":1}\n{"b"');
    input.write(':2}\n');
    await turns();
    expect(seen).toEqual([{ a: 1 }, { b: 2 }]);
    expect(exchanges).toEqual([connection, connection]);
    expect(connection.facts).toEqual({ transport: 'stdio' });
  });

  it('delivers messages that arrived before start', async () => {
    const { input, connection, receiver, seen, end } = wire();
    input.end('1\n2\n');
    await turns();
    expect(input.readableLength).toBe(4);
    connection.start(receiver);
    await end;
    expect(seen).toEqual([1, 2]);
  });

  it('reads text from a stream with an encoding', async () => {
    const { input, connection, receiver, seen } = wire();
    input.setEncoding('utf8');
    connection.start(receiver);
    input.write('"é"\n');
    await turns();
    expect(seen).toEqual(['é']);
  });

  it('reports each broken line once, sends the answers, and continues', async () => {
    const { input, output, connection, receiver, seen, problems } = wire({
      maxLineBytes: 4096,
      ...otherBounds({ maxNesting: 16 }),
    });
    connection.start(receiver);
    input.write('banner text\n');
    input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    input.write(`"${'x'.repeat(3000)}`);
    input.write(`${'x'.repeat(3000)}`);
    input.write(`${'x'.repeat(3000)}"\n`);
    input.write(`${'['.repeat(2000)}${']'.repeat(2000)}\n`);
    input.write('"fine"\n');
    await turns();
    expect(problems).toEqual([
      expect.stringContaining('not JSON'),
      'The line is not UTF-8.',
      'The line is longer than 4096 bytes (maxLineBytes).',
      'The message is nested in more than 16 levels.',
    ]);
    expect(output.lines).toEqual(['"problem 1"', '"problem 2"', '"problem 3"', '"problem 4"']);
    expect(seen).toEqual(['fine']);
  });

  it('passes the beginning of stray lines to onStrayLine instead', async () => {
    const stray: [string, string][] = [];
    const { input, connection, receiver, problems, seen } = wire({
      onStrayLine: (line, problem) => void stray.push([line, problem]),
    });
    connection.start(receiver);
    input.write(`listening on stdio\n${'y'.repeat(5000)}\n{}\n`);
    await turns();
    expect(stray).toEqual([
      ['listening on stdio', expect.stringContaining('not JSON')],
      ['y'.repeat(1024), expect.stringContaining('not JSON')],
    ]);
    expect(problems).toEqual([]);
    expect(seen).toEqual([{}]);
  });
});

describe('a flood', () => {
  it.each([undefined, new Error('ECONNRESET')])(
    'is taken to its end when the input breaks: %s',
    async (error) => {
      const { input, connection, receiver, seen, end } = wire();
      connection.start(receiver);
      input.write('{}\n'.repeat(3_000));
      while (seen.length === 0) await Promise.resolve();
      input.destroy(error);
      await end;
      expect(seen).toHaveLength(3_000);
    },
  );

  it('is read 1,024 lines at a time, so that other work gets its turn, and to its end', async () => {
    const { input, connection, receiver, seen, closed, end } = wire();
    connection.start(receiver);
    const counts: number[] = [];
    const count = () => {
      counts.push(seen.length);
      if (closed.length === 0) setImmediate(count);
    };
    setImmediate(count);
    input.end('{}\n'.repeat(10_000));
    await end;
    expect(seen).toHaveLength(10_000);
    const steps = counts.map((at, index) => at - (counts[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_024);
  });

  it('is not read further after the connection was closed', async () => {
    const { input, connection, receiver, seen } = wire();
    connection.start(receiver);
    input.write('{}\n'.repeat(5_000));
    while (seen.length === 0) await turn();
    const before = seen.length;
    await connection.close();
    await turns();
    expect(before).toBeLessThan(5_000);
    expect(seen).toHaveLength(before);
  });
});

describe('writing', () => {
  it('writes the frames of one turn in one write', async () => {
    shows('2026-07-28/basic/transports/stdio/client-stdin-clean');
    const { input, output, connection, receiver } = wire({}, (value) => JSON.stringify(value));
    connection.start(receiver);
    void connection.send('"a"');
    void connection.send('"b"');
    input.write('1\n2\n3\n');
    await turns();
    void connection.send('"c"');
    await turns();
    expect(output.writes).toEqual(['"a"\n"b"\n1\n2\n3\n', '"c"\n']);
  });

  it('writes answers in the order they are ready', async () => {
    let finish = (_: string): void => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { input, output, connection, receiver } = wire({}, (value) => (value === 1 ? slow : `"${value}"`));
    connection.start(receiver);
    input.write('1\n2\n');
    await turns();
    finish('"1"');
    await turns();
    expect(output.lines).toEqual(['"2"', '"1"']);
  });

  it('survives an answer promise that resolves with undefined or rejects', async () => {
    const { input, output, connection, receiver, end } = wire({}, (value) =>
      value === 1 ? Promise.resolve(undefined) : Promise.reject(new Error('broken promise')),
    );
    connection.start(receiver);
    input.end('1\n2\n');
    await end;
    expect(output.lines).toEqual([]);
  });
});

describe('backpressure', () => {
  it('stops reading in the middle of a chunk while answers are not read, and continues afterwards', async () => {
    const big = JSON.stringify('x'.repeat(1 << 16));
    const { input, output, connection, receiver, seen } = wire({}, () => big);
    output.hold();
    connection.start(receiver);
    input.write('1\n'.repeat(1000));
    await turns();
    expect(seen.length).toBeLessThan(4);
    input.write(`${'2\n'.repeat(1000)}${' '.repeat(65_536)}\n`);
    await turns();
    expect(input.isPaused()).toBe(true);
    expect(seen.length).toBeLessThan(4);
    output.let();
    await turns(20);
    expect(seen).toHaveLength(2000);
    expect(output.lines).toHaveLength(2000);
  });

  it('loses no line when the input ends while the output is blocked', async () => {
    const { input, output, connection, receiver, seen, end } = wire({}, (value) => JSON.stringify(value));
    output.hold();
    connection.start(receiver);
    void connection.send('"long enough to fill it"');
    await turns();
    // Node resumes the output of a child that has exited, paused or not.
    input.end('1\n2\n3\n');
    input.resume();
    await turns();
    expect(seen).toEqual([]);
    output.let();
    await end;
    expect(seen).toEqual([1, 2, 3]);
    expect(output.lines.slice(1)).toEqual(['1', '2', '3']);
  });

  it('ends when more is queued than the limit', async () => {
    const { output, connection, receiver, closed, end } = wire(otherBounds({ maxQueued: 1000 }));
    output.hold();
    connection.start(receiver);
    for (let n = 0; n < 100; n++) {
      void connection.send(`"${'x'.repeat(100)}"`);
      await turn();
    }
    await end;
    expect(closed).toEqual([expect.any(TransportError)]);
    expect(closed[0]?.message).toContain('1000 characters unread');
  });
});

describe('ending', () => {
  it('delivers a complete last line without a newline, and reports an incomplete one as broken', async () => {
    for (const [text, seen, problems] of [
      ['{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }], []],
      ['{"a":1}\n{"b":', [{ a: 1 }], ['The input ended inside the line.']],
    ] as const) {
      const end = wire();
      end.connection.start(end.receiver);
      end.input.end(text);
      await end.end;
      expect(end.seen).toEqual(seen);
      expect(end.problems).toEqual(problems);
      expect(end.closed).toEqual([undefined]);
    }
  });

  it('waits for pending answers after the input has ended, then flushes and ends the output', async () => {
    const clock = stillClock();
    let finish = (_: string): void => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { input, output, connection, receiver, closed, end } = wire({ delay: clock.delay }, () => slow);
    connection.start(receiver);
    input.end('1\n');
    await turns();
    expect([clock.waits(), closed]).toEqual([[500], []]);
    finish('"late"');
    await end;
    expect([output.lines, output.writableEnded]).toEqual([['"late"'], true]);
    expect(clock.waits()).toEqual([]);
  });

  it('waits for pending answers no longer than endGraceMs', async () => {
    const clock = stillClock();
    const { input, connection, receiver, closed, end } = wire(
      { delay: clock.delay, ...otherBounds({ endGraceMs: 70 }) },
      () => new Promise(() => {}),
    );
    connection.start(receiver);
    input.end('1\n');
    await turns();
    expect(clock.waits()).toEqual([70]);
    clock.strike();
    await end;
    expect(closed).toEqual([undefined]);
  });

  it('sends everything before it closes, delivers nothing afterwards, and notifies the receiver once', async () => {
    const { input, output, connection, receiver, seen, closed } = wire({}, () => '"answer"');
    connection.start(receiver);
    void connection.send('"last words"');
    const closing = connection.close();
    void connection.send('"too late"');
    input.write('1\n');
    await closing;
    await connection.close();
    expect(output.lines).toEqual(['"last words"']);
    expect(output.writableEnded).toBe(true);
    expect(input.destroyed).toBe(true);
    expect(seen).toEqual([]);
    expect(closed).toEqual([undefined]);
  });

  it('waits for a peer that does not read no longer than flushWaitMs', async () => {
    const clock = stillClock();
    const waits = otherBounds({ flushWaitMs: 90 });
    const { output, connection, receiver, closed } = wire({ delay: clock.delay, ...waits });
    output.hold();
    connection.start(receiver);
    void connection.send('"never read, long enough to fill it"');
    const closing = connection.close();
    await turns();
    expect(clock.waits()).toEqual([90]);
    clock.strike();
    await closing;
    expect(output.destroyed).toBe(true);
    expect(closed).toEqual([undefined]);
  });

  it('ends without an error when the peer has disconnected', async () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']) {
      const { output, connection, receiver, closed, end } = wire();
      connection.start(receiver);
      const failure = Object.assign(new Error(`write ${code}`), { code });
      output.destroy(failure);
      await end;
      expect(closed).toEqual([expect.any(TransportError)]);
      expect(closed[0]).toMatchObject({ message: `The connection broke: write ${code}.`, cause: failure });
      expect(connection.send('"late"')).toBeUndefined();
      await connection.close();
      expect(closed).toHaveLength(1);
    }
  });

  it('reports at start an end that happened before', async () => {
    const { input, connection, receiver, closed, end } = wire();
    input.destroy(new Error('broken'));
    await turns();
    connection.start(receiver);
    await end;
    expect(closed).toEqual([expect.any(TransportError)]);
  });

  it('ignores a write that fails after it has closed', async () => {
    const clock = stillClock();
    const [input, output] = [new PassThrough(), new Sink()];
    const ends = { input, output, release: async () => undefined };
    const connection = new FramedConnection(ends, framingOf({ delay: clock.delay }));
    output.hold();
    const { receiver, closed } = recorder();
    connection.start(receiver);
    void connection.send('"never read, long enough to fill it"');
    const closing = connection.close();
    clock.strike();
    await closing;
    output.destroy(new Error('write EPIPE'));
    await turns();
    expect(closed).toEqual([undefined]);
  });

  it('leaves no listeners behind', async () => {
    const { input, output, connection, receiver } = wire();
    const count = (streams: (PassThrough | Sink)[]) => streams.map((stream) => stream.eventNames().length);
    connection.start(receiver);
    await connection.close();
    await turns();
    expect(count([input, output])).toEqual(count([new PassThrough(), new Sink()]));
  });

  it('survives a receiver that closes while it receives', async () => {
    const { input, connection, receiver, seen, closed, end } = wire({}, () => {
      void connection.close();
      return '"answer"';
    });
    connection.start(receiver);
    input.write('1\n2\n');
    await end;
    expect(seen).toEqual([1]);
    expect(closed).toEqual([undefined]);
  });

  it('throws when it is misused', () => {
    const { connection, receiver } = wire();
    connection.start(receiver);
    expect(() => connection.start(receiver)).toThrow(TypeError);
  });
});
