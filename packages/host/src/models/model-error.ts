/**
 * The reason of a {@link ModelError}.
 * - `rejected`: the endpoint refused the request, such as for an invalid key.
 * - `rate-limited`: the endpoint has no capacity, or the account has none left; `retryAfter` says when to try again, if known.
 * - `unreachable`: there was no answer, or the endpoint failed.
 * - `invalid-answer`: the answer does not follow the format.
 * - `too-large`: the request or the answer exceeds a limit.
 * - `cancelled`: the caller's signal aborted.
 */
export type ModelErrorReason =
  | 'rejected'
  | 'rate-limited'
  | 'unreachable'
  | 'invalid-answer'
  | 'too-large'
  | 'cancelled';

/**
 * A reply that failed. The message names the model and the endpoint, and says what to do. Text of the endpoint in it is bounded, and has
 * neither the key nor control characters; it is not verified.
 */
export class ModelError extends Error {
  override readonly name: string = 'ModelError';
  readonly reason: ModelErrorReason;
  /** The HTTP status. */
  readonly status: number | undefined;
  /** Milliseconds until the next attempt makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    reason: ModelErrorReason,
    message: string,
    {
      status,
      retryAfter,
      cause,
    }: { readonly status?: number; readonly retryAfter?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Returns the error of a reply that its caller cancelled. */
export function cancelledReply(model: string, signal: AbortSignal | undefined): ModelError {
  return new ModelError('cancelled', `The reply of the model "${model}" was cancelled.`, {
    cause: signal?.reason,
  });
}
