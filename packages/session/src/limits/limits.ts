/** Bounds and waits of one conversation. Every member has a default; see {@link defaultLimits}. */
export interface SessionLimits {
  /** Requests of the peer handled at the same time; further ones are rejected. */
  readonly inFlight: number;
  /** Own requests waiting for an answer at the same time; further ones fail at once. */
  readonly pending: number;
  /** Messages in one batch. */
  readonly batch: number;
  /** Characters of the answers to batches that are held for one peer; further answers are replaced by errors. */
  readonly batchAnswers: number;
  /** Milliseconds without answer or progress after which a request fails. */
  readonly requestTimeout: number;
  /** Milliseconds after which a request fails, progress or not. */
  readonly requestTotal: number;
  /** Progress notifications sent for one request in one second; a burst of as many is allowed, further ones are dropped. */
  readonly progressPerSecond: number;
  /** Milliseconds that closing waits for calls in flight. */
  readonly drain: number;
  /** Characters of JSON of the peer's info and capabilities. */
  readonly introduction: number;
}

export const defaultLimits: SessionLimits = {
  inFlight: 1_024,
  pending: 1_024,
  batch: 100,
  batchAnswers: 8 * 1_024 * 1_024,
  requestTimeout: 60_000,
  requestTotal: 600_000,
  progressPerSecond: 100,
  drain: 5_000,
  introduction: 65_536,
};
