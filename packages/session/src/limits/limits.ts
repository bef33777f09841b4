/** Limits of one conversation. */
export interface SessionLimits {
  /** Milliseconds without answer or progress after which a request fails. More if the peer works silently for longer. Default: 1 minute. */
  readonly requestTimeout: number;
  /** Milliseconds after which a request fails, progress or not. More if calls take longer. Default: 10 minutes. */
  readonly requestTotal: number;
  /** Requests of the peer handled at the same time; further ones are rejected. Fewer if handlers need much memory. Default: 1,024. */
  readonly inFlight: number;
  /** Milliseconds that closing waits for calls in flight. Less if a process must stop faster. Default: 5 seconds. */
  readonly drain: number;
}

export const defaultSessionLimits: SessionLimits = {
  requestTimeout: 60_000,
  requestTotal: 600_000,
  inFlight: 1_024,
  drain: 5_000,
};

/** Bounds of one conversation that are not options. */
export const sessionBounds = {
  /** Own requests waiting for an answer at the same time; further ones fail at once. */
  pending: 1_024,
  /** Messages in one batch. */
  batch: 100,
  /** Characters of the answers to batches that are held for one peer; further answers are replaced by errors. */
  batchAnswers: 8_388_608,
  /** Progress notifications sent for one request in one second; a burst of as many is allowed, further ones are dropped. */
  progressPerSecond: 100,
  /** Characters of JSON of the peer's info and capabilities. */
  introduction: 65_536,
};

/** The limits of one conversation with the bounds that are not options. */
export type SessionBounds = SessionLimits & Readonly<typeof sessionBounds>;

export const defaultLimits: SessionBounds = { ...defaultSessionLimits, ...sessionBounds };
