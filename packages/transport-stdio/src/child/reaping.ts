import { type Delay, within } from '../framing/framing-options.js';
import type { ProcessGroup } from './process-group.js';

/** The waits between the steps of ending a child, in milliseconds. */
export interface ReapingWaits {
  /** After closing stdin, before SIGTERM. */
  readonly closeWaitMs: number;
  /** After SIGTERM, before SIGKILL. */
  readonly terminateWaitMs: number;
  /** After SIGKILL, before the child is abandoned. */
  readonly killWaitMs: number;
}

/** A child to end, and its group. */
export interface Reapable {
  /** Settles when the child itself has exited. */
  readonly exited: Promise<unknown>;
  readonly group: ProcessGroup;
  readonly waits: ReapingWaits;
  readonly delay: Delay;
}

// No event reports that the last process of a group has ended, so it is polled.
const pollMs = 20;

/** Waits for a child after its stdin was closed; sends SIGTERM and then SIGKILL if it does not end by itself. */
export async function reapLeader({ exited, group, waits, delay }: Reapable): Promise<void> {
  if (await within(exited, waits.closeWaitMs, delay)) return;
  group.terminate();
  if (await within(exited, waits.terminateWaitMs, delay)) return;
  group.kill();
  await within(exited, waits.killWaitMs, delay);
}

/** Ends the processes that a child has left behind in its group. */
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
