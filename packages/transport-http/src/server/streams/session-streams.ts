import type { HttpCall } from '../call/http-call.js';
import type { AnswerStream } from '../exchange/http-exchange.js';

/** The event streams of one session: of its POSTs, and of the GET with the messages that belong to no request. */
export interface SessionStreams {
  /** True while a connection has one of the streams. */
  readonly attached: boolean;
  /** True while a connection has the stream for messages that belong to no request. Absent if one process serves the session. */
  readonly listening?: boolean;
  /** Starts the stream of a POST. */
  open(call: HttpCall, message: unknown): AnswerStream;
  /** Sends a message that belongs to no request. */
  send(frame: string): Promise<void> | undefined;
  /** Serves a GET: the stream for messages that belong to no request, or the rest of a stream after its connection broke. */
  resume(call: HttpCall, resumption: Resumption): void;
  keepAlive(now: number, isDue: boolean): void;
  /** Resolves when the store has the answers of calls that have ended; undefined if it has them. Call it after the calls have ended. */
  stored(): Promise<unknown> | undefined;
  /** Ends all streams. */
  close(): void;
}

/** The settings of a GET for a stream. */
export interface Resumption {
  readonly lastEventId: string | undefined;
  /** The time on the clock at which the connection must end. */
  readonly until: number | undefined;
}

/** The session of the streams. */
export interface StreamOwner {
  readonly id: string;
  /** True if the revision of the session can resume streams. */
  readonly resumable: boolean;
  /** True if its streams start with an id and no message. */
  readonly primed: boolean;
  /** True when the session has ended. */
  readonly over: boolean;
}

export const ended = { status: 404, reason: 'The session has ended; send initialize to open another.' };

export const unknownEvent = {
  status: 400,
  reason:
    'The events after this Last-Event-ID are not stored any more; send the request again, or open a stream without Last-Event-ID.',
};
