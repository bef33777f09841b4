import { expect, it } from 'vitest';
import { digestOf } from '../../crypto/digest.js';
import { createPkce } from './pkce.js';

it('makes a new verifier of 43 unreserved characters, and its challenge', async () => {
  const [one, other] = await Promise.all([createPkce(), createPkce()]);
  expect(one.verifier).toMatch(/^[\w-]{43}$/);
  expect(one.challenge).toBe(await digestOf(one.verifier));
  expect(other.verifier).not.toBe(one.verifier);
});
