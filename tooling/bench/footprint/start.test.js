import { expect, test } from 'vitest';
import { timeStart } from './start.js';

const input = { city: 'Oslo', days: 3 };

test('a program is timed from its start to its list, and on to the answer of its first call', async () => {
  const before = performance.now();
  const { listed, called } = await timeStart({ program: 'start-bare.js', input });
  expect(listed).toBeGreaterThan(0);
  expect(called).toBeGreaterThan(listed);
  expect(called).toBeLessThanOrEqual(performance.now() - before);
});

test('a program that does not answer is no figure', async () => {
  await expect(timeStart({ program: 'no-such-program.js', input })).rejects.toThrow(
    /no-such-program\.js did not answer[\s\S]*Cannot find module/,
  );
});
