import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The longest stretch, in milliseconds, in which nothing else could run while a task ran, whether or not it fails. */
async function blockedBy(task: () => Promise<unknown>): Promise<number> {
  const depth = Error.stackTraceLimit;
  // As it is where no test runner wants more: errors cost by it.
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
    // A machine that is busy with something else makes the one time longer, work of other threads the other.
    blocked = Math.max(blocked, Math.min(next.wall - last.wall, next.cpu - last.cpu));
    last = next;
  }
  Error.stackTraceLimit = depth;
  await done.catch(() => undefined);
  return blocked;
}

/** What a task may take at most. */
export interface Bounds {
  /**
   * How many times as long one stretch may be as the parsing of an ordinary document: 20 by default, 200 for a task that
   * cannot be repeated.
   */
  readonly blocked?: number;
  /** Megabytes that the task may leave behind; 4 by default. */
  readonly held?: number;
}

/** Holds a task to its bounds. A busy machine makes one attempt slow, and a bug all five. */
export async function isLight(task: () => Promise<unknown>, bounds: Bounds = {}): Promise<void> {
  const { blocked: times = 20, held = 4 } = bounds;
  const before = heldNow();
  let blocked = await blockedBy(task);
  for (let attempt = 2; attempt <= 5 && blocked >= times * unit(); attempt++) blocked = await blockedBy(task);
  expect(blocked).toBeLessThan(times * unit());
  expect(heldNow() - before).toBeLessThan(held * 2 ** 20);
}

/** Holds a task that cannot be repeated to its bounds. */
export async function isLightOnce(task: () => Promise<unknown>, bounds: Bounds = {}): Promise<void> {
  const { blocked: times = 200, held = 4 } = bounds;
  const before = heldNow();
  const blocked = await blockedBy(task);
  expect(blocked).toBeLessThan(times * unit());
  expect(heldNow() - before).toBeLessThan(held * 2 ** 20);
}

const document = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, text: `row ${id}` })));
let shortest = Number.POSITIVE_INFINITY;

/** Milliseconds in which this machine reads an ordinary document of 700 kB. */
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
