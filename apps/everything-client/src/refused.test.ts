import { AuthError } from '@tenon/mcp-auth/client';
import { expect, it } from 'vitest';
import { refused } from './refused.js';

it('resolves when the attempt fails for the expected reason', async () => {
  await refused(Promise.reject(new AuthError('mismatch', 'not that one')), 'mismatch');
});

it.each([
  { attempt: () => Promise.resolve(), what: 'the client was let in' },
  { attempt: () => Promise.reject(new AuthError('timeout', 'late')), what: 'it failed: AuthError: late' },
  { attempt: () => Promise.reject(new Error('no server')), what: 'it failed: Error: no server' },
])('fails when $what', async ({ attempt, what }) => {
  await expect(refused(attempt(), 'mismatch')).rejects.toThrow(
    `It had to give up because of 'mismatch', and ${what}`,
  );
});
