import { expect, it } from 'vitest';
import { ManualClock } from '../../test/manual-clock.js';
import { signInWait } from './sign-in-wait.js';

it.each([
  [400, '1 second'],
  [1_500, '2 seconds'],
  [300_000, '5 minutes'],
])('tells after %i ms that nobody signed in within %s', async (patience, told) => {
  const clock = new ManualClock();
  const { over } = signInWait({ clock, patience, signal: undefined });
  const outcome = expect(over).rejects.toMatchObject({
    reason: 'timeout',
    message: `Nobody signed in within ${told}.`,
  });
  await clock.advance(patience);
  await outcome;
});

it('ends with the signal, and leaves nothing behind once it is stopped', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const wait = signInWait({ clock, patience: 1_000, signal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(wait.over).rejects.toThrow('gone');
  wait.stop();
  expect(clock.waiting).toEqual([]);
  expect(() => signInWait({ clock, patience: 1_000, signal: controller.signal })).toThrow('gone');
});
