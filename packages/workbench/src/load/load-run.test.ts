import { systemClock } from '@tenon/foundation';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { CallMix, type LoadCall, readLoadCalls } from './load-call.js';
import { type LoadProgress, type LoadSettings, runLoad, type SendCall } from './load-run.js';

const plan: LoadSettings = {
  calls: [{ tool: 'add' }],
  concurrency: 1,
  duration: 1_000,
  requests: 1_000_000,
  warmup: 0,
  rate: undefined,
};

/** A sender with calls that take so many milliseconds of a fake clock. */
function taking(clock: FakeClock, ms: number | ((index: number) => number)): SendCall {
  let sent = 0;
  return (_, signal) => {
    const index = sent++;
    return new Promise((resolve) => {
      const stop = () => {
        cancel();
        resolve({ kind: 'cancelled', message: 'It was cancelled.' });
      };
      const end = () => {
        signal.removeEventListener('abort', stop);
        resolve(undefined);
      };
      const cancel = clock.schedule(end, typeof ms === 'number' ? ms : ms(index));
      signal.addEventListener('abort', stop);
    });
  };
}

function started(own: Partial<LoadSettings>, senders: (clock: FakeClock) => readonly SendCall[]) {
  const clock = new FakeClock();
  const ending = new AbortController();
  const progress: LoadProgress[] = [];
  const run = runLoad(
    { ...plan, ...own },
    { senders: senders(clock), clock, signal: ending.signal, onProgress: (one) => progress.push(one) },
  );
  return { clock, ending, progress, run };
}

