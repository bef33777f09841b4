import { ErrorCode, RpcError } from '@tenon/mcp-protocol';

/** Milliseconds after which a caller may try again that has used up its share of the state. */
const retryAfterMs = 10_000;

/**
 * Returns the error for a caller that has used up its share of the state: a write rejected with a StateError with reason `quota`.
 * @param effect - a sentence about the request, such as `The call was not begun.`
 */
export function shareUsedUp(effect: string, cause: unknown): RpcError {
  const message = `${effect} What this server keeps for you has reached limits.stateBytesPerCaller; try again when some of it has expired.`;
  return new RpcError(ErrorCode.rateLimited, message, { data: { retryAfterMs }, cause });
}
