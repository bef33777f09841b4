/** Returns a generator of numbers from 0 up to 1 that repeats for the same seeds. */
export function seededRandom(...seeds: readonly number[]): () => number {
  let state = 0x9e3779b9;
  for (const seed of seeds) state = scramble(state ^ seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
}

// The Mulberry32 mixing function: small, and sufficient to distribute faults.
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return mixed ^ (mixed >>> 14);
}
