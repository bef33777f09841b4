/** The reason for which a call on shared state failed. */
export type StateFailure =
  /** The backend cannot be reached, or did not answer in time. The call may have taken effect. */
  | 'unavailable'
  /** The state was closed. */
  | 'closed'
  /** A later holder acquired the lease that the write depends on. Nothing was written. */
  | 'fenced'
  /** A key, a value or a message exceeds the limits. Nothing was written. */
  | 'too-large'
  /** The backend is full. Nothing was written. */
  | 'full'
  /** The caller has used up its share of the state. Nothing was written. */
  | 'quota';

/** A call on shared state failed. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly reason: StateFailure;

  constructor(reason: StateFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
