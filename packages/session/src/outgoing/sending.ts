import { type ParamsOf, type RequestMethod, type Revision, SessionError } from '@tenon/mcp-protocol';
import type { Behaviour, EndpointState } from '../requests/behaviour.js';
import type { RelatedRequestOptions } from '../requests/incoming-request.js';

/** One request of a batch. */
export interface BatchCall<M extends RequestMethod = RequestMethod> {
  readonly method: M;
  readonly params: ParamsOf<M>;
}

/** Returns the revision to send in. A closing end may only send messages that belong to a request in flight. */
export function sendingRevision(
  what: string,
  { state, revision }: { readonly state: EndpointState; readonly revision: Revision | undefined },
  { request }: RelatedRequestOptions,
): Revision | SessionError {
  if (state === 'closed' || (state === 'closing' && request === undefined)) {
    return new SessionError('closed', `The connection is closed; ${what} was not sent.`, { unhandled: true });
  }
  return revision ?? new SessionError('not-in-revision', `${what} cannot be sent before the handshake.`);
}

/** True if requests can be sent as one batch: the revision has batches, and there is no middleware. */
export function fitsBatch(
  calls: readonly BatchCall[],
  { rules }: Revision,
  { limits, middleware }: Behaviour,
): boolean {
  return (
    rules.batching &&
    calls.length <= limits.batch &&
    middleware.length === 0 &&
    calls.every(({ method }) => method !== 'initialize')
  );
}
