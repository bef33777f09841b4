import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the longest time, in milliseconds, during which a task blocked the event loop, even if it fails. */
async function blockedBy(task: () => Promise<unknown>): Promise<number> {
  const depth = Error.stackTraceLimit;
  // The default outside of test runners, since errors cost time by it.
  Error.stackTraceLimit = 10;
  let blocked = 0;
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  const done = task();
  done.then(over, over);
  for (let last = now(); !isOver; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = now();
    // A busy machine lengthens the wall time, other threads the CPU time; the minimum excludes both.
    blocked = Math.max(blocked, Math.min(next.wall - last.wall, next.cpu - last.cpu));
    last = next;
  }
  Error.stackTraceLimit = depth;
  await done.catch(() => undefined);
  return blocked;
}

/** Bounds of a task. */
export interface Bounds {
  /**
   * Maximum time the event loop may be blocked, in multiples of parsing an ordinary document. Default 20, or 200 for a task
   * that cannot be repeated.
   */
  readonly blocked?: number;
  /** Maximum growth of the heap, in megabytes. Default 4. */
  readonly held?: number;
}

/** Checks a task against its bounds. A busy machine makes one attempt slow, a bug all five. */
export async function isLight(task: () => Promise<unknown>, bounds: Bounds = {}): Promise<void> {
  const { blocked: times = 20, held = 4 } = bounds;
  const before = heldNow();
  let blocked = await blockedBy(task);
  for (let attempt = 2; attempt <= 5 && blocked >= times * unit(); attempt++) blocked = await blockedBy(task);
  expect(blocked).toBeLessThan(times * unit());
  expect(heldNow() - before).toBeLessThan(held * 2 ** 20);
}

/** Checks a task that cannot be repeated against its bounds. */
export async function isLightOnce(task: () => Promise<unknown>, bounds: Bounds = {}): Promise<void> {
  const { blocked: times = 200, held = 4 } = bounds;
  const before = heldNow();
  const blocked = await blockedBy(task);
  expect(blocked).toBeLessThan(times * unit());
  expect(heldNow() - before).toBeLessThan(held * 2 ** 20);
}

const document = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, text: `row ${id}` })));
let shortest = Number.POSITIVE_INFINITY;

/** Milliseconds this machine needs to parse an ordinary document of 700 kB. */
function unit(): number {
  for (let time = 0; time < 3; time++) {
    const start = now().wall;
    JSON.parse(document);
    shortest = Math.min(shortest, now().wall - start);
  }
  return shortest;
}

function now(): { readonly wall: number; readonly cpu: number } {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1_000 };
}

function heldNow(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
