import { follow, unlessAborted } from '@tenon/foundation';
import type { RequestMethod, ResultOf, UnknownObject } from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';
import type { Session } from '../session/session.js';
import type { OpenResults, Sent } from './call.js';
import { cancellation, nameOfCall } from './call-errors.js';

/**
 * Sends a request without its signal. If that aborts, the call ends, and its extension receives the answer later.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation#behavior-requirements
 */
export async function keptRequest<M extends RequestMethod>(
  call: Sent<M>,
  options: RequestOptions,
  { session, results }: { readonly session: Session; readonly results: OpenResults },
): Promise<ResultOf<M>> {
  const { method, params } = call;
  const { signal, ...others } = options;
  if (signal === undefined || signal.aborted) return session.endpoint.request(method, params, options);
  const answer = session.endpoint.request(method, params, others);
  const late = (result: object) => results.abandon(result as UnknownObject, { ...call, session });
  try {
    return await unlessAborted(answer, signal, (reason) => cancellation(nameOfCall(call), reason));
  } catch (error) {
    if (signal.aborted) follow(answer, late, () => {});
    throw error;
  }
}
