import type {
  Implementation,
  RequestId,
  RequestStamp,
  Revision,
  Side,
  UnknownObject,
} from '@tenon/mcp-protocol';
import type { SessionLimits } from '../budget/limits.js';
import type { WorkInFlight } from '../budget/work-in-flight.js';
import type { Clock } from '../clock.js';
import type { Deadlines } from '../incoming/deadlines.js';
import type { Conversation, IncomingRequest } from '../incoming/incoming-request.js';
import type { Middleware } from '../incoming/middleware.js';
import type { Lifecycle } from './lifecycle.js';

/** Handles one request method; a throw becomes an error response. */
export interface RequestHandler {
  handle(request: IncomingRequest): UnknownObject | Promise<UnknownObject>;
  /** Hears of what the handler threw, before it is answered. Must not throw. */
  failed?(thrown: unknown, request: IncomingRequest): void;
  /** The same result object may be returned again, so that its text is worth keeping. */
  readonly reusesResults?: true;
  /** A result that says what went wrong, for a method whose results can; else it is said by an error. */
  failure?(told: string): UnknownObject;
  /** How sentences name what was called. Default: the method. */
  subject?(request: IncomingRequest): string;
}

/** Bounds of all handlers of an end. */
export interface HandlingBounds {
  /** How long they work. */
  readonly deadlines: Deadlines;
  /** Characters of one result as JSON. */
  readonly resultSize: number;
  /** How many are at work. */
  readonly work: WorkInFlight;
}

/** Handles one notification method; whatever it throws is only reported. */
export type NotificationHandler = (params: UnknownObject, conversation: Conversation) => void;

/** A request in flight that its sender took back: by a notification, or by going away where that means it. */
export interface Cancelled {
  readonly id: RequestId;
  readonly method: string;
  /** The tool or prompt that was called. */
  readonly name?: string;
  /** What the sender says of it: one line of at most 200 characters; anything may stand in it. */
  readonly reason?: string;
}

/** What an end does with messages. Lives as long as the program, is shared by all peers, and holds no peer's data. */
export interface Behaviour {
  readonly side: Side;
  /** What this end says of itself. */
  readonly info: Implementation;
  /** Revisions spoken, newest first. */
  readonly revisions: readonly Revision[];
  readonly requests: ReadonlyMap<string, RequestHandler>;
  /** First in the list is outermost. */
  readonly middleware: readonly Middleware[];
  readonly limits: SessionLimits;
  /** Bounds of handlers; absent where they wait for people. */
  readonly handling?: HandlingBounds;
  readonly clock: Clock;
  /** Hears of every error the peer must not be told of, and of messages that were dropped. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** The text a peer receives of an error that was not meant for it; absent where such errors are hidden. */
  readonly exposed?: (thrown: unknown) => string | undefined;
  /** Hears of each request in flight that the peer cancels. */
  readonly onCancelled?: (cancelled: Cancelled) => void;
  /** Hears of each request in flight whose sender is gone, where that cancels it. */
  readonly onGone?: (cancelled: Cancelled) => void;
}

/** What is known of one connection before it starts. */
export interface EndpointOptions {
  /** The revision, where it is settled without a handshake. */
  readonly revision?: Revision;
  /** The client info and capabilities that requests of a stateless revision carry; called once for each revision in turn. */
  readonly stamp?: (revision: Revision) => RequestStamp;
  /** Notifications this end hears, by method. */
  readonly notifications?: ReadonlyMap<string, NotificationHandler>;
  /** Default: that of a connection, {@link handshakeLifecycle}. */
  readonly lifecycle?: Lifecycle;
}
