import { expect, test } from 'vitest';
import { defaultLimits } from './limits.js';

test('the defaults are those of the documentation', () => {
  expect(defaultLimits).toEqual({
    inFlight: 1_024,
    pending: 1_024,
    batch: 100,
    batchAnswers: 8_388_608,
    requestTimeout: 60_000,
    requestTotal: 600_000,
    progressPerSecond: 100,
    drain: 5_000,
    introduction: 65_536,
  });
});
