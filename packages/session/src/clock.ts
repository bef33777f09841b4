import type { Cancel, Clock } from '@tenon/mcp-protocol';

export type { Cancel, Clock } from '@tenon/mcp-protocol';

// Beyond this, timers fire at once.
const longest = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(task, ms, holds = false) {
    const timer: unknown = setTimeout(task, Math.min(ms, longest));
    const cancel = () => clearTimeout(timer as ReturnType<typeof setTimeout>);
    if (!isHolding(timer)) return cancel;
    const hold = (on: boolean) => {
      if (on) timer.ref();
      else timer.unref();
    };
    if (!holds) timer.unref();
    return Object.assign(cancel, { hold }) satisfies Cancel;
  },
};

/** A timer of a runtime with processes that end when no timer holds them. */
function isHolding(timer: unknown): timer is { ref(): void; unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer;
}
