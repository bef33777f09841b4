import { expect, it } from 'vitest';
import { Nonces } from './nonces.js';

const lifetime = 300_000;

it('accepts the current nonce and the previous one', async () => {
  const nonces = new Nonces({});
  const first = await nonces.current(0);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(await nonces.current(lifetime - 1)).toBe(first);
  expect(await nonces.current(lifetime)).not.toBe(first);
  expect(await nonces.isTaken(first, lifetime)).toBe(true);
  expect(await nonces.isTaken(first, 2 * lifetime - 1)).toBe(true);
  expect(await nonces.isTaken(first, 2 * lifetime)).toBe(false);
  expect(await nonces.isTaken('', 0)).toBe(false);
});

it('makes the same nonces in all processes with the same secret', async () => {
  const secret = 'one secret for all the processes of it';
  const one = await new Nonces({ secret }).current(0);
  expect(await new Nonces({ secret: new TextEncoder().encode(secret) }).isTaken(one, 0)).toBe(true);
  expect(await new Nonces({ secret: `${secret}!` }).isTaken(one, 0)).toBe(false);
  expect(await new Nonces({}).isTaken(one, 0)).toBe(false);
});

it('rejects a secret that is too short', () => {
  expect(() => new Nonces({ secret: 'too short' })).toThrow(RangeError);
});
