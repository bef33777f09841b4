import type { Clock } from '@tenon/foundation';
import type {
  Answer,
  Connection,
  EventPort,
  Exchange,
  Guard,
  RequestStamp,
  Revision,
  SessionSettings,
} from '@tenon/mcp-protocol';
import { isOverQuota } from '@tenon/mcp-protocol/internal';
import type { Processes } from '@tenon/mcp-state';

/** The result of an earlier handshake, on another connection. */
export interface SettledSession {
  readonly revision: Revision;
  /** The client info of the handshake. */
  readonly peer: RequestStamp;
  /** The settings that the client has made in another process. */
  readonly settings?: SessionSettings | undefined;
  /** True if this process only passes a message of the session on. */
  readonly isPassing?: boolean;
}

/** The server's end of one session. */
export interface SessionEnd {
  /** Requests being handled. */
  readonly inFlight: number;
  /** Waits until requests in flight have finished, within the server's own limit, then closes the connection. */
  close(): Promise<void>;
  /** Adopts what the client has set in another process. */
  adopt?(settings: SessionSettings): void;
  /** Notifies the client of all that it listens to: messages about changes may have been lost. */
  missed?(): void;
  /** Sends the changes that the client could not receive while the connection lacked a stream. Called when it has opened one. */
  streamOpened?(): void;
}

/**
 * The guard of an application, which may be set while it is served. The same object for the whole life of the application;
 * its guard is read for each request.
 */
export interface ServerGuard {
  readonly guard?: Guard | undefined;
  /**
   * Called before the first unauthenticated caller is accepted.
   * @throws TypeError if the application has entries that need scopes.
   */
  open?(): void;
  /** Called when unauthenticated callers are not accepted any more; once for each {@link open} that did not throw. */
  close?(): void;
}

/** The server definition that handles the messages. */
export interface Application {
  readonly clock: Clock;
  /** Receives errors that are not reported otherwise. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** Receives the events of the transport. */
  readonly events?: EventPort | undefined;
  /** Supported revisions, newest first. */
  readonly revisions: readonly Revision[];
  /** This process among those that share the state of the sessions; undefined for a process on its own. */
  readonly processes?: Processes | undefined;
  /** True for a request that may be handled again if the process that handled it has ended. */
  isRepeatable?(message: unknown): boolean;
  /** The guard of all its HTTP endpoints. */
  readonly serverGuard?: ServerGuard;
  /**
   * Called when an endpoint begins to drain, before its connections end: this process leaves its work to others. Resolves when it
   * has done so; does not reject.
   */
  leaving?(): Promise<void>;
  /** Answers a message outside sessions. The facts of the exchange have the revision if the route decided one. */
  answer(value: unknown, exchange: Exchange): Answer;
  /** Serves one session until its connection ends. Calls `connection.start` synchronously. */
  accept(connection: Connection, session?: SettledSession): SessionEnd;
}

/**
 * Returns an error listener that never throws: the request is answered even if the operator's listener fails. It receives no refusals of the
 * state that callers cause as often as they like: the state reports those itself.
 */
export function unfailing(onError: Application['onError']): Application['onError'] {
  return (error, where) => {
    try {
      if (!isOverQuota(error)) onError(error, where);
    } catch {
      // An error of the error listener cannot be reported.
    }
  };
}
