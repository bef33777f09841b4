import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { signInWait } from './sign-in-wait.js';

it.each([
  [400, '1 second'],
  [1_500, '2 seconds'],
  [300_000, '5 minutes'],
])('rejects after %i ms with the duration "%s"', async (timeout, duration) => {
  const clock = new FakeClock();
  const { over } = signInWait({ clock, timeout, signal: undefined });
  const outcome = expect(over).rejects.toMatchObject({
    reason: 'timeout',
    message: `The user did not sign in within ${duration}.`,
  });
  await clock.advance(timeout);
  await outcome;
});

it('rejects with the reason of the signal, and leaves no timer behind', async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const wait = signInWait({ clock, timeout: 1_000, signal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(wait.over).rejects.toThrow('gone');
  wait.stop();
  expect(clock.waiting).toEqual([]);
  expect(() => signInWait({ clock, timeout: 1_000, signal: controller.signal })).toThrow('gone');
});
