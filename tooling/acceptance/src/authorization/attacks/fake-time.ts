import { FakeClock } from '@tenon/mcp-testing';

/** Returns a clock that tests move, shared by all ends of a row. */
export function fakeTime(): FakeClock {
  const clock = new FakeClock();
  // Streams use the system clock: both start at the same time.
  clock.stall(Date.now());
  return clock;
}
