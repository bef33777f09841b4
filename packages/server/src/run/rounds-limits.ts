/** Limits of the input requests of one call. */
export interface RoundsLimits {
  /** The most consecutive input requests of one call; those that wait at the same time count as one. */
  readonly rounds: number;
  /** The most input requests that wait at the same time. */
  readonly inputRequests: number;
  /** Milliseconds after a handshake for which an input request waits for `notifications/initialized`. */
  readonly readyWait: number;
  /** Milliseconds for which a round waits for running `once` steps before it aborts their signal. */
  readonly onceWait: number;
  /** Milliseconds that a suspended handler has for its `finally` blocks before the response is sent. */
  readonly handlerWait: number;
}

export const defaultRoundsLimits: RoundsLimits = {
  rounds: 32,
  inputRequests: 32,
  readyWait: 2_000,
  onceWait: 10_000,
  handlerWait: 1_000,
};
