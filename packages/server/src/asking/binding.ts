import type { IncomingRequest } from '@tenon/mcp-session';
import { digestOf } from './canonical-json.js';

/** What state of this request belongs to: its caller, its method, and its params but for what changes between rounds. */
export async function bindingOf(request: IncomingRequest): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = request.params;
  const { principal } = request;
  return JSON.stringify([
    principal?.issuer ?? null,
    principal?.id ?? null,
    request.method,
    await digestOf(salient),
  ]);
}

/** Whose share of a replay store the state of this request is counted in. */
export function ownerOf({ principal, exchange }: IncomingRequest): string {
  return principal === undefined
    ? (exchange.facts.remoteAddress ?? '')
    : JSON.stringify([principal.issuer ?? null, principal.id]);
}
