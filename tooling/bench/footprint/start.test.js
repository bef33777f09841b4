import { expect, test } from 'vitest';
import { timeStart } from './start.js';

const input = { city: 'Oslo', days: 3 };

test('returns the times until the tool list and until the first answer', async () => {
  const before = performance.now();
  const { listed, called } = await timeStart({ program: 'stdio/bare.js', input });
  expect(listed).toBeGreaterThan(0);
  expect(called).toBeGreaterThan(listed);
  expect(called).toBeLessThanOrEqual(performance.now() - before);
});

test('rejects when the program does not answer', async () => {
  await expect(timeStart({ program: 'no-such-program.js', input })).rejects.toThrow(
    /no-such-program\.js did not answer[\s\S]*Cannot find module/,
  );
});
