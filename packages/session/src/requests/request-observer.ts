import type { Clock } from '@tenon/foundation';
import {
  ErrorCode,
  type EventPort,
  type Exchange,
  eventPeer,
  eventReason,
  eventText,
  type InboundRequest,
  type RequestEvent,
  type RequestId,
  type RequestStamp,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import type { IncomingRequest, RequestHost } from './incoming-request.js';
import { sessionIn } from './session-id.js';

/** A request that is answered with an error before it reaches a handler. */
export interface RefusedRequest {
  readonly message: InboundRequest;
  readonly exchange: Exchange;
  readonly from: RequestStamp;
  readonly host: Pick<RequestHost, 'conversation'>;
}

/** Reports the requests of peers as events, each once, with its outcome. */
export class RequestObserver {
  readonly #events: EventPort;
  readonly #clock: Clock;

  constructor(events: EventPort, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  /** Notes that a request begins. */
  begun(request: IncomingRequest): void {
    request.begunAt = this.#clock.now();
  }

  answered(request: IncomingRequest, result: UnknownObject): void {
    if (request.begunAt !== undefined) this.#ended(request, { outcome: outcomeOf(request, result) });
  }

  failed(request: IncomingRequest, { code, message }: WireError): void {
    if (request.begunAt === undefined) return;
    const isOurs = codesOfBounds.has(code);
    this.#ended(request, {
      outcome: 'error',
      code,
      ...(isOurs && { reason: eventReason(message) }),
    });
  }

  /** @param why - `cancelled` by the peer, or the bound past which the handler was stopped. */
  stopped(request: IncomingRequest, why: 'cancelled' | 'timeout' | 'limit'): void {
    if (request.begunAt !== undefined) this.#ended(request, { outcome: why });
  }

  /** Reports a request that reached no handler. */
  refused({ message, exchange, from, host }: RefusedRequest, { code, message: reason }: WireError): void {
    const { id, method, params, revision } = message;
    this.#events.emit({
      type: 'request',
      ...eventPeer(exchange, from.clientInfo, sessionIn(host, revision)),
      ...subject(method, params),
      id: shortId(id),
      revision: revision?.id ?? 'unknown',
      milliseconds: 0,
      outcome: 'error',
      code,
      reason: eventReason(reason),
    });
  }

  /** Reports a message that is no request. */
  unread(exchange: Pick<Exchange, 'facts'>, reason: string): void {
    this.#events.emit({
      type: 'refused',
      ...eventPeer(exchange),
      reason: eventReason(reason),
    });
  }

  #ended(request: IncomingRequest, how: Pick<RequestEvent, 'outcome' | 'code' | 'reason'>): void {
    const { begunAt = 0, round = 1 } = request;
    request.begunAt = undefined;
    this.#events.emit({
      type: 'request',
      ...eventPeer(request.exchange, request.client, request.sessionId),
      ...subject(request.method, request.received),
      id: shortId(request.id),
      revision: request.revision.id,
      ...(round > 1 && { round }),
      milliseconds: this.#clock.now() - begunAt,
      ...how,
    });
  }
}

/** Errors that a server makes itself: their texts have nothing of a handler. */
const codesOfBounds: ReadonlySet<number> = new Set([
  ErrorCode.overloaded,
  ErrorCode.rateLimited,
  ErrorCode.shuttingDown,
]);

function subject(method: string, params: UnknownObject | undefined): Pick<RequestEvent, 'method' | 'name'> {
  const name = method === 'tools/call' || method === 'prompts/get' ? params?.name : undefined;
  return { method: eventText(method), ...(typeof name === 'string' && { name: eventText(name) }) };
}

function shortId(id: RequestId): RequestId {
  return typeof id === 'string' ? eventText(id) : id;
}

function outcomeOf(request: IncomingRequest, { isError, resultType }: UnknownObject): string {
  if (request.cancelled) return 'cancelled';
  if (typeof resultType === 'string' && resultType !== 'complete') return resultType;
  return isError === true ? 'tool_error' : 'ok';
}
