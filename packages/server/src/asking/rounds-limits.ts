/** Bounds of the input requests of one call. */
export interface RoundsLimits {
  /** Input requests of one call that follow one another; those that wait at the same time count as one. */
  readonly rounds: number;
  /** Input requests that wait at the same time. */
  readonly asks: number;
  /** Milliseconds after a handshake that a question waits for a client to say that it is initialized. */
  readonly readyWait: number;
  /** Milliseconds a round is held open for `once` steps that run beside a question, before their signal aborts. */
  readonly onceWait: number;
  /** Milliseconds a suspended handler has for its `finally` blocks before the answer goes out without waiting. */
  readonly handlerWait: number;
}

export const defaultRoundsLimits: RoundsLimits = {
  rounds: 32,
  asks: 32,
  readyWait: 2_000,
  onceWait: 10_000,
  handlerWait: 1_000,
};
