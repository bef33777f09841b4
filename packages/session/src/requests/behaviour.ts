import type { Clock } from '@tenon/foundation';
import type { Implementation, RequestId, Revision, Side, UnknownObject } from '@tenon/mcp-protocol';
import type { ErrorListener } from '../callbacks.js';
import type { Deadlines } from '../limits/deadlines.js';
import type { SessionBounds } from '../limits/limits.js';
import type { WorkInFlight } from '../limits/work-in-flight.js';
import type { CarriedTexts, Conversation, IncomingRequest } from './incoming-request.js';
import type { Middleware } from './middleware.js';
import type { RequestObserver } from './request-observer.js';

/** Handles one request method; a throw becomes an error response. */
export interface RequestHandler {
  handle(request: IncomingRequest): UnknownObject | Promise<UnknownObject>;
  /** Receives the error of the handler, before the answer is sent. Must not throw. */
  failed?(thrown: unknown, request: IncomingRequest): void;
  /** True if the same result object may be returned again, so that its text is kept. */
  readonly reusesResults?: true;
  /** Returns a result that describes the failure, for methods with such results. Default: the answer is an error. */
  failure?(message: string): UnknownObject;
  /** The name of the call in sentences. Default: the method. */
  subject?(request: IncomingRequest): string;
}

/** Limits of all handlers of one end. */
export interface HandlingBounds {
  /** The time of handlers. */
  readonly deadlines: Deadlines;
  /** Characters of one result as JSON. */
  readonly resultSize: number;
  /** The number of running handlers. */
  readonly work: WorkInFlight;
}

/** Handles one notification method; errors are only reported. */
export type NotificationHandler = (params: UnknownObject, conversation: Conversation) => void;

/** A request in flight that its sender cancelled, by a notification or by closing its exchange. */
export interface Cancelled {
  readonly id: RequestId;
  readonly method: string;
  /** The tool or prompt that was called. */
  readonly name?: string;
  /** The reason of the sender: one line of at most 200 characters. Untrusted. */
  readonly reason?: string;
}

/** The behaviour of one end. Lives as long as the program, is shared by all peers, and holds no peer's data. */
export interface Behaviour extends ErrorListener {
  readonly side: Side;
  /** The client info or server info of this end. */
  readonly info: Implementation;
  /** Supported revisions, newest first. */
  readonly revisions: readonly Revision[];
  readonly requests: ReadonlyMap<string, RequestHandler>;
  /** First in the list is outermost. */
  readonly middleware: readonly Middleware[];
  /** Returns the number of a request among those of its call. Absent: each call is one request. */
  readonly roundOf?: (request: IncomingRequest) => Promise<number>;
  /** Returns the texts that earlier rounds of its call carry. Absent: there are none. */
  readonly carriedBy?: (request: IncomingRequest) => Promise<CarriedTexts>;
  readonly limits: SessionBounds;
  /** Limits of handlers; absent if they wait for users. */
  readonly handling?: HandlingBounds;
  readonly clock: Clock;
  /** Reports the requests of peers; undefined while there is no listener. */
  observer?: RequestObserver | undefined;
  /** Returns the text of an internal error for the peer. Absent: internal errors are hidden. */
  readonly exposed?: (thrown: unknown) => string | undefined;
  /** Receives each request in flight that the peer cancels. */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /** Receives each request in flight that was cancelled because its sender is gone. */
  readonly onGone?: (cancelled: Cancelled) => void;
}

/** The phase of a conversation. */
export type EndpointState = 'open' | 'closing' | 'closed';
