/** Bounds of the questions of one call. */
export interface RoundsLimits {
  /** Rounds of questions in one call. */
  readonly rounds: number;
  /** Questions in one round; where questions are requests of their own, a call asks as many as all its rounds would. */
  readonly asks: number;
  /** Milliseconds after a handshake that a question waits for a client to say that it is initialized. */
  readonly readyWait: number;
  /** Milliseconds a round is held open for `once` steps that run beside a question, before their signal aborts. */
  readonly onceWait: number;
  /** Milliseconds a suspended handler has for its `finally` blocks before the answer goes out without waiting. */
  readonly handlerWait: number;
}

export const defaultRoundsLimits: RoundsLimits = {
  rounds: 16,
  asks: 32,
  readyWait: 2_000,
  onceWait: 10_000,
  handlerWait: 1_000,
};
