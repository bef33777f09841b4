import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/**
 * Returns the current share of all cores that other programs take, from 0 to 1. This process rests meanwhile.
 *
 * @param {number} ms length of the measurement
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
