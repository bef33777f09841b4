import { FakeClock } from '@tenon/mcp-testing';

/** A clock of the time of day that goes on when it is told to: all ends of a row have the same one. */
export function fakeTime(): FakeClock {
  const clock = new FakeClock();
  // Streams are timed against the system's own clock: both begin at the same time.
  clock.stall(Date.now());
  return clock;
}
