import { type Delay, within } from './delay.js';
import type { ProcessGroup } from './process-group.js';

/** How long each rung of the ladder waits, in milliseconds. */
export interface ReapingWaits {
  /** After closing stdin, before asking the group to end. 2,000 by default. */
  readonly closeWaitMs: number;
  /** After asking, before ending it by force. 2,000 by default. */
  readonly terminateWaitMs: number;
  /** After ending it by force, before giving it up. 1,000 by default. */
  readonly killWaitMs: number;
}

/** A child and its group as the ladder sees them. */
export interface Reapable {
  /** Settles when the child itself has exited. */
  readonly exited: Promise<unknown>;
  readonly group: ProcessGroup;
  readonly waits: ReapingWaits;
  readonly delay: Delay;
}

// Nothing tells when the last process of a group has gone, so it is asked for.
const pollMs = 20;

/** Waits for a child whose stdin has been closed; asks it to end and then ends it when it does not go by itself. */
export async function reapLeader({ exited, group, waits, delay }: Reapable): Promise<void> {
  if (await within(exited, waits.closeWaitMs, delay)) return;
  group.terminate();
  if (await within(exited, waits.terminateWaitMs, delay)) return;
  group.kill();
  await within(exited, waits.killWaitMs, delay);
}

/** Ends what a child has left behind in its group. */
export async function reapSurvivors({ group, waits, delay }: Omit<Reapable, 'exited'>): Promise<void> {
  if (!group.alive()) return;
  group.terminate();
  if (await emptied(group, waits.terminateWaitMs, delay)) return;
  group.kill();
  await emptied(group, waits.killWaitMs, delay);
}

async function emptied(group: ProcessGroup, ms: number, delay: Delay): Promise<boolean> {
  for (let left = ms; group.alive(); left -= pollMs) {
    if (left <= 0) return false;
    await new Promise<void>((resolve) => delay(Math.min(left, pollMs), resolve));
  }
  return true;
}
