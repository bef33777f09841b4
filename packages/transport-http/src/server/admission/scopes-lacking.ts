import type { Guard, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import type { Application } from '../endpoint/application.js';
import type { HttpCall } from '../endpoint/http-call.js';
import { jsonHeaders } from '../endpoint/refusal.js';
import { areSendable } from './guard-headers.js';

/** What tells a caller which scopes it takes. */
export type Demand = Pick<Guard, 'demand'>;

/** For whoever is known by other means than a guard. */
export const bearerDemand: Demand = {
  demand(scopes, principal) {
    const scope = `scope="${scopes.join(' ')}"`;
    return principal === undefined
      ? { status: 401, headers: { 'www-authenticate': `Bearer ${scope}` } }
      : { status: 403, headers: { 'www-authenticate': `Bearer error="insufficient_scope", ${scope}` } };
  },
};

/** What a guard demands, where the operator hears of what goes wrong with it. */
export function heardDemand(guard: Guard, onError: Application['onError']): Demand {
  return {
    demand(scopes, principal) {
      const refusal = guard.demand(scopes, principal);
      if (!areSendable(refusal.headers))
        throw new TypeError('A guard demanded with headers that cannot be sent.');
      if (refusal.cause !== undefined) onError(refusal.cause, 'authorization');
      return refusal;
    },
  };
}

/** True for somebody who did not say who he is, though he was asked. */
export function isAnonymous(call: Pick<HttpCall, 'guard'>, principal: Principal | undefined): boolean {
  return principal === undefined && call.guard !== undefined;
}

/** How a caller hears that his scopes do not suffice; undefined where nobody asks who is calling. */
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
