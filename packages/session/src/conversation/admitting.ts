import {
  ErrorCode,
  type InboundRequest,
  type RequestId,
  type Revision,
  SessionError,
  type Side,
  type WireError,
} from '@tenon/mcp-protocol';
import type { EndpointState } from '../requests/behaviour.js';
import { answerVersion } from './negotiation.js';

/** The state of a conversation on which the admission of a request depends. */
export interface Standing {
  readonly state: EndpointState;
  readonly side: Side;
  readonly revision: Revision | undefined;
  /** Newest first. */
  readonly supported: readonly Revision[];
}

/** The state of the requests in flight on which the admission of another one depends. */
export interface RequestsInFlight {
  has(id: RequestId): boolean;
  hasMethod(method: string): boolean;
}

/** Returns the error for a request that does not fit into the conversation; all such errors, in the order of the checks. */
export function refusalOf(
  message: InboundRequest,
  standing: Standing,
  inFlight: RequestsInFlight,
): WireError | undefined {
  if (standing.state !== 'open') {
    const text = 'This end is closing and takes no further requests.';
    return { code: ErrorCode.shuttingDown, message: text };
  }
  const misplaced = misplacement(message, standing, inFlight);
  return misplaced === undefined ? undefined : { code: ErrorCode.invalidRequest, message: misplaced };
}

/** The error that a client reports if its server sends requests in a revision without server requests. */
export function forbiddenRequest({ method }: InboundRequest): SessionError {
  const text = `The server sent the request ${method.slice(0, 128)}, which this revision does not allow.`;
  return new SessionError('invalid-answer', text);
}

/** Returns the reason for which a request cannot be part of a batch; undefined if it can. */
export function batchRefusalOf(
  message: InboundRequest,
  session: Revision | undefined,
): WireError | undefined {
  if (message.method === 'initialize') {
    return {
      code: ErrorCode.invalidRequest,
      message: 'initialize cannot be part of a batch; send it alone.',
    };
  }
  if (message.revision === session) return undefined;
  return {
    code: ErrorCode.invalidRequest,
    message: 'A request of this revision cannot be part of a batch; send it alone.',
  };
}

/** Returns the error for a request in the wrong phase of the conversation. */
function misplacement(
  { id, method }: InboundRequest,
  { revision, side }: Standing,
  inFlight: RequestsInFlight,
): string | undefined {
  if (method === 'initialize' && side === 'server') {
    if (revision !== undefined)
      return 'This session is initialized already; open another connection to start anew.';
    if (inFlight.hasMethod('initialize')) return 'This session is being initialized already.';
  }
  if (side === 'client' && revision === undefined && method !== 'ping')
    return 'There is no session yet; answer initialize first.';
  return inFlight.has(id) ? 'A request with this id is still being handled.' : undefined;
}

/** Returns the revision of a conversation that a request opens; undefined if this end supports none that fits. */
export function openingRevision(
  { params }: InboundRequest,
  supported: readonly Revision[],
): Revision | undefined {
  const requested = params?.protocolVersion;
  return answerVersion(typeof requested === 'string' ? requested : '', supported);
}