describe('runLoad', () => {
  it('starts a call when one has ended, until the duration is over', async () => {
    const { clock, run } = started({ concurrency: 2 }, (own) => [taking(own, 10)]);
    await clock.advance(1_010);
    const { seconds, total, calls } = await run;
    expect(total).toMatchObject({ calls: 200, errors: 0, perSecond: 200 / seconds });
    expect(total.latency).toMatchObject({ p50: expect.closeTo(10, 0), max: expect.closeTo(10, 0) });
    expect(calls).toEqual({ add: total });
  });

  it('ends after the requests', async () => {
    const { clock, run } = started({ requests: 7, concurrency: 3 }, (own) => [taking(own, 10)]);
    await clock.advance(30);
    expect(await run).toMatchObject({ total: { calls: 7 }, seconds: 0.03, isInterrupted: false });
    expect(clock.waiting).toEqual([]);
  });

  it('deals workers to connections', async () => {
    const counts = [0, 0];
    const counting =
      (index: number): SendCall =>
      async () => {
        counts[index] = (counts[index] ?? 0) + 1;
        return undefined;
      };
    await started({ requests: 100, concurrency: 4 }, () => [counting(0), counting(1)]).run;
    expect(counts).toEqual([50, 50]);
  });

  it('does not count the warm-up', async () => {
    const sent: LoadCall[] = [];
    const { run } = started({ requests: 5, warmup: 3 }, () => [
      async (call) => {
        sent.push(call);
        return undefined;
      },
    ]);
    expect((await run).total.calls).toBe(5);
    expect(sent).toHaveLength(8);
  });

  it('measures from the time that a call was due at a rate', async () => {
    // The first call takes 500 ms, and with one worker all calls that were due meanwhile are late.
    const { clock, run } = started({ rate: 10, requests: 6 }, (own) => [
      taking(own, (index) => (index === 0 ? 500 : 1)),
    ]);
    await clock.advance(2_000);
    const { total } = await run;
    expect(total.calls).toBe(6);
    expect(total.latency?.max).toBeCloseTo(500, 0);
    // 500, 401, 302, 203, 104 and 5 ms late, instead of 500 and five times 1.
    expect(total.latency?.mean).toBeCloseTo((500 + 401 + 302 + 203 + 104 + 5) / 6, 0);
  });

  it('keeps the rate when calls are fast', async () => {
    const { clock, run } = started({ rate: 100, concurrency: 10 }, (own) => [taking(own, 1)]);
    await clock.advance(1_100);
    const { total } = await run;
    expect(total.calls).toBe(100);
    expect(total.latency?.max).toBeCloseTo(1, 1);
  });

  it('counts errors by kind, and measures only the others', async () => {
    let sent = 0;
    const { run } = started({ requests: 10 }, () => [
      async () => (sent++ % 5 === 0 ? { kind: 'timeout', message: `number ${sent}` } : undefined),
    ]);
    expect(await run).toMatchObject({
      total: { calls: 10, errors: 2 },
      errors: { timeout: { count: 2, example: 'number 1' } },
    });
  });

  it('counts kinds beyond the 20th as other', async () => {
    let sent = 0;
    const { run } = started({ requests: 30 }, () => [async () => ({ kind: `kind ${sent++}`, message: '' })]);
    const { errors, total } = await run;
    expect(Object.keys(errors)).toHaveLength(21);
    expect(errors.other?.count).toBe(10);
    expect(total.latency).toBeUndefined();
  });

  it('ends calls that run long after the duration', async () => {
    const { clock, run } = started({}, (own) => [taking(own, 1_000_000)]);
    await clock.advance(6_000);
    expect(await run).toMatchObject({ total: { calls: 1, errors: 1 }, errors: { cancelled: { count: 1 } } });
  });

  it('reports what was measured when it is interrupted', async () => {
    const { clock, ending, run } = started({ rate: 10 }, (own) => [taking(own, 1)]);
    await clock.advance(350);
    ending.abort();
    expect(await run).toMatchObject({ isInterrupted: true, total: { calls: 4, errors: 0 } });
    expect(clock.waiting).toEqual([]);
  });

  it('ends when no connection is left', async () => {
    const gone = { kind: 'closed', message: 'The server has exited.', isFinal: true };
    const { run } = started({ concurrency: 3 }, () => [async () => gone]);
    expect(await run).toMatchObject({ total: { calls: 3, errors: 3 }, errors: { closed: { count: 3 } } });
  });

  it('ends in time when each call fails at once', async () => {
    const ending = new AbortController();
    let sent = 0;
    const fails: SendCall = async () => {
      sent++;
      return { kind: 'closed', message: 'It fails.' };
    };
    const parts = { senders: [fails], clock: systemClock, signal: ending.signal };
    expect((await runLoad({ ...plan, duration: 50 }, parts)).total.errors).toBe(sent);
  });

  it('does not count calls that the interruption cancels', async () => {
    const { clock, ending, run } = started({ concurrency: 4 }, (own) => [taking(own, 100)]);
    await clock.advance(150);
    ending.abort();
    expect(await run).toMatchObject({ isInterrupted: true, total: { calls: 4, errors: 0 }, errors: {} });
  });

  it('reports progress', async () => {
    const { clock, progress, run } = started({}, (own) => [taking(own, 100)]);
    await clock.advance(1_100);
    await run;
    expect(progress.map(({ seconds, calls }) => [seconds, calls])).toEqual([
      [0, 0],
      [0.5, expect.any(Number)],
      [1, expect.any(Number)],
    ]);
  });
});

describe('CallMix', () => {
  it('deals calls by their weights', () => {
    const mix = new CallMix([{ tool: 'a', weight: 3 }, { tool: 'b' }]);
    expect(Array.from({ length: 8 }, () => mix.next())).toEqual([0, 0, 1, 0, 0, 0, 1, 0]);
  });
});

describe('readLoadCalls', () => {
  it('reads tools and methods', () => {
    const calls = [{ tool: 'search', arguments: { q: 'a' }, weight: 3 }, { method: 'ping' }];
    expect(readLoadCalls(calls, 'calls.json')).toEqual([calls[0], { method: 'ping', weight: 1 }]);
  });

  it.each([
    ['no list', {}, 'must contain a list'],
    ['an empty list', [], 'must contain a list'],
    ['a number', [5], 'needs a tool'],
    ['an unknown method', [{ method: 'tools/call' }], 'needs a tool, or one of the methods'],
    ['both', [{ tool: 'a', method: 'ping' }], 'needs a tool'],
    ['a misspelt member', [{ tool: 'a', args: {} }], 'unknown member "args"'],
    ['a weight of 0', [{ tool: 'a', weight: 0 }], 'weight must be'],
    ['arguments that are a list', [{ tool: 'a', arguments: [] }], 'arguments must be an object'],
  ])('rejects %s', (_, value, message) => {
    expect(() => readLoadCalls(value, 'calls.json')).toThrow(message);
  });
});
