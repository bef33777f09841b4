/** How far a POST has come. */
export type RequestState =
  /** Waits for a free slot. */
  | 'queued'
  /** Was sent; the head of the response is not there. */
  | 'sending'
  /** Was refused with 401 or 403; the authorizer decides whether to send it again. */
  | 'authorizing'
  /** The head of a success is there; the body is one JSON value. */
  | 'reading-json'
  /** The head of a success is there; the body is an event stream. */
  | 'reading-events'
  /** The head of a refusal is there; its body goes into the error. */
  | 'reading-refusal'
  /** The server does not know the session; the other requests of the session find out next. */
  | 'session-lost'
  /** The response ended before the answer; the event stream continues by GET. */
  | 'resuming'
  /** Nothing more is expected; the response may still end in good order. */
  | 'lingering'
  /** Over. */
  | 'settled';

/** What happens to a POST. */
export type RequestEvent =
  /** There is a slot for it. */
  | 'begin'
  /** The authorizer decides about a refusal. */
  | 'challenged'
  /** The authorizer had it sent again. */
  | 'retried'
  | 'head-json'
  | 'head-events'
  | 'head-refusal'
  | 'head-session-lost'
  /** The response to the POST is over, and its event stream can be resumed. */
  | 'stream-over'
  /** Every request in it was answered or given up, or the server took a frame without requests. */
  | 'complete'
  | 'settle';

type Row = Readonly<Partial<Record<RequestEvent, RequestState>>>;

/** Where each event leads from each state. An event that is missing in a row changes nothing there. */
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
  // A GET brings the stream. It is closed with the last answer: no message of this POST can follow.
  resuming: { complete: 'settled', settle: 'settled' },
  lingering: { settle: 'settled' },
  settled: {},
};
