/** The state of a POST. */
export type RequestState =
  /** Waits for a free slot. */
  | 'queued'
  /** Was sent; the head of the response has not arrived. */
  | 'sending'
  /** Was rejected with 401 or 403; the authorizer decides whether to send it again. */
  | 'authorizing'
  /** The head of a successful response has arrived; the body is one JSON value. */
  | 'reading-json'
  /** The head of a successful response has arrived; the body is an event stream. */
  | 'reading-events'
  /** The head of an error response has arrived; its body becomes part of the error. */
  | 'reading-refusal'
  /** The server does not know the session; the other requests of the session are settled next. */
  | 'session-lost'
  /** The response ended before the answer; the event stream continues by GET. */
  | 'resuming'
  /** Nothing more is expected; the response may still end normally. */
  | 'lingering'
  /** Finished. */
  | 'settled';

/** An event that may change the state of a POST. */
export type RequestEvent =
  /** A slot is free. */
  | 'begin'
  /** The authorizer has to decide about a refusal. */
  | 'challenged'
  /** The request is sent again, by decision of the authorizer. */
  | 'retried'
  | 'head-json'
  | 'head-events'
  | 'head-refusal'
  | 'head-session-lost'
  /** The response to the POST has ended, and its event stream can be resumed. */
  | 'stream-over'
  /** Every request of the frame was answered or given up, or the server accepted a frame without requests. */
  | 'complete'
  | 'settle';

type Row = Readonly<Partial<Record<RequestEvent, RequestState>>>;

/** The next state for each event in each state. An event that is missing in a row changes nothing. */
export const transitions: Readonly<Record<RequestState, Row>> = {
  queued: { begin: 'sending', complete: 'settled', settle: 'settled' },
  sending: {
    challenged: 'authorizing',
    'head-json': 'reading-json',
    'head-events': 'reading-events',
    'head-refusal': 'reading-refusal',
    'head-session-lost': 'session-lost',
    complete: 'lingering',
    settle: 'settled',
  },
  authorizing: {
    retried: 'sending',
    'head-refusal': 'reading-refusal',
    complete: 'lingering',
    settle: 'settled',
  },
  'reading-json': { complete: 'lingering', settle: 'settled' },
  'reading-events': { 'stream-over': 'resuming', complete: 'lingering', settle: 'settled' },
  'reading-refusal': { complete: 'lingering', settle: 'settled' },
  'session-lost': { settle: 'settled' },
  // The stream arrives by GET. It is closed with the last answer: no message of this POST can follow.
  resuming: { complete: 'settled', settle: 'settled' },
  lingering: { settle: 'settled' },
  settled: {},
};
