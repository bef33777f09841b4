import { isSuspension } from './suspension.js';

/** Receives a promise that rejected with an error of an input request; undefined for a promise of the author. */
export type Rejected = (promise: object | undefined) => void;

const raised = new WeakMap<object, Rejected | undefined>();

/**
 * Notes that the engine itself rejects a promise with this.
 * @param rejected - called for each promise that rejects with it.
 */
export function noteRaised(reason: unknown, rejected?: Rejected): void {
  if (typeof reason === 'object' && reason !== null) raised.set(reason, rejected);
}

/** True for an error with which the engine itself rejected a promise. */
export function isRaised(reason: unknown): boolean {
  return isSuspension(reason) || (typeof reason === 'object' && reason !== null && raised.has(reason));
}

/** Notifies the tracker of the error's input request that a promise rejected with the error. */
export function noteRejected(reason: unknown, promise?: object): void {
  if (typeof reason === 'object' && reason !== null) raised.get(reason)?.(promise);
}
