import { detach } from '@tenon/foundation';
import { UrlElicitationRequiredError } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { Endpoint } from '@tenon/mcp-session';
import type { CallPort } from '../core/call-port.js';

/** The most elicitations by URL remembered for one session; older ones are dropped. */
const mostOpen = 128;

/** The elicitations by URL of each session, by id; sessions without one have no entry. */
const open = new WeakMap<Endpoint, Set<string>>();

/** Remembers that a session was sent the id of an elicitation by URL. */
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

/** Remembers the pages of an `UrlElicitationRequiredError`. */
export function noteFailure(thrown: unknown, request: Pick<CallPort, 'host' | 'revision'>): void {
  if (!(thrown instanceof UrlElicitationRequiredError) || !isObject(thrown.data)) return;
  const { elicitations } = thrown.data as { elicitations: readonly { readonly elicitationId: string }[] };
  for (const { elicitationId } of elicitations) noteVisit(request, elicitationId);
}

/** Notifies only the session with the elicitation that it is complete; false if there is none. */
export function notifyElicitationComplete(endpoints: Iterable<Endpoint>, elicitationId: string): boolean {
  for (const endpoint of endpoints) {
    if (open.get(endpoint)?.delete(elicitationId) !== true) continue;
    detach(endpoint.notify('notifications/elicitation/complete', { elicitationId }), () => {});
    return true;
  }
  return false;
}
