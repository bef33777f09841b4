import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { StateError, type StateFailure } from '../state.js';
import { type Patience, untilReached } from './until-reached.js';

/** Work that fails until the test says otherwise, and the times of its attempts. */
function failing(reason: StateFailure, options: Partial<Patience> = {}) {
  const clock = new FakeClock();
  const began = clock.now();
  const times: number[] = [];
  const reports: unknown[] = [];
  const problem = new StateError(reason, 'State: no.');
  let isFailing = true;
  const outcome = untilReached({ clock, report: (error) => reports.push(error), ...options }, async () => {
    times.push(clock.now() - began);
    if (isFailing) throw new Error('Wrapped.', { cause: problem });
    return 'done';
  }).catch((error: Error) => error.cause);
  const restore = () => {
    isFailing = false;
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
  };
  return { outcome, times, reports, problem, restore, pass };
}

describe('untilReached', () => {
  it('repeats work with pauses that double up to 5 s while the state cannot be reached, and reports the first failure', async () => {
    const { outcome, times, reports, restore, pass } = failing('unavailable');
    await pass(13_000);
    restore();
    await pass(5_000);
    expect(await outcome).toBe('done');
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500]);
    expect(reports).toHaveLength(1);
  });

  it.each(['unavailable', 'full'] as const)('begins the last attempt after 30 s (%s)', async (reason) => {
    const { outcome, times, problem, pass } = failing(reason);
    await pass(31_000);
    expect(await outcome).toBe(problem);
    expect(times.at(-1)).toBe(30_000);
  });

  it('waits as long as it may for a state that cannot be reached, and 30 s for a full one', async () => {
    const away = failing('unavailable', { within: 60_000 });
    await away.pass(61_000);
    expect(away.times.at(-1)).toBe(60_000);
    const full = failing('full', { within: 60_000 });
    await full.pass(61_000);
    expect(full.times.at(-1)).toBe(30_000);
  });

  it.each(['fenced', 'quota', 'closed', 'too-large'] as const)(
    'rejects at once when no other attempt can succeed (%s)',
    async (reason) => {
      const { outcome, times, reports, problem } = failing(reason);
      expect(await outcome).toBe(problem);
      expect([times, reports]).toEqual([[0], []]);
    },
  );

  it('rejects with the last failure when its signal aborts', async () => {
    const stop = new AbortController();
    const { outcome, times, problem, pass } = failing('unavailable', { signal: stop.signal });
    await pass(500);
    stop.abort();
    await settled();
    expect(await outcome).toBe(problem);
    expect(times).toEqual([0, 500]);
  });
});
