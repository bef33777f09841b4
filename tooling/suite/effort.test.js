import { expect, it } from 'vitest';
import { growsInProportion, takesAtMost } from './effort.js';

/** @param {number} steps */
function spin(steps) {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) % 65_521;
  return sum;
}

it('passes work that takes a few times as long as its reference', async () => {
  await takesAtMost(
    8,
    () => spin(200_000),
    () => spin(100_000),
  );
});

it('fails work that takes many times as long, with the factor', async () => {
  const slow = takesAtMost(
    8,
    () => spin(10_000_000),
    () => spin(100_000),
  );
  await expect(slow).rejects.toThrow(/^takes \d+\.\d times as long as its reference; at most 8 times/);
});

it('passes work in proportion to its size, and fails work that grows with the square', async () => {
  await growsInProportion(100_000, (size) => spin(size));
  await expect(growsInProportion(400, (size) => spin(size * size))).rejects.toThrow(/at most 24 times/);
});
