import type { CallToolParams, RequestMethod, ResultOf, UnknownObject } from '@tenon/mcp-protocol';
import { follow as settle } from '@tenon/mcp-protocol/internal';
import type { RequestOptions } from '@tenon/mcp-session';
import type { Session } from '../session/session.js';
import type { Sent } from './call.js';
import { cancellation, follow, nameOfCall, type OpenResults } from './whole-call.js';

/** A request that the client does not cancel: its task is cancelled once it is known. */
export interface KeptRequest<M extends RequestMethod> {
  readonly call: Sent<M>;
  readonly options: RequestOptions;
  readonly session: Session;
  readonly results: OpenResults;
}

/**
 * True for a tool call that requests a task.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation#behavior-requirements
 */
export function requestsTask(method: RequestMethod, params: object): boolean {
  return method === 'tools/call' && (params as CallToolParams).task !== undefined;
}

/** Sends a request without its signal. If that aborts, the call ends, and its extension receives the answer later. */
export async function keptRequest<M extends RequestMethod>(kept: KeptRequest<M>): Promise<ResultOf<M>> {
  const { call, options, results, session } = kept;
  const { method, params } = call;
  const { signal, ...others } = options;
  if (signal === undefined || signal.aborted) return session.endpoint.request(method, params, options);
  const answer = session.endpoint.request(method, params, others);
  let release = () => {};
  const aborted = new Promise<never>((_, reject) => {
    release = follow(signal, () => reject(cancellation(nameOfCall(call), signal.reason)));
  });
  const late = (result: object) => results.abandon(result as UnknownObject, { ...call, session });
  try {
    return await Promise.race([answer, aborted]);
  } catch (error) {
    if (signal.aborted) settle(answer, late, () => {});
    throw error;
  } finally {
    release();
  }
}
