import { getHeapSpaceStatistics } from 'node:v8';

/** Bytes of the objects that were made since the last collection: what the young generation and large objects take. */
export function youngBytes() {
  return spaces((name) => name.startsWith('new_') || name === 'large_object_space');
}

/**
 * Bytes of live objects, compiled code left out. The least of a few readings: what a space has set aside to allocate
 * from next may count as used.
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
