import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../testing/src/fake-clock.js';
import { onAbort, pause, unlessAborted, withDeadline, withinTime } from './cancellation.js';

/** An AbortController that counts the listeners of its signal. */
function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  return { controller, signal, listeners: () => add.mock.calls.length - remove.mock.calls.length };
}
const never = new Promise<never>(() => {});
const stopped = new Error('stopped');

describe('onAbort', () => {
  it('runs the task once when the signal aborts, and at once if it has', () => {
    const controller = new AbortController();
    const seen: string[] = [];
    onAbort(controller.signal, () => seen.push('later'));
    onAbort(controller.signal, () => seen.push('removed'))();
    controller.abort();
    onAbort(controller.signal, () => seen.push('at once'));
    onAbort(undefined, () => seen.push('never'))();
    expect(seen).toEqual(['later', 'at once']);
  });
});

describe('unlessAborted', () => {
  it('returns the result, and removes its listener', async () => {
    const { signal, listeners } = counted();
    await expect(unlessAborted(Promise.resolve(5), signal)).resolves.toBe(5);
    await expect(unlessAborted(Promise.reject(stopped), signal)).rejects.toBe(stopped);
    expect(listeners()).toBe(0);
  });

  it.each(['before', 'later'])('rejects with the reason of a signal that aborts %s', async (when) => {
    const { controller, signal } = counted();
    if (when === 'before') controller.abort(stopped);
    const waiting = unlessAborted(never, signal);
    controller.abort(stopped);
    await expect(waiting).rejects.toBe(stopped);
  });

  it('rejects with the error that is made of the reason', async () => {
    const work = unlessAborted(
      never,
      AbortSignal.abort(stopped),
      (cause) => new TypeError('left', { cause }),
    );
    await expect(work).rejects.toMatchObject({ name: 'TypeError', cause: stopped });
  });

  it('waits for the work without a signal', async () => {
    await expect(unlessAborted(Promise.resolve(5), undefined)).resolves.toBe(5);
  });
});

describe('pause', () => {
  it('resolves after the time, and removes its listener', async () => {
    const clock = new FakeClock();
    const { signal, listeners } = counted();
    let isOver = false;
    const waiting = pause(clock, 10, { signal }).then(() => {
      isOver = true;
    });
    await clock.advance(9);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(listeners()).toBe(0);
  });

  it('resolves when the signal aborts, and takes its timer back', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const waiting = pause(clock, 10, { signal: controller.signal });
    controller.abort();
    await waiting;
    await pause(clock, 10, { signal: controller.signal });
    expect(clock.waiting).toEqual([]);
  });
});

describe('withinTime', () => {
  it('returns the result or the error of work in time, and takes its timer back', async () => {
    const clock = new FakeClock();
    await expect(withinTime(Promise.resolve(5), { clock, ms: 10 })).resolves.toBe(5);
    await expect(withinTime(Promise.reject(stopped), { clock, ms: 10 })).rejects.toBe(stopped);
    expect(clock.waiting).toEqual([]);
  });

  it('returns undefined, or what the caller makes of it, after the time limit', async () => {
    const clock = new FakeClock();
    const fail = () => {
      throw stopped;
    };
    const outcomes = Promise.allSettled([
      withinTime(never, { clock, ms: 10 }),
      withinTime(never, { clock, ms: 10 }, () => 'late'),
      withinTime(never, { clock, ms: 10 }, fail),
    ]);
    await clock.advance(10);
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: 'late' },
      { status: 'rejected', reason: stopped },
    ]);
  });
});

describe('withDeadline', () => {
  const late = () => new Error('late');

  it('returns the result of the task, and keeps neither timer nor listener', async () => {
    const clock = new FakeClock();
    const { signal, listeners } = counted();
    await expect(withDeadline({ clock, ms: 10, signal, late }, async () => 5)).resolves.toBe(5);
    expect([clock.waiting, listeners()]).toEqual([[], 0]);
  });

  it('aborts the task after the time, and rejects even if the task goes on', async () => {
    const clock = new FakeClock();
    let given: AbortSignal | undefined;
    const task = withDeadline({ clock, ms: 10, late }, (signal) => {
      given = signal;
      return never;
    });
    const failed = expect(task).rejects.toThrow('late');
    await clock.advance(10);
    await failed;
    expect(given?.reason).toEqual(late());
  });

  it('rejects with the error of the caller when its signal aborts, whatever the task throws', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const aborted = (cause: unknown) => new TypeError('left', { cause });
    const task = withDeadline({ clock, ms: 10, signal: controller.signal, late, aborted }, async (signal) => {
      await unlessAborted(never, signal, () => new Error('of the task'));
    });
    const failed = expect(task).rejects.toMatchObject({ message: 'left', cause: stopped });
    await settled();
    controller.abort(stopped);
    await failed;
  });

  it('does not run the task if the signal has aborted', async () => {
    const task = vi.fn(async () => 5);
    const deadline = { clock: new FakeClock(), ms: 10, signal: AbortSignal.abort(stopped), late };
    await expect(withDeadline(deadline, task)).rejects.toBe(stopped);
    expect(task).not.toHaveBeenCalled();
  });
});
