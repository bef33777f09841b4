import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/**
 * The share of all cores that other programs take now, from 0 to 1. This process rests while it looks.
 *
 * @param {number} ms to look for
 */
export async function busyShare(ms) {
  const before = ticks();
  await setTimeout(ms);
  const after = ticks();
  return (after.busy - before.busy) / Math.max(1, after.all - before.all);
}

function ticks() {
  const sum = { busy: 0, all: 0 };
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((total, time) => total + time, 0);
    sum.all += all;
    sum.busy += all - times.idle;
  }
  return sum;
}
