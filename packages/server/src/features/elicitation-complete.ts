import { UrlElicitationRequiredError } from '@tenon/mcp-protocol';
import { detach, isObject } from '@tenon/mcp-protocol/internal';
import { Endpoint } from '@tenon/mcp-session';
import type { CallPort } from '../context-ports.js';

/** Visits one session is known to have been sent on; older ones are forgotten. */
const mostOpen = 128;

/** The visits each session was sent on, by the id it was told; sessions that were sent on none have no entry. */
const open = new WeakMap<Endpoint, Set<string>>();

/** Remembers that the sender of a request was told the id of a page to visit. */
export function noteVisit(request: Pick<CallPort, 'host' | 'revision'>, elicitationId: string): void {
  const endpoint = request.host.conversation;
  if (!(endpoint instanceof Endpoint) || !request.revision.rules.elicitationIds) return;
  const ids = open.get(endpoint) ?? new Set();
  open.set(endpoint, ids);
  ids.add(elicitationId);
  for (const oldest of ids) {
    if (ids.size <= mostOpen) break;
    ids.delete(oldest);
  }
}

/** Remembers the pages an error sends the user to. */
export function noteFailure(thrown: unknown, request: Pick<CallPort, 'host' | 'revision'>): void {
  if (!(thrown instanceof UrlElicitationRequiredError) || !isObject(thrown.data)) return;
  const { elicitations } = thrown.data as { elicitations: readonly { readonly elicitationId: string }[] };
  for (const { elicitationId } of elicitations) noteVisit(request, elicitationId);
}

/** Tells the session that was sent to a page, and no other, that the visit is over; false when there is none. */
export function tellVisited(endpoints: Iterable<Endpoint>, elicitationId: string): boolean {
  for (const endpoint of endpoints) {
    if (open.get(endpoint)?.delete(elicitationId) !== true) continue;
    detach(endpoint.notify('notifications/elicitation/complete', { elicitationId }), () => {});
    return true;
  }
  return false;
}
