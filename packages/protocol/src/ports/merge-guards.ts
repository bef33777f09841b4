import type { Guard } from './authorization.js';

/**
 * Returns the guard for a server or handler without one.
 * @throws TypeError if `guard` is not a guard, or if there is one already.
 */
export function onlyGuard(guard: Guard, present: Guard | undefined): Guard {
  if (typeof guard?.admit !== 'function' || typeof guard.demand !== 'function' || !isMap(guard.documents)) {
    throw new TypeError('guard() takes a guard: an object with admit, demand and a Map of documents.');
  }
  if (present !== undefined)
    throw new TypeError('There is a guard already: protect a server once, or each of its handlers.');
  return guard;
}

function isMap(value: unknown): boolean {
  return value instanceof Map;
}
