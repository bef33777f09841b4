import { groupOf, requireLeaseName } from './keys.js';
import type { Fence } from './state.js';
import { StateError } from './state-error.js';

/** Milliseconds for which a backend remembers the last token of a lease: no holder sleeps for longer and then writes. */
export const fenceLifetime: number = 7 * 86_400_000;

/** @throws TypeError if the lease of a fence does not cover the key: its name must be the first two segments of the key. */
export function requireFenceOf(key: string, { name, token }: Fence): void {
  requireLeaseName(name);
  if (groupOf(key) !== name)
    throw new TypeError(
      `State: the lease "${name}" does not fence "${key}". It fences keys that begin with "${name}/".`,
    );
  if (!Number.isSafeInteger(token))
    throw new TypeError(`State: the token of the lease "${name}" must be an integer.`);
}

/** Returns the error for a write with a token that is no longer the greatest. */
export function fenced(key: string, { name }: Fence): StateError {
  return new StateError(
    'fenced',
    `State: "${key}" was not written. A later holder acquired the lease "${name}".`,
  );
}
