import type { Clock } from '@tenon/mcp-protocol';

/** Resolves with work at the end of a server, or when so many milliseconds have passed. Rejects with the work. */
export async function inTime(
  work: Promise<unknown>,
  clock: Pick<Clock, 'schedule'>,
  ms: number,
): Promise<void> {
  let stop = () => {};
  const late = new Promise<void>((resolve) => {
    stop = clock.schedule(resolve, ms, true);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    stop();
  }
}
