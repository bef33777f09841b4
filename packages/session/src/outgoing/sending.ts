import { type ParamsOf, type RequestMethod, type Revision, SessionError } from '@tenon/mcp-protocol';
import type { EndpointState } from '../endpoint/admitting.js';
import type { Behaviour } from '../endpoint/behaviour.js';
import type { AskOptions } from '../incoming/incoming-request.js';

/** One request of a batch. */
export interface BatchCall<M extends RequestMethod = RequestMethod> {
  readonly method: M;
  readonly params: ParamsOf<M>;
}

/** The revision to send in. Once an end is closing, only what belongs to a request in flight may still be sent. */
export function sendingRevision(
  what: string,
  { state, revision }: { readonly state: EndpointState; readonly revision: Revision | undefined },
  { request }: AskOptions,
): Revision | SessionError {
  if (state === 'closed' || (state === 'closing' && request === undefined)) {
    return new SessionError('closed', `The connection is closed; ${what} was not sent.`);
  }
  return revision ?? new SessionError('not-in-revision', `${what} cannot be sent before the handshake.`);
}

/** True when requests can be sent as one batch: the revision has batches, and no middleware wants to see each request. */
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
