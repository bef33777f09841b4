/** Bounds and waits of one connection over HTTP. Every member has a default; see {@link defaultHttpClientLimits}. */
export interface HttpClientLimits {
  /** Requests that wait for their answer to begin at the same time; further ones wait their turn. */
  readonly maxConnections: number;
  /** Bytes of one JSON answer, counted after decompression. */
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
   * Notifications and answers to the server's requests sent at the same time; while as many answers are leaving, the stream
   * of those requests is not read.
   */
  readonly maxAnswersLeaving: number;
  /** Attempts to get an event stream back that may fail in a row; only a message makes the count begin anew. */
  readonly maxReconnects: number;
  /** Event streams in a row that the server may end without a message before none is requested again. */
  readonly maxEmptyStreams: number;
  /** Milliseconds to wait at least where the server says how long. */
  readonly minRetryMs: number;
  /** Milliseconds to wait at most before an event stream is requested again. */
  readonly maxRetryMs: number;
  /** Milliseconds before a broken stream is requested again, if the server does not say how long; doubled each time. */
  readonly backoffMs: number;
  /** What that grows to. */
  readonly maxBackoffMs: number;
  /** Milliseconds a stream must have held for its end to count against nothing. */
  readonly healthyMs: number;
  /** Times an answer to the server is sent again when its connection breaks. */
  readonly maxAnswerRepeats: number;
  /** Milliseconds before the first of those times; doubled each time. */
  readonly answerBackoffMs: number;
  /**
   * Milliseconds that the server has to take a notification, or an answer to one of its requests, and to send the body of a
   * refusal. Requests have the time limits of the session.
   */
  readonly acceptWaitMs: number;
  /** Milliseconds to wait for a connection. */
  readonly connectWaitMs: number;
  /**
   * Milliseconds that `close` waits for what was sent to leave, and then for the server to end the session; and that the
   * answer to a POST may go on when nothing more is expected of it.
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

/**
 * Fills in defaults.
 * @throws TypeError for a bound that is not known; RangeError for one that is not a positive number.
 */
export function httpLimitsOf(given: Partial<HttpClientLimits> = {}): HttpClientLimits {
  const limits: Record<string, number> = { ...defaultHttpClientLimits };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(limits, name)) {
      throw new TypeError(`Unknown limit "${name}". Known: ${Object.keys(limits).join(', ')}.`);
    }
    if (typeof value !== 'number' || !(value > 0)) {
      throw new RangeError(`Limit ${name} must be a positive number.`);
    }
    limits[name] = value;
  }
  return limits as unknown as HttpClientLimits;
}

/** The problem of a message that is nested too deeply. */
export function tooDeep(levels: number): string {
  return `The message is nested in more than ${levels} levels (limit maxNesting).`;
}
