import { follow } from '@tenon/mcp-protocol/internal';

/** Runs `run` once after `ms` milliseconds, unless the function it returns is called first. */
export type Delay = (ms: number, run: () => void) => () => void;

/** The real clock. */
export const realDelay: Delay = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Resolves true when `event` settles within `ms` milliseconds, else false. */
export function within(event: Promise<unknown>, ms: number, delay: Delay): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = delay(ms, () => resolve(false));
    const happened = (): void => {
      cancel();
      resolve(true);
    };
    follow(event, happened, happened);
  });
}
