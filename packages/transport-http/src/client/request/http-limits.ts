/** Limits and waits of one HTTP connection. Every member has a default; see {@link defaultHttpClientLimits}. */
export interface HttpClientLimits {
  /** Requests that wait for the start of their answer at the same time. Further requests are queued. */
  readonly maxConnections: number;
  /** Bytes of one JSON answer, after decompression. */
  readonly maxAnswerBytes: number;
  /** Characters of one event. */
  readonly maxEventChars: number;
  /** Bytes of all events on one connection. */
  readonly maxStreamBytes: number;
  /** Levels of objects and arrays in one message. */
  readonly maxNesting: number;
  /** Redirects followed for one request. */
  readonly maxRedirects: number;
  /**
   * Notifications and answers to the server's requests that are sent at the same time. While this many answers are being
   * sent, the stream with the server's requests is not read.
   */
  readonly maxAnswersLeaving: number;
  /** Failed attempts in a row to resume an event stream. Only a message resets the count. */
  readonly maxReconnects: number;
  /** Attempts in a row to resume the event stream of a call that find nothing listening at the port, before the call fails. */
  readonly maxRefusedResumes: number;
  /** Event streams in a row that the server may end without a message before no further one is requested. */
  readonly maxEmptyStreams: number;
  /** Milliseconds to wait at least if the server sets the wait. */
  readonly minRetryMs: number;
  /** Milliseconds to wait at most before an event stream is requested again. */
  readonly maxRetryMs: number;
  /** Milliseconds before a broken stream is requested again, if the server does not set the wait; doubled each time. */
  readonly backoffMs: number;
  /** Upper limit of that wait, in milliseconds. */
  readonly maxBackoffMs: number;
  /** Milliseconds a stream must have been open for its end not to count as a failed attempt. */
  readonly healthyMs: number;
  /** Times an answer to the server is sent again if its connection breaks. */
  readonly maxAnswerRepeats: number;
  /** Milliseconds before the first repetition of an answer; doubled each time. */
  readonly answerBackoffMs: number;
  /**
   * Milliseconds the server has to accept a notification, or an answer to one of its requests, and to send the body of an
   * error response. Requests have the time limits of the session.
   */
  readonly acceptWaitMs: number;
  /** Milliseconds to wait for a connection. */
  readonly connectWaitMs: number;
  /**
   * Milliseconds that `close` waits for sent frames to leave, and then for the server to end the session. Also the time
   * the response to a POST may go on after its last expected message.
   */
  readonly closeWaitMs: number;
}

export const defaultHttpClientLimits: HttpClientLimits = {
  maxConnections: 128,
  maxAnswerBytes: 16 << 20,
  maxEventChars: 16 << 20,
  maxStreamBytes: 1 << 30,
  maxNesting: 512,
  maxRedirects: 5,
  maxAnswersLeaving: 64,
  maxReconnects: 6,
  maxRefusedResumes: 3,
  maxEmptyStreams: 100,
  minRetryMs: 100,
  maxRetryMs: 60_000,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  healthyMs: 30_000,
  maxAnswerRepeats: 4,
  answerBackoffMs: 250,
  acceptWaitMs: 60_000,
  connectWaitMs: 10_000,
  closeWaitMs: 2_000,
};

/** Returns the problem of a message that is nested too deeply. */
export function tooDeep(levels: number): string {
  return `The message is nested in more than ${levels} levels (limit maxNesting).`;
}
