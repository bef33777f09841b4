import type { Guard, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import type { Application } from '../call/application.js';
import type { HttpCall } from '../call/http-call.js';
import { jsonHeaders } from '../call/refusal.js';
import { areSendable } from './guard-documents.js';

/** The part of a guard that demands scopes from a caller. */
export type Demand = Pick<Guard, 'demand'>;

/** The demand for callers that were authenticated without a guard. */
export const bearerDemand: Demand = {
  demand(scopes, principal) {
    const scope = `scope="${scopes.join(' ')}"`;
    return principal === undefined
      ? { status: 401, headers: { 'www-authenticate': `Bearer ${scope}` } }
      : { status: 403, headers: { 'www-authenticate': `Bearer error="insufficient_scope", ${scope}` } };
  },
};

/** Returns the demand of a guard. Its errors are passed to `onError`. */
export function checkedDemand(guard: Guard, onError: Application['onError']): Demand {
  return {
    demand(scopes, principal) {
      const refusal = guard.demand(scopes, principal);
      if (!areSendable(refusal.headers))
        throw new TypeError('The demand of a guard has headers that cannot be sent.');
      if (refusal.cause !== undefined) onError(refusal.cause, 'authorization');
      return refusal;
    },
  };
}

/** Returns the demand that reports missing scopes to a caller; undefined if nothing authenticates callers. */
export function demandOf(
  call: HttpCall,
  scopes: readonly string[],
  principal: Principal | undefined,
): HttpRefusal | undefined {
  const { guard = principal === undefined ? undefined : bearerDemand } = call;
  return guard?.demand(scopes, principal);
}

/** Sends the error of a request with the status and headers of a demand. */
export function sendDemand(call: HttpCall, { status, headers }: HttpRefusal, frame: string): void {
  call.send(status, { ...jsonHeaders, ...headers }, frame);
}
