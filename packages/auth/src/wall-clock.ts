import type { Clock } from '@tenon/mcp-protocol';
import { systemClock } from '@tenon/mcp-session';

/** The time of day: its `now()` is milliseconds since 1970, as tokens count; where a clock is set, it jumps. */
export const wallClock: Clock = {
  now: () => Date.now(),
  schedule: (task, ms, holds) => systemClock.schedule(task, ms, holds),
};
