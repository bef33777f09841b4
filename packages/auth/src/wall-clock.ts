import { type Clock, systemClock } from '@tenon/foundation';

/** The time of day: `now()` is milliseconds since 1970, as in tokens. It jumps when the system clock is set. */
export const wallClock: Clock = {
  now: () => Date.now(),
  schedule: (task, ms, holds) => systemClock.schedule(task, ms, holds),
};
