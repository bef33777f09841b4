import { withDefaults } from '@tenon/foundation';

/** Limits of one HTTP connection. */
export interface HttpClientLimits {
  /** Requests that wait for the start of their answer at the same time; further ones are queued. Fewer if a server refuses many. Default: 128. */
  readonly maxConnections: number;
  /** Bytes of one JSON answer, after decompression. More for servers with huge answers. Default: 16 MiB. */
  readonly maxAnswerBytes: number;
}

const defaults: HttpClientLimits = { maxConnections: 128, maxAnswerBytes: 16_777_216 };

/** Bounds and waits of one HTTP connection that are not options. */
export const httpClientBounds = {
  /** Characters of one event. */
  maxEventChars: 16_777_216,
  /** Bytes of all events on one connection. */
  maxStreamBytes: 1_073_741_824,
  /** Levels of objects and arrays in one message. */
  maxNesting: 512,
  /** Redirects followed for one request. */
  maxRedirects: 5,
  /**
   * Notifications and answers to the server's requests that are sent at the same time. While this many answers are being
   * sent, the stream with the server's requests is not read.
   */
  maxAnswersLeaving: 64,
  /** Failed attempts in a row to resume an event stream. Only a message resets the count. */
  maxReconnects: 6,
  /** Attempts in a row to resume the event stream of a call that find nothing listening at the port, before the call fails. */
  maxRefusedResumes: 3,
  /** Event streams in a row that the server may end without a message before no further one is requested. */
  maxEmptyStreams: 100,
  /** Milliseconds to wait at least if the server sets the wait. */
  minRetryMs: 100,
  /** Milliseconds to wait at most before an event stream is requested again. */
  maxRetryMs: 60_000,
  /** Milliseconds before a broken stream is requested again, if the server does not set the wait; doubled each time. */
  backoffMs: 500,
  /** Upper limit of that wait, in milliseconds. */
  maxBackoffMs: 30_000,
  /** Milliseconds a stream must have been open for its end not to count as a failed attempt. */
  healthyMs: 30_000,
  /** Times an answer to the server is sent again if its connection breaks. */
  maxAnswerRepeats: 4,
  /** Milliseconds before the first repetition of an answer; doubled each time. */
  answerBackoffMs: 250,
  /**
   * Milliseconds the server has to accept a notification, or an answer to one of its requests, and to send the body of an
   * error response. Requests have the time limits of the session.
   */
  acceptWaitMs: 60_000,
  /** Milliseconds to wait for a connection. */
  connectWaitMs: 10_000,
  /**
   * Milliseconds that `close` waits for sent frames to leave, and then for the server to end the session. Also the time
   * the response to a POST may go on after its last expected message.
   */
  closeWaitMs: 2_000,
};

/** The limits of one HTTP connection with the bounds that are not options. */
export type HttpClientBounds = HttpClientLimits & Readonly<typeof httpClientBounds>;

/**
 * Returns the bounds of one HTTP connection.
 * @param bounds - bounds in addition to those of HTTP.
 * @throws TypeError for an unknown limit; RangeError for one that is not a positive number.
 */
export function httpClientBoundsOf<Bounds extends object = object>(
  limits?: Partial<HttpClientLimits>,
  bounds?: Bounds,
): HttpClientBounds & Bounds {
  return withDefaults(defaults, limits, { ...httpClientBounds, ...(bounds as Bounds) });
}

/** Returns the problem of a message that is nested too deeply. */
export function tooDeep(levels: number): string {
  return `The message is nested in more than ${levels} levels.`;
}
