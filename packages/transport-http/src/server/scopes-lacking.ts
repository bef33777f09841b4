import type { Guard, HttpRefusal, Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from './http-call.js';
import { jsonHeaders } from './refusal.js';

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

/** True for somebody who did not say who he is, though he was asked. */
export function isAnonymous(call: HttpCall, principal: Principal | undefined): boolean {
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
