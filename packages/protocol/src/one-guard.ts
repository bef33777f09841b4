import type { Guard } from './authorization.js';

/**
 * The guard of something that has none yet.
 * @throws TypeError for what is no guard, or when there is one already.
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
