import { isSuspension } from './suspension.js';

const raised = new WeakSet<object>();

/** Notes that the engine itself rejects a promise with this. */
export function noteRaised(reason: unknown): void {
  if (typeof reason === 'object' && reason !== null) raised.add(reason);
}

/** True for what the engine itself rejected a promise with. */
export function isRaised(reason: unknown): boolean {
  return isSuspension(reason) || (typeof reason === 'object' && reason !== null && raised.has(reason));
}
