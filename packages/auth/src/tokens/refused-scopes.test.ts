import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { AuthError } from '../auth-error.js';
import { RefusedScopes } from './refused-scopes.js';

const issuer = 'https://auth.example';
const denied = new AuthError('denied', 'Access was denied.', { oauthError: 'access_denied' });

function memory() {
  const clock = new FakeClock();
  return { clock, refused: new RefusedScopes(clock, { most: 2, pause: 60_000 }) };
}

it('recalls a set of scopes in any order, for its issuer, until the pause is over', () => {
  const { clock, refused } = memory();
  refused.remember(issuer, ['a', 'b'], denied);
  const recalled = refused.recall(issuer, ['b', 'a']);
  expect(recalled).toMatchObject({ reason: 'denied', oauthError: 'access_denied' });
  expect(recalled?.message).toBe(
    'Access was denied. It is not requested again for 60 s; signIn() requests it at once.',
  );
  expect(refused.recall(issuer, ['a'])).toBeUndefined();
  expect(refused.recall(issuer, undefined)).toBeUndefined();
  expect(refused.recall('https://other.example', ['a', 'b'])).toBeUndefined();
  clock.stall(60_000);
  expect(refused.recall(issuer, ['a', 'b'])).toBeUndefined();
});

it('drops the oldest set past the bound, and all sets with clear()', () => {
  const { refused } = memory();
  refused.remember(issuer, ['a'], denied);
  refused.remember(issuer, undefined, denied);
  refused.remember(issuer, ['a'], denied);
  refused.remember(issuer, ['c'], denied);
  expect(refused.recall(issuer, undefined)).toBeUndefined();
  expect(refused.recall(issuer, ['a'])).toBeDefined();
  expect(refused.recall(issuer, ['c'])).toBeDefined();
  refused.clear();
  expect(refused.recall(issuer, ['c'])).toBeUndefined();
});

it.each([
  ['access_denied', true],
  ['invalid_scope', true],
  [undefined, true],
  ['temporarily_unavailable', false],
  ['server_error', false],
  ['invalid_grant', false],
  ['invalid_client', false],
])('remembers a denial with the error %s: %s', (oauthError, isRemembered) => {
  const { refused } = memory();
  const error = new AuthError('denied', 'No.', oauthError === undefined ? {} : { oauthError });
  refused.rememberDenial(issuer, ['a'], error);
  expect(refused.recall(issuer, ['a']) !== undefined).toBe(isRemembered);
});

it.each(['timeout', 'sign-in-needed', 'unreachable'] as const)('does not remember the error %s', (reason) => {
  const { refused } = memory();
  refused.rememberDenial(issuer, ['a'], new AuthError(reason, 'Not now.'));
  expect(refused.recall(issuer, ['a'])).toBeUndefined();
});

it('recalls nothing after the clock was set back', () => {
  const { refused, clock } = memory();
  clock.stall(3_600_000);
  refused.remember(issuer, ['a'], new AuthError('denied', 'No.'));
  clock.stall(-3_000_000);
  expect(refused.recall(issuer, ['a'])).toBeUndefined();
});
