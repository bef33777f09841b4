import {
  ErrorCode,
  type InboundRequest,
  type RequestId,
  type Revision,
  SessionError,
  type Side,
  type WireError,
} from '@tenon/mcp-protocol';
import type { SessionLimits } from '../budget/limits.js';
import { answerVersion } from './negotiation.js';

/** Where a conversation stands. */
export type EndpointState = 'open' | 'closing' | 'closed';

/** What of a conversation decides whether a request is taken. */
export interface Standing {
  readonly state: EndpointState;
  readonly side: Side;
  readonly revision: Revision | undefined;
  /** Newest first. */
  readonly supported: readonly Revision[];
  readonly limits: SessionLimits;
}

/** What of the requests in flight decides whether another one is taken. */
export interface Traffic {
  /** Handlers at work that count. */
  readonly working: number;
  has(id: RequestId): boolean;
  hasMethod(method: string): boolean;
}

/** Why a request is not taken; every refusal in the order in which it is looked for. */
export function refusalOf(
  message: InboundRequest,
  standing: Standing,
  traffic: Traffic,
): WireError | undefined {
  if (standing.state !== 'open') {
    const told = 'This end is closing and takes no further requests.';
    return { code: ErrorCode.shuttingDown, message: told };
  }
  const misplaced = misplacement(message, standing, traffic);
  if (misplaced !== undefined) return { code: ErrorCode.invalidRequest, message: misplaced };
  if (traffic.working < standing.limits.inFlight) return undefined;
  const told = `${traffic.working} requests are still worked on, those that were cancelled or stopped included. Try again later.`;
  return { code: ErrorCode.overloaded, message: told };
}

/** The error reported at a client whose server sends requests in a revision where servers send none. */
export function forbiddenRequest({ method }: InboundRequest): SessionError {
  const told = `The server sent the request ${method.slice(0, 128)}, which this revision does not allow.`;
  return new SessionError('invalid-answer', told);
}

/** Why a request cannot be part of a batch; undefined for one that can. */
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

/** Why a request has no place where it stands in the conversation. */
function misplacement(
  { id, method }: InboundRequest,
  { revision, side }: Standing,
  traffic: Traffic,
): string | undefined {
  if (method === 'initialize' && side === 'server') {
    if (revision !== undefined)
      return 'This session is initialized already; open another connection to start anew.';
    if (traffic.hasMethod('initialize')) return 'This session is being initialized already.';
  }
  if (side === 'client' && revision === undefined && method !== 'ping')
    return 'There is no session yet; answer initialize first.';
  return traffic.has(id) ? 'A request with this id is still being handled.' : undefined;
}

/** The revision that a request outside of any opens a conversation in; undefined when this end speaks none it fits. */
export function openingRevision(
  { params }: InboundRequest,
  supported: readonly Revision[],
): Revision | undefined {
  const requested = params?.protocolVersion;
  return answerVersion(typeof requested === 'string' ? requested : '', supported);
}
