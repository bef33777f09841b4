import { expect, it } from 'vitest';
import { tooLate } from './interaction.js';

it.each([
  [400, '1 second'],
  [1_500, '2 seconds'],
  [300_000, '5 minutes'],
])('says after %i ms that the user did not sign in within "%s"', (ms, duration) => {
  expect(tooLate(ms)).toMatchObject({
    reason: 'timeout',
    message: `The user did not sign in within ${duration}.`,
  });
});
