import type { Implementation, Revision, Side, UnknownObject } from '@tenon/mcp-protocol';
import type { Clock } from './clock.js';
import type { IncomingRequest } from './incoming-request.js';
import type { SessionLimits } from './limits.js';
import type { Middleware } from './middleware.js';

/** Handles one request method; a throw becomes an error response. */
export interface RequestHandler {
  handle(request: IncomingRequest): UnknownObject | Promise<UnknownObject>;
  /** Hears of what the handler threw, before it is answered. Must not throw. */
  failed?(thrown: unknown, request: IncomingRequest): void;
  /** The same result object may be returned again, so that its text is worth keeping. */
  readonly reusesResults?: true;
}

/** Handles one notification method for one conversation; whatever it throws is only reported. */
export type NotificationHandler = (params: UnknownObject) => void;

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
  readonly clock: Clock;
  /** Hears of every error the peer must not be told of, and of messages that were dropped. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}
