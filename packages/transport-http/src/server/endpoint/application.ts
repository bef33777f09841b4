import type { Answer, Clock, Connection, Exchange, Guard, RequestStamp, Revision } from '@tenon/mcp-protocol';

/** What a handshake settled before, on another connection. */
export interface SettledSession {
  readonly revision: Revision;
  /** What the client said of itself. */
  readonly peer: RequestStamp;
}

/** One session from the side of the server. */
export interface SessionEnd {
  /** Requests being handled. */
  readonly inFlight: number;
  /** Lets requests in flight finish within the server's own limit, then closes the connection. */
  close(): Promise<void>;
}

/** Holds a guard that may come while it is served: the same object for as long as it lives, read with each request. */
export interface Guarding {
  readonly guard?: Guard | undefined;
}

/** What answers the messages: a server definition. */
export interface Application {
  readonly clock: Clock;
  /** Hears of errors nobody else hears of. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** Revisions spoken, newest first. */
  readonly revisions: readonly Revision[];
  /** What keeps its HTTP endpoints, all of them. */
  readonly guarding?: Guarding;
  /** Answers a message that belongs to no session. Its facts have the revision where its route decided one. */
  answer(value: unknown, exchange: Exchange): Answer;
  /** Serves one session until its connection ends; calls `connection.start` at once. */
  accept(connection: Connection, session?: SettledSession): SessionEnd;
}
