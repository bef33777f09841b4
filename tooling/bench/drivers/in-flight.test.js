import { describe, expect, it } from 'vitest';
import { keepInFlight } from './in-flight.js';

/** Answers each request in a later turn of the event loop, and counts. */
function echo() {
  const seen = { sent: 0, waiting: 0, atOnce: 0 };
  const send = (/** @type {import('./in-flight.js').OnEnd} */ onEnd) => {
    seen.sent++;
    seen.waiting++;
    seen.atOnce = Math.max(seen.atOnce, seen.waiting);
    setImmediate(() => {
      seen.waiting--;
      onEnd(undefined);
    });
  };
  return { seen, send };
}

describe('keepInFlight', () => {
  it('sends the least number of requests when the time is over, and waits for all answers', async () => {
    const { seen, send } = echo();
    const { count } = await keepInFlight({ ms: 0, least: 10, depth: 3 }, send);
    expect(count).toBe(seen.sent);
    expect(count).toBeGreaterThanOrEqual(10);
    expect(seen).toMatchObject({ waiting: 0, atOnce: 3 });
  });

  it('sends no more than the most requests while there is time', async () => {
    const { seen, send } = echo();
    expect(await keepInFlight({ ms: 60_000, most: 7, depth: 3 }, send)).toMatchObject({ count: 7 });
    expect(seen.sent).toBe(7);
    expect(await keepInFlight({ ms: 60_000, most: 2, depth: 3 }, send)).toMatchObject({ count: 2 });
  });

  it('rejects with the problem of an answer', async () => {
    const failing = keepInFlight({ ms: 0, depth: 2 }, (onEnd) => setImmediate(() => onEnd('status 500')));
    await expect(failing).rejects.toThrow('status 500');
  });
});
