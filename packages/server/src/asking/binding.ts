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

/** The call in words, for reports to the author. */
export function nameOf(request: IncomingRequest): string {
  const { name, uri } = request.params;
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string'
    ? `${request.method} ${JSON.stringify(target.slice(0, 128))}`
    : request.method;
}
