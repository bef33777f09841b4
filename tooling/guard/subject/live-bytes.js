import { getHeapSpaceStatistics } from 'node:v8';

/** Returns the bytes of objects made since the last collection: those in the young generation and large objects. */
export function youngBytes() {
  return spaces((name) => name.startsWith('new_') || name === 'large_object_space');
}

/**
 * Returns the bytes of live objects without compiled code. Takes the least of a few readings, because memory that a space
 * reserves for the next allocations may count as used.
 */
export async function liveBytes() {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Start this process with --expose-gc.');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    gc();
    least = Math.min(
      least,
      spaces((name) => !name.startsWith('code')),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  return least;
}

/** @param {(name: string) => boolean} counts */
function spaces(counts) {
  let bytes = 0;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
    if (counts(space_name)) bytes += space_used_size;
  }
  return bytes;
}
